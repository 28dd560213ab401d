internal import Asks
internal import Glibc
internal import MicroHTTP
internal import Platform

/// How a server shares out the descriptors that the system grants its process.
///
/// Libraries end the process when none is left: libdispatch opens a file in `/proc` whenever it looks whether its threads
/// are running. So everything that opens descriptors while a server runs has a limit here, and connections get the rest.
struct DescriptorShares {
  let configuration: Configuration
  /// True if predicates run programs.
  let hasPrograms: Bool
  /// How many may be open.
  var limit = Descriptors.limit
  /// How many are, before the server opens any: the standard streams, those for signals, what was inherited.
  var open = Descriptors.openCount
  var cores = Self.cores

  /// Connections at a time: no more than asked for.
  var connections: Int { min(configuration.connections, limit - reserve.reduce(0) { $0 + $1.count * $1.each }) }
  /// One client gets no more than half of them.
  var connectionsPerClient: Int { max(1, min(configuration.connectionsPerClient, connections / 2)) }
  var threads: Int { configuration.threads ?? most(cores, each: 4) }
  /// Sockets that are read to their end after their connections.
  var lingering: Int { most(Server.Configuration().lingeringLimit, each: 2) }
  var callbacks: Int { most(DeliverySender.Settings().limit, each: Self.transfer) }
  var deliveriesPerReceiver: Int { min(DeliverySender.Settings().limitPerOrigin, callbacks) }
  /// Programs of predicates: more than two a core would only slow each other down, until none ends in time.
  var programs: Int { most(2 * cores, each: Self.program) }

  /// What connections leave to others: how many there may be at once, and the descriptors that each has open at most.
  private var reserve: [(count: Int, each: Int)] {
    let isPostgreSQL = configuration.database.map { (try? PostgreSQLAddress.isOne($0)) ?? true } ?? false
    return [
      (open, 1),
      // The listening socket, what the monitor waits with, and a request to itself with its copy of that socket.
      (6, 1),
      // Each event loop waits with two, and accepts a connection before it looks whether it has room.
      (threads, 3),
      (lingering, 1),
      // SQLite: the file, its log, their folder, a backup and its log. PostgreSQL: three connections, each with a socket,
      // an eventfd and, while it connects, the resolver's sockets and files.
      isPostgreSQL ? (3, 6) : (5, 1),
      // A file at a time for each of Swift's threads, and for each in the background: templates, time zones, `/proc`.
      (cores, 2),
      (configuration.allowedCallbacks.isEmpty ? 0 : callbacks, Self.transfer),
      (configuration.channels.count * deliveriesPerReceiver, Self.transfer),
      // The keys of tokens, read again.
      (configuration.identity == nil ? 0 : 1, Self.transfer),
      (hasPrograms ? programs : 0, Self.program),
      // What swift-subprocess waits with for programs.
      (5, 1),
      // A reload, and the clocks of libdispatch.
      (8, 1),
    ]
  }

  /// libcurl's two sockets (IPv6, IPv4), two to wake it, two of its resolver, the resolver's own, and the certificates.
  private static let transfer = 8
  /// The text on standard input, three pipes, and the process.
  private static let program = 8
  /// Fewer connections than a browser opens; when all are taken, those that rest make room.
  private static let fewestConnections = 4

  static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// So many, if they take no more than an eighth of all.
  private func most(_ count: Int, each: Int) -> Int { max(1, min(count, limit / 8 / each)) }

  private var fewest: Int { min(configuration.connections, max(threads, Self.fewestConnections)) }

  /// The lowest limit with which nothing is missing.
  private func limit(_ missing: (Self) -> Int) -> Int {
    var shares = self
    while case let count = missing(shares), count > 0 { shares.limit += count }
    return shares.limit
  }

  /// Why no server runs with so few, or `nil` if one does.
  var fault: Server.StartError? {
    guard connections < fewest else { return nil }
    return .descriptors(limit: limit, needed: limit { $0.fewest - $0.connections })
  }

  /// A line for the operator if there are fewer connections than asked for, or `nil`.
  var shortage: String? {
    let asked = configuration.connections
    guard connections < asked else { return nil }
    return """
      only \(connections) connections at a time instead of \(asked), because RLIMIT_NOFILE (ulimit -n, LimitNOFILE=) is \
      \(limit); raise it to \(limit { asked - $0.connections }), or set --connections
      """
  }
}

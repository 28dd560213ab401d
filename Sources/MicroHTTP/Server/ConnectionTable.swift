internal import Platform
internal import Synchronization

/// The open connections: how many a client has, which are past their deadlines, and what waits for clients to read it.
/// Locked as a connection opens and closes, never for a request.
final class ConnectionTable: Sendable {
  private struct Connections {
    var open: [UInt64: OpenConnection] = [:]
    var perClient: [IPAddress?: Int] = [:]
    var leaving: OpenConnection.Leaving?
    /// Bytes that connections had in memory when they were last looked after, and the most since memory was given back.
    var memoryInUse = (now: 0, most: 0)
  }

  private let configuration: Server.Configuration
  private let state = Mutex(Connections())

  init(_ configuration: Server.Configuration) { self.configuration = configuration }

  /// The number of open connections.
  var count: Int { state.withLock { $0.open.count } }

  var all: [Connection] { state.withLock { $0.open.values.map(\.connection) } }

  /// The open connection with this id.
  subscript(id: UInt64) -> Connection? { state.withLock { $0.open[id]?.connection } }

  /// Has idle connections end from now on.
  ///
  /// - Parameter patience: how long each of them is kept for one more request.
  func leave(patience: Duration) {
    state.withLock { $0.leaving = ($0.leaving?.since ?? .now, patience) }
    _ = sweep(at: .now)
  }

  /// True if this client has fewer connections than its limit.
  func admits(_ client: IPAddress) -> Bool {
    state.withLock { $0.perClient[client.subscriber, default: 0] < configuration.connectionLimitPerClient }
  }

  /// True if all places are taken.
  var isFull: Bool { count >= configuration.connectionLimit }

  /// Adds a connection; true if it is the only one, or if it takes the last place.
  func add(_ connection: Connection) -> Bool {
    state.withLock { state in
      state.open[connection.id] = OpenConnection(connection: connection)
      state.perClient[connection.client, default: 0] += 1
      return state.open.count == 1 || state.open.count >= configuration.connectionLimit
    }
  }

  /// Forgets a connection, before its socket is closed.
  func remove(_ connection: Connection) {
    state.withLock { state in
      guard state.open.removeValue(forKey: connection.id) != nil else { return }
      let left = state.perClient[connection.client, default: 1] - 1
      state.perClient[connection.client] = left > 0 ? left : nil
    }
  }

  /// Ends the connections that are past their deadlines or have to make room by shutting down their sockets: each
  /// connection's own thread then finds the end and closes it.
  ///
  /// - Returns: false if no connection is open.
  func sweep(at now: ContinuousTime) -> Bool {
    state.withLock { state in
      var unread: [(connection: Connection, of: OpenConnection.Unread)] = []
      let leaving = state.leaving
      for place in state.open.values.indices {
        let left = state.open.values[place].sweep(
          at: now, configuration.deadlines, leaving: leaving)
        if let left { unread.append((state.open.values[place].connection, left)) }
      }
      cut(unread)
      makeRoom(among: state.open.values)
      state.memoryInUse.now = unread.reduce(state.open.count * Self.memoryOfOne) { $0 + $1.of.bytes }
      state.memoryInUse.most = max(state.memoryInUse.most, state.memoryInUse.now)
      return !state.open.isEmpty
    }
  }

  /// Keeps a quarter of the places for new connections, whose requests may be on their way already. A connection that owes
  /// a request can be replaced by another one; the others are at work. The newest is kept: its request may be here already,
  /// but not read yet.
  private func makeRoom(among open: some Collection<OpenConnection>) {
    let excess = open.count - (configuration.connectionLimit - max(1, configuration.connectionLimit / 4))
    guard excess > 0 else { return }
    let owing = open.compactMap { open in open.owing(configuration.deadlines).map { (open, $0) } }
    let longest = owing.sorted { ($0.1, $0.0.connection.id) < ($1.1, $1.0.connection.id) }
    for (open, _) in longest.dropLast().prefix(excess) {
      open.endReading()
    }
  }

  /// True once after the memory in use has dropped to less than a quarter of a high peak.
  func memoryInUseHasDropped() -> Bool {
    state.withLock { state in
      guard state.memoryInUse.most > Self.muchMemory, state.memoryInUse.now < state.memoryInUse.most / 4 else {
        return false
      }
      state.memoryInUse.most = state.memoryInUse.now
      return true
    }
  }

  /// About how many bytes of memory a connection takes, without the bytes that wait for its peer.
  private static let memoryOfOne = 32 << 10
  private static let muchMemory = 4 << 20

  /// Cuts off the peers that have not read for the longest, until neither one client nor all together leave too much
  /// unread.
  private func cut(_ unread: [(connection: Connection, of: OpenConnection.Unread)]) {
    var all = 0
    var perClient: [IPAddress?: Int] = [:]
    for (connection, left) in unread {
      all += left.bytes
      if !connection.isProxied { perClient[connection.client, default: 0] += left.bytes }
    }
    let (limit, limitPerClient) = (configuration.unreadLimit, configuration.unreadLimitPerClient)
    for (connection, left) in unread.sorted(by: { $0.of.since < $1.of.since })
    where all > limit || perClient[connection.client, default: 0] > limitPerClient {
      connection.cut()
      all -= left.bytes
      if !connection.isProxied { perClient[connection.client, default: 0] -= left.bytes }
    }
  }
}

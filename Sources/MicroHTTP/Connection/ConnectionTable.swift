internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// The open connections: how many a client has, which are past their deadlines, and what waits for clients to read it.
/// Locked as a connection opens and closes, never for a request.
final class ConnectionTable: Sendable {
  private struct State {
    var open: [UInt64: OpenConnection] = [:]
    var perClient: [IPAddress?: Int] = [:]
    var leaving: OpenConnection.Leaving?
    /// Bytes that connections had in memory when they were last looked after, and the most since memory was given back.
    var memoryInUse = (now: 0, most: 0)
  }

  private let configuration: Server.Configuration
  private let state = Mutex(State())

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

  /// Adds a connection; true if it is the only one.
  func add(_ connection: Connection) -> Bool {
    state.withLock { state in
      state.open[connection.id] = OpenConnection(connection: connection)
      state.perClient[connection.client, default: 0] += 1
      return state.open.count == 1
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

  /// Ends the connections that are past their deadlines by shutting down their sockets: each connection's own thread
  /// then finds the end and closes it.
  ///
  /// - Returns: false if no connection is open.
  func sweep(at now: ContinuousTime) -> Bool {
    state.withLock { state in
      let isCrowded = state.open.count > configuration.connectionLimit / 4 * 3
      var unread: [(connection: Connection, of: OpenConnection.Unread)] = []
      let leaving = state.leaving
      for place in state.open.values.indices {
        let left = state.open.values[place].sweep(
          at: now, configuration.deadlines, isCrowded: isCrowded, leaving: leaving)
        if let left { unread.append((state.open.values[place].connection, left)) }
      }
      cut(unread)
      state.memoryInUse.now = unread.reduce(state.open.count * Self.memoryOfOne) { $0 + $1.of.bytes }
      state.memoryInUse.most = max(state.memoryInUse.most, state.memoryInUse.now)
      return !state.open.isEmpty
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

/// One open connection, as the monitor sees it.
struct OpenConnection {
  let connection: Connection
  private var waiting: Waiting?
  /// The number of bytes that the peer had acknowledged when it last changed, and the time of that change; `nil` if the
  /// peer has taken everything.
  private var reading: (bytes: UInt64, since: ContinuousTime)?

  init(connection: Connection) { self.connection = connection }

  /// A wait for a request's head. libmicrohttpd does not report its first byte, so the kernel's count of received bytes
  /// tells whether the head has begun.
  private struct Waiting {
    /// Tells one wait from the next.
    let deadline: ContinuousTime
    /// The number of bytes received before this wait.
    let bytes: UInt64
    /// The deadline of the head that has begun, or `nil` while no byte of it has come.
    var headDeadline: ContinuousTime?
  }

  /// The moment at which the server began to leave, and the time for which it keeps an idle connection for one more
  /// request.
  typealias Leaving = (since: ContinuousTime, patience: Duration)

  /// The bytes in memory that wait for a peer to read them, the kernel's included.
  typealias Unread = (bytes: Int, since: ContinuousTime)

  /// Shuts the socket down once its time is over or its peer's side is closed: the connection's own thread then finds the
  /// end and closes it. The socket must be open.
  ///
  /// libmicrohttpd 0.9.75 misses an end that came together with bytes: epoll reported both at once, and libmicrohttpd
  /// stopped reading after the bytes. Shutting the socket down loses none of them and makes epoll report again.
  ///
  /// - Returns: what waits for the peer to read it, or `nil` if nothing does.
  mutating func sweep(
    at now: ContinuousTime, _ deadlines: Deadlines, isCrowded: Bool, leaving: Leaving?
  ) -> Unread? {
    let (phase, deadline) = connection.phase.current
    // Thousands of connections may wait a long time for their handlers: skip the system call for them.
    if phase == .working { return nil }
    let traffic = cmhd_traffic(connection.descriptor)
    let unread = unread(traffic, at: now)
    switch phase {
    case _ where unread.map { now >= $0.since.advanced(by: deadlines.response) } ?? false,
      .responding where now >= deadline:
      connection.cut()
      return nil
    case .working, .responding, .resting: break
    case .head, .body, .idle:
      var end = deadline
      if phase != .body {
        // A new connection has been opened, perhaps in advance, for a head that has its whole time from the start.
        let allowed = phase == .head ? deadlines.head : deadlines.idle
        if waiting?.deadline != deadline {
          waiting = Waiting(deadline: deadline, bytes: phase == .head ? 0 : traffic.received)
        }
        if waiting?.bytes != traffic.received, waiting?.headDeadline == nil {
          waiting?.headDeadline = phase == .head ? deadline : now.advanced(by: deadlines.head)
        }
        let start = deadline.advanced(by: .zero - allowed)
        let patience = phase == .idle && isCrowded ? min(.seconds(1), allowed) : allowed
        end = waiting?.headDeadline ?? start.advanced(by: patience)
        if let leaving, waiting?.headDeadline == nil {
          end = min(end, max(start, leaving.since).advanced(by: leaving.patience))
        }
      }
      // The sending side stays, for a response.
      if traffic.hasEnded || now >= end { shutdown(connection.descriptor, Int32(SHUT_RD)) }
    }
    return unread
  }

  private mutating func unread(_ traffic: cmhd_traffic, at now: ContinuousTime) -> Unread? {
    guard traffic.unsent > 0 else {
      reading = nil
      return nil
    }
    if reading?.bytes != traffic.acknowledged { reading = (traffic.acknowledged, now) }
    return (Int(traffic.unsent) + connection.phase.held, reading?.since ?? now)
  }
}

/// The phase that a connection is in, and its deadline: written by its own thread, read by the monitor's.
struct ConnectionPhase: ~Copyable, Sendable {
  enum Phase: Int64 {
    /// After a request, until the next one's head is there.
    case idle
    /// The first request's head is on its way.
    case head
    /// A request's body is on its way.
    case body
    /// The peer is waiting for us.
    case working
    /// The response is on its way.
    case responding
    /// The response is a stream that has nothing to send for now.
    case resting
  }

  /// The deadline in milliseconds, and the phase in the last three bits: one word, so that neither is seen without the
  /// other.
  private let word: Atomic<Int64>
  private let heldBytes = Atomic(0)

  /// Bytes of the response that are in memory only for this connection, until the peer takes them.
  var held: Int {
    get { heldBytes.load(ordering: .relaxed) }
    nonmutating set(count) { heldBytes.store(count, ordering: .relaxed) }
  }

  init(_ phase: Phase, within milliseconds: Int64) {
    word = Atomic(Self.word(phase, within: milliseconds))
  }

  func enter(_ phase: Phase, within milliseconds: Int64, from now: ContinuousTime = .coarse) {
    word.store(Self.word(phase, within: milliseconds, from: now), ordering: .relaxed)
  }

  /// Enters a phase without a deadline: the handler is working, or a stream has nothing to send for now.
  func wait(in phase: Phase) { word.store(.max & ~7 | phase.rawValue, ordering: .relaxed) }

  var current: (phase: Phase, deadline: ContinuousTime) {
    let word = word.load(ordering: .relaxed)
    let (nanoseconds, overflow) = (word >> 3).multipliedReportingOverflow(by: 1_000_000)
    // The word holds what `word(_:within:)` put there.
    return (Phase(rawValue: word & 7)!, ContinuousTime(nanoseconds: overflow ? .max : nanoseconds))
  }

  private static func word(_ phase: Phase, within milliseconds: Int64, from now: ContinuousTime = .coarse) -> Int64 {
    (now.nanoseconds / 1_000_000 + milliseconds) << 3 | phase.rawValue
  }
}

/// A reading of the monotonic clock, in nanoseconds.
struct ContinuousTime: Comparable, Sendable {
  let nanoseconds: Int64

  static let zero = ContinuousTime(nanoseconds: 0)

  static var now: ContinuousTime { reading(of: CLOCK_MONOTONIC) }

  /// The same, some milliseconds behind and cheaper.
  static var coarse: ContinuousTime { reading(of: CLOCK_MONOTONIC_COARSE) }

  private static func reading(of clock: clockid_t) -> ContinuousTime {
    var time = timespec()
    clock_gettime(clock, &time)
    return ContinuousTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  func advanced(by duration: Duration) -> ContinuousTime {
    let (seconds, attoseconds) = duration.components
    return ContinuousTime(nanoseconds: nanoseconds + seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }

  static func < (left: ContinuousTime, right: ContinuousTime) -> Bool { left.nanoseconds < right.nanoseconds }
}

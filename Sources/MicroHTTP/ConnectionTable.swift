internal import Synchronization

/// The open connections: how many a client has, which are past their
/// deadlines, and what waits for clients to read it. Locked as a connection
/// opens and closes, never for a request.
final class ConnectionTable: Sendable {
  private struct State {
    var open: [ObjectIdentifier: OpenConnection] = [:]
    var perClient: [IPAddress?: Int] = [:]
    var leaving: OpenConnection.Leaving?
    /// Bytes that connections had in memory when they were last looked after, and the most since memory was given back.
    var tide = (now: 0, high: 0)
  }

  private let limit: Int
  private let limitPerClient: Int
  private let deadlines: Deadlines
  private let unreadLimit: Int
  private let unreadLimitPerClient: Int
  private let state = Mutex(State())

  init(limit: Int, limitPerClient: Int, deadlines: Deadlines, unreadLimit: Int, unreadLimitPerClient: Int) {
    self.limit = limit
    self.limitPerClient = limitPerClient
    self.deadlines = deadlines
    self.unreadLimit = unreadLimit
    self.unreadLimitPerClient = unreadLimitPerClient
  }

  /// How many are open.
  var count: Int { state.withLock { $0.open.count } }

  /// Has idle connections end from now on.
  ///
  /// - Parameter patience: how long each of them is kept for one more request.
  func leave(patience: Duration) {
    state.withLock { state in
      state.leaving = OpenConnection.Leaving(since: state.leaving?.since ?? .now, patience: patience)
    }
    _ = sweep(at: .now)
  }

  /// True when this client has fewer connections than its limit.
  func admits(_ client: IPAddress) -> Bool {
    state.withLock { $0.perClient[client.subscriber, default: 0] < limitPerClient }
  }

  /// Takes a connection in; true when it is the only one.
  func add(_ phase: ConnectionPhase, descriptor: Int32, of client: IPAddress?, isTrusted: Bool = false) -> Bool {
    state.withLock { state in
      let client = client?.subscriber
      state.open[ObjectIdentifier(phase)] = OpenConnection(
        descriptor: descriptor, client: client, isTrusted: isTrusted, phase: phase)
      state.perClient[client, default: 0] += 1
      return state.open.count == 1
    }
  }

  /// Forgets a connection, before its socket is closed.
  func remove(_ phase: ConnectionPhase) {
    state.withLock { state in
      guard let connection = state.open.removeValue(forKey: ObjectIdentifier(phase)) else { return }
      let left = state.perClient[connection.client, default: 1] - 1
      state.perClient[connection.client] = left > 0 ? left : nil
    }
  }

  /// Ends what is past its deadline, by shutting its socket down: its own
  /// thread then finds the end and closes it.
  ///
  /// - Returns: false when no connection is open.
  func sweep(at now: ContinuousTime) -> Bool {
    state.withLock { state in
      let isCrowded = state.open.count > limit / 4 * 3
      var unread: [(connection: OpenConnection, of: OpenConnection.Unread)] = []
      for key in state.open.keys {
        let left = state.open[key]?.sweep(at: now, deadlines, isCrowded: isCrowded, leaving: state.leaving)
        if let left, let connection = state.open[key] { unread.append((connection, left)) }
      }
      cut(unread)
      state.tide.now = unread.reduce(state.open.count * Self.memoryOfOne) { $0 + $1.of.bytes }
      state.tide.high = max(state.tide.high, state.tide.now)
      return !state.open.isEmpty
    }
  }

  /// True once after much memory was in use that is not any more.
  func hasEbbed() -> Bool {
    state.withLock { state in
      guard state.tide.high > Self.highTide, state.tide.now < state.tide.high / 4 else { return false }
      state.tide.high = state.tide.now
      return true
    }
  }

  /// What a connection takes by itself, about.
  private static let memoryOfOne = 32 << 10
  private static let highTide = 4 << 20

  /// Cuts off who has not read for the longest, until no client and not all of them leave too much.
  private func cut(_ unread: [(connection: OpenConnection, of: OpenConnection.Unread)]) {
    var all = 0
    var perClient: [IPAddress?: Int] = [:]
    for (connection, left) in unread {
      all += left.bytes
      if !connection.isTrusted { perClient[connection.client, default: 0] += left.bytes }
    }
    guard all > unreadLimit || perClient.values.contains(where: { $0 > unreadLimitPerClient }) else { return }
    for (connection, left) in unread.sorted(by: { $0.of.since < $1.of.since })
    where all > unreadLimit || perClient[connection.client, default: 0] > unreadLimitPerClient {
      connection.cut()
      all -= left.bytes
      if !connection.isTrusted { perClient[connection.client, default: 0] -= left.bytes }
    }
  }
}

internal import Synchronization

/// The open connections: how many a client has, and which are past their
/// deadlines. Locked as a connection opens and closes, never for a request.
final class ConnectionTable: Sendable {
  private struct State {
    var open: [ObjectIdentifier: OpenConnection] = [:]
    var perClient: [IPAddress?: Int] = [:]
    var leaving: OpenConnection.Leaving?
  }

  private let limit: Int
  private let limitPerClient: Int
  private let deadlines: Deadlines
  private let state = Mutex(State())

  init(limit: Int, limitPerClient: Int, deadlines: Deadlines) {
    self.limit = limit
    self.limitPerClient = limitPerClient
    self.deadlines = deadlines
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
  func add(_ phase: ConnectionPhase, descriptor: Int32, of client: IPAddress?) -> Bool {
    state.withLock { state in
      let client = client?.subscriber
      state.open[ObjectIdentifier(phase)] = OpenConnection(descriptor: descriptor, client: client, phase: phase)
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
      for key in state.open.keys {
        state.open[key]?.sweep(at: now, deadlines, isCrowded: isCrowded, leaving: state.leaving)
      }
      return !state.open.isEmpty
    }
  }
}

internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// The connections that rest until what they send next is there.
///
/// Each is resumed exactly once, by whoever takes it out of the table first: whoever has its response, or the server as
/// it stops. libmicrohttpd aborts the process if it is stopped with a connection still suspended, and does not notice
/// that the peer of one has left: `ConnectionMonitor` does.
final class Suspensions: Sendable {
  /// libmicrohttpd's connection, which may be resumed from any thread, and its socket.
  struct Pointer: @unchecked Sendable {
    let value: OpaquePointer
    let descriptor: Int32
  }

  private struct Resting {
    let pointer: Pointer
    /// What the response goes to, or `nil` if it is a body that rests.
    let connection: Connection?
    /// Whether the monitor looks out for its peer's departure.
    var isFollowed = false
    /// Called once the peer has left and when the server stops, never under the lock; `nil` until it is known.
    var giveUp: (@Sendable () -> Void)?
    var isGivenUp = false
  }

  private struct State {
    var isStopping = false
    var lastKey: UInt64 = 0
    var resting: [UInt64: Resting] = [:]
    /// Those that have begun to rest since the monitor's last turn; some of them go on already.
    var fresh: [UInt64] = []
    /// Those that were taken out of the table and are not resumed yet.
    var leaving = 0
  }

  private let monitor: ConnectionMonitor
  private let state = Mutex(State())

  init(monitor: ConnectionMonitor) { self.monitor = monitor }

  /// Suspends a connection from its own thread until its response is sent; false if the server is stopping.
  ///
  /// - Parameter begin: see `Reply.parked`.
  func suspend(
    _ connection: Connection, _ pointer: Pointer,
    until begin: (PendingResponse) -> @Sendable () -> Void
  ) -> Bool {
    let key = state.withLock { suspend(pointer, &$0) { Resting(pointer: pointer, connection: connection) } }
    guard let key else { return false }
    let giveUp = begin(PendingResponse { self.resume(key, with: $0) })
    let isWanted = state.withLock { state in
      guard let resting = state.resting[key], !resting.isGivenUp else { return false }
      state.resting[key]?.giveUp = giveUp
      return true
    }
    if !isWanted { giveUp() }
    return true
  }

  /// Suspends a connection from its own thread until its body has more bytes.
  ///
  /// - Returns: what to resume it by, or `nil` if the server is stopping.
  func suspend(_ body: StreamedBody, _ pointer: Pointer) -> UInt64? {
    state.withLock {
      suspend(pointer, &$0) { Resting(pointer: pointer, connection: nil, giveUp: { body.end() }) }
    }
  }

  /// Resumes a connection, if it rests.
  ///
  /// - Parameter response: `nil` if a body goes on.
  func resume(_ key: UInt64, with response: Response? = nil) {
    let resting = state.withLock { state -> Resting? in
      guard let resting = state.resting.removeValue(forKey: key) else { return nil }
      resting.connection?.response = response
      state.leaving += 1
      return resting
    }
    guard let resting else { return }
    // Not under the lock: this wakes the connection's thread, which needs the lock for the next one.
    resume(resting)
    state.withLock { $0.leaving -= 1 }
  }

  /// Looks out for the departure of peers whose connections rest since the monitor's last turn. Most go on before, and
  /// are spared it.
  func followNewcomers() {
    var fresh = state.withLock { state in
      defer { state.fresh = [] }
      return state.fresh
    }
    while !fresh.isEmpty {
      // In between, others go on.
      state.withLock { state in
        for key in fresh.suffix(Self.settledAtOnce) {
          guard let resting = state.resting[key] else { continue }
          state.resting[key]?.isFollowed = true
          monitor.follow(resting.pointer.descriptor, key: key)
        }
      }
      fresh.removeLast(min(Self.settledAtOnce, fresh.count))
    }
  }

  private static let settledAtOnce = 32

  /// Tells whoever works for a connection that its peer has left. It rests on until its response is there.
  func leave(_ key: UInt64) {
    let giveUp = state.withLock { state in
      state.resting[key]?.isGivenUp = true
      return state.resting[key]?.giveUp
    }
    giveUp?()
  }

  /// Resumes all connections, with the response that the server is stopping or the end of their bodies, and lets no more
  /// rest.
  func stop() {
    let all = state.withLock { state in
      state.isStopping = true
      defer { state.resting.removeAll() }
      for resting in state.resting.values {
        if let connection = resting.connection { connection.response = connection.draining }
        resume(resting)
      }
      return Array(state.resting.values)
    }
    while state.withLock({ $0.leaving > 0 }) { sched_yield() }
    for resting in all { resting.giveUp?() }
  }

  private func suspend(_ pointer: Pointer, _ state: inout State, _ resting: () -> Resting) -> UInt64? {
    guard !state.isStopping else { return nil }
    MHD_suspend_connection(pointer.value)
    state.lastKey += 1
    state.resting[state.lastKey] = resting()
    state.fresh.append(state.lastKey)
    return state.lastKey
  }

  private func resume(_ resting: Resting) {
    // The socket may be closed as soon as its thread goes on.
    if resting.isFollowed { monitor.unfollow(resting.pointer.descriptor) }
    MHD_resume_connection(resting.pointer.value)
  }
}

internal import CMicroHTTPD
internal import Synchronization

/// The connections that rest until what they send next is there.
///
/// Each is resumed exactly once, by the first who takes it out of the table: its response, or the server as it stops.
/// libmicrohttpd aborts the process if it is stopped with a connection still suspended, and does not notice that the peer
/// of one has left: `ConnectionMonitor` does.
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
    /// Called once the peer has left and when the server stops, never under the lock; `nil` until it is known.
    var giveUp: (@Sendable () -> Void)?
    var isGivenUp = false
  }

  private struct State {
    var isStopping = false
    var lastKey: UInt64 = 0
    var resting: [UInt64: Resting] = [:]
  }

  private let monitor: ConnectionMonitor
  private let state = Mutex(State())

  init(monitor: ConnectionMonitor) { self.monitor = monitor }

  /// Suspends a connection from its own thread.
  ///
  /// - Returns: what to resume it by, or `nil` if the server is stopping.
  func suspend(
    _ pointer: Pointer, for connection: Connection? = nil, giveUp: (@Sendable () -> Void)? = nil
  ) -> UInt64? {
    state.withLock { state in
      guard !state.isStopping else { return nil }
      MHD_suspend_connection(pointer.value)
      state.lastKey += 1
      state.resting[state.lastKey] = Resting(pointer: pointer, connection: connection, giveUp: giveUp)
      monitor.follow(pointer.descriptor, key: state.lastKey)
      return state.lastKey
    }
  }

  /// Suspends a connection from its own thread until its response is sent; false if the server is stopping.
  ///
  /// - Parameter begin: see `Reply.parked`.
  func park(
    _ connection: Connection, _ pointer: Pointer, until begin: (PendingResponse) -> @Sendable () -> Void
  ) -> Bool {
    guard let key = suspend(pointer, for: connection) else { return false }
    let giveUp = begin(PendingResponse { self.resume(key, with: $0) })
    let isWanted = state.withLock { state in
      guard let resting = state.resting[key], !resting.isGivenUp else { return false }
      state.resting[key]?.giveUp = giveUp
      return true
    }
    if !isWanted { giveUp() }
    return true
  }

  /// Resumes a connection, if it rests.
  ///
  /// - Parameter response: `nil` if a body goes on.
  func resume(_ key: UInt64, with response: Response? = nil) {
    state.withLock { state in
      guard let resting = state.resting.removeValue(forKey: key) else { return }
      resting.connection?.response = response
      resume(resting)
    }
  }

  /// Tells the work for a connection that its peer has left. The connection rests until its response is there.
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
    for resting in all { resting.giveUp?() }
  }

  private func resume(_ resting: Resting) {
    // The socket may be closed as soon as its thread goes on.
    monitor.unfollow(resting.pointer.descriptor)
    MHD_resume_connection(resting.pointer.value)
  }
}

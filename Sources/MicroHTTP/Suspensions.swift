internal import CMicroHTTPD
internal import Synchronization

/// The connections that rest while a task works on what they send next.
///
/// Each is resumed exactly once, by whoever takes it out of the table first:
/// its task, or the server as it stops. libmicrohttpd aborts the process when
/// it is stopped with a connection still suspended, and does not notice that
/// the peer of one has left: `Watch` does.
final class Suspensions: Sendable {
  /// libmicrohttpd's connection, which may be resumed from any thread, and its socket.
  struct Pointer: @unchecked Sendable {
    let value: OpaquePointer
    let descriptor: Int32
  }

  private struct Resting {
    let pointer: Pointer
    /// Called under the lock, before the connection is resumed to stop.
    let stop: @Sendable () -> Void
    /// Called when the peer has left; the connection rests on until its task ends.
    let leave: @Sendable () -> Void
  }

  private struct State {
    var isStopping = false
    var lastKey: UInt64 = 0
    var resting: [UInt64: Resting] = [:]
  }

  private let watch: Watch
  private let state = Mutex(State())

  init(watch: Watch) { self.watch = watch }

  /// Suspends a connection from its own thread until `work` has its answer;
  /// false when the server is stopping.
  ///
  /// - Parameter draining: makes its answer if the server stops before `work` ends.
  func suspend(
    _ connection: Connection, _ pointer: Pointer,
    until work: @escaping @Sendable () async -> Response,
    draining: @escaping @Sendable () -> Response
  ) -> Bool {
    state.withLock { state in
      let key = suspend(pointer, &state)
      guard let key else { return false }
      // A task that ends at once waits at the lock until it is in the table.
      let task = Task {
        let response = await work()
        self.resume(key) { connection.answer = response }
      }
      state.resting[key] = Resting(
        pointer: pointer,
        stop: {
          connection.answer = draining()
          task.cancel()
        },
        leave: { task.cancel() })
      return true
    }
  }

  /// Suspends a connection from its own thread until its body has more bytes.
  ///
  /// - Returns: what to resume it by; nil when the server is stopping.
  func suspend(_ body: StreamedBody, _ pointer: Pointer) -> UInt64? {
    state.withLock { state in
      guard let key = suspend(pointer, &state) else { return nil }
      state.resting[key] = Resting(pointer: pointer, stop: {}, leave: { body.end() })
      return key
    }
  }

  /// Resumes a connection, if it rests.
  ///
  /// - Parameter prepare: called under the lock, before the connection goes on.
  func resume(_ key: UInt64, _ prepare: () -> Void = {}) {
    state.withLock { state in
      guard let resting = state.resting.removeValue(forKey: key) else { return }
      prepare()
      resume(resting)
    }
  }

  /// Tells the task of a connection that its peer has left.
  func leave(_ key: UInt64) { state.withLock { $0.resting[key] }?.leave() }

  /// Resumes all connections, with the answer that the server is stopping or
  /// the end of their bodies, and lets no more rest.
  func stop() {
    state.withLock { state in
      state.isStopping = true
      for resting in state.resting.values {
        resting.stop()
        resume(resting)
      }
      state.resting.removeAll()
    }
  }

  private func suspend(_ pointer: Pointer, _ state: inout State) -> UInt64? {
    guard !state.isStopping else { return nil }
    MHD_suspend_connection(pointer.value)
    state.lastKey += 1
    watch.follow(pointer.descriptor, key: state.lastKey)
    return state.lastKey
  }

  private func resume(_ resting: Resting) {
    // The socket may be closed as soon as its thread goes on.
    watch.unfollow(resting.pointer.descriptor)
    MHD_resume_connection(resting.pointer.value)
  }
}

internal import CMicroHTTPD
internal import Synchronization

/// The connections that rest while a task works on what they send next.
///
/// Each is resumed exactly once, by whoever takes it out of the table first:
/// its task, or the server as it stops. libmicrohttpd aborts the process when
/// it is stopped with a connection still suspended.
final class Suspensions: Sendable {
  /// libmicrohttpd's connection, which may be resumed from any thread.
  struct Pointer: @unchecked Sendable {
    let value: OpaquePointer
  }

  private struct Resting {
    let pointer: Pointer
    /// Called under the lock, before the connection is resumed to stop.
    var stop: @Sendable () -> Void = {}
  }

  private struct State {
    var isStopping = false
    var resting: [ObjectIdentifier: Resting] = [:]
  }

  private let state = Mutex(State())

  /// Suspends a connection from its own thread until `work` has its answer;
  /// false when the server is stopping.
  ///
  /// - Parameter draining: makes its answer if the server stops before `work` ends.
  func suspend(
    _ connection: Connection, _ pointer: OpaquePointer,
    until work: @escaping @Sendable () async -> Response,
    draining: @escaping @Sendable () -> Response
  ) -> Bool {
    let pointer = Pointer(value: pointer)
    return state.withLock { state in
      guard !state.isStopping else { return false }
      MHD_suspend_connection(pointer.value)
      // A task that ends at once waits at the lock until it is in the table.
      let task = Task { self.resume(connection, with: await work()) }
      state.resting[ObjectIdentifier(connection)] = Resting(pointer: pointer) {
        connection.answer = draining()
        task.cancel()
      }
      return true
    }
  }

  /// Suspends a connection from its own thread until its body has more bytes;
  /// false when the server is stopping.
  func suspend(_ body: StreamedBody, _ pointer: Pointer) -> Bool {
    state.withLock { state in
      guard !state.isStopping else { return false }
      MHD_suspend_connection(pointer.value)
      state.resting[ObjectIdentifier(body)] = Resting(pointer: pointer)
      return true
    }
  }

  /// Resumes the connection, if it rests, to send more of its body.
  func resume(_ body: StreamedBody) {
    state.withLock { state in
      guard let resting = state.resting.removeValue(forKey: ObjectIdentifier(body)) else { return }
      MHD_resume_connection(resting.pointer.value)
    }
  }

  /// Resumes all connections, with the answer that the server is stopping or
  /// the end of their bodies, and lets no more rest.
  func stop() {
    state.withLock { state in
      state.isStopping = true
      for resting in state.resting.values {
        resting.stop()
        MHD_resume_connection(resting.pointer.value)
      }
      state.resting.removeAll()
    }
  }

  private func resume(_ connection: Connection, with response: Response) {
    state.withLock { state in
      guard let resting = state.resting.removeValue(forKey: ObjectIdentifier(connection)) else { return }
      connection.answer = response
      MHD_resume_connection(resting.pointer.value)
    }
  }
}

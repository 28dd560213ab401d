internal import CMicroHTTPD
internal import Synchronization

/// The connections that rest while a task works on their answer.
///
/// Each is resumed exactly once, by whoever takes it out of the table first:
/// its task, or the server as it stops. libmicrohttpd aborts the process when
/// it is stopped with a connection still suspended.
final class Suspensions: Sendable {
  private struct Resting {
    let connection: Connection
    let pointer: Pointer
    let draining: @Sendable () -> Response
    let task: Task<Void, Never>

    /// The caller holds the lock.
    func resume(with response: Response) {
      connection.answer = response
      MHD_resume_connection(pointer.value)
    }
  }

  /// libmicrohttpd's connection, which may be resumed from any thread.
  private struct Pointer: @unchecked Sendable {
    let value: OpaquePointer
  }

  private struct State {
    var isStopping = false
    var resting: [ObjectIdentifier: Resting] = [:]
  }

  private let state = Mutex(State())

  /// Suspends a connection from its own thread; false when the server is stopping.
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
      state.resting[ObjectIdentifier(connection)] = Resting(
        connection: connection, pointer: pointer, draining: draining, task: task)
      return true
    }
  }

  /// Resumes all connections, with the answer that the server is stopping, and lets no more rest.
  func stop() {
    state.withLock { state in
      state.isStopping = true
      for resting in state.resting.values {
        resting.resume(with: resting.draining())
        resting.task.cancel()
      }
      state.resting.removeAll()
    }
  }

  private func resume(_ connection: Connection, with response: Response) {
    state.withLock { state in
      state.resting.removeValue(forKey: ObjectIdentifier(connection))?.resume(with: response)
    }
  }
}

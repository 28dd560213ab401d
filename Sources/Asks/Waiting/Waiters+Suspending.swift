internal import Synchronization

extension Waiters {
  /// Suspends the task until the ask is closed; otherwise as `wait(for:atMost:look:completion:)`.
  ///
  /// - Returns: nil when the time was over, the task was cancelled, or all were released.
  /// - Throws: what `look` throws.
  package func wait(
    for id: AskID, atMost duration: Duration, look: @escaping @Sendable () async throws -> ClosedAsk?
  ) async throws -> ClosedAsk? {
    let registered = Mutex<Ticket?>(nil)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let ticket = wait(for: id, atMost: duration, look: look) { continuation.resume(with: $0) }
        registered.withLock { $0 = ticket }
        // A cancellation that came before found nobody registered.
        if Task.isCancelled { release(ticket) }
      }
    } onCancel: {
      if let ticket = registered.withLock({ $0 }) { release(ticket) }
    }
  }
}

internal import Synchronization

/// The work of calls over HTTP, by session and request: a notification of the same session cancels it.
final class CancellableCalls: Sendable {
  private let running = Mutex<[String: Task<Event, Never>]>([:])

  /// - Parameter call: its key, or `nil` for a call that no notification can name.
  /// - Returns: what came of the work, and whether the call was cancelled meanwhile.
  func run(
    _ call: String?, _ work: @escaping @Sendable () async -> Event
  ) async -> (event: Event, isCancelled: Bool) {
    let task = Task { await work() }
    if let call { running.withLock { $0[call] = task } }
    defer { if let call { running.withLock { $0[call] = nil } } }
    let event = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    return (event, task.isCancelled && !Task.isCancelled)
  }

  func cancel(_ call: String) { running.withLock { $0[call] }?.cancel() }
}

internal import Asks
internal import MCP
internal import Synchronization

/// Outcomes on their way to clients of the Model Context Protocol, by the ask: its key is released once its outcome was
/// written to a connection that took it.
final class Deliveries: Sendable {
  private let underWay = Mutex<[String: Int]>([:])

  func begin(_ ask: String) { underWay.withLock { $0[ask, default: 0] += 1 } }

  func end(_ ask: String) { underWay.withLock { $0[ask] = $0[ask].flatMap { $0 > 1 ? $0 - 1 : nil } } }

  /// Waits until no outcome of the ask is on its way, for two seconds at most: a client that has its outcome may call
  /// again before the key is released.
  ///
  /// - Returns: false if there was nothing to wait for.
  func settle(_ ask: String) async -> Bool {
    let end = ContinuousClock.now + .seconds(2)
    var hasWaited = false
    while underWay.withLock({ $0[ask] != nil }), .now < end {
      hasWaited = true
      guard (try? await Task.sleep(for: .milliseconds(5))) != nil else { break }
    }
    return hasWaited
  }
}

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

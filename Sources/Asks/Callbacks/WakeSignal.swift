/// Wakes the task that waits for it; calls of `wake` while none does count as one.
package struct WakeSignal: Sendable {
  private let wakes: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  package init() {
    (wakes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  package func wake() { continuation.yield() }

  /// Returns at the next `wake`, after that time, or when the task is cancelled.
  package func wait(atMost duration: Duration) async {
    let timer = Task { [continuation] in
      try await Task.sleep(for: duration)
      continuation.yield()
    }
    defer { timer.cancel() }
    for await _ in wakes { return }
  }
}

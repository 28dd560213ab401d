/// Wakes the one who listens; rings that come while nobody does count as one.
package struct WakeSignal: Sendable {
  private let rings: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  package init() {
    (rings, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  package func ring() { continuation.yield() }

  /// Returns at the next ring, after that time, or when the task is cancelled.
  func wait(atMost duration: Duration) async {
    let timer = Task { [continuation] in
      try await Task.sleep(for: duration)
      continuation.yield()
    }
    defer { timer.cancel() }
    for await _ in rings { return }
  }
}

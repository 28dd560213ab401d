internal import Synchronization

/// Browsers that were sent on to a last page and have not fetched it yet.
///
/// A server that stops with the answer, as `okcancel ask` does, waits for them a moment.
final class PendingRedirects: Sendable {
  private let expected = Mutex(0)

  func promise() { expected.withLock { $0 += 1 } }

  func keep() { expected.withLock { $0 = max(0, $0 - 1) } }

  /// Waits until every promise is kept, at most that long.
  func settle(within limit: Duration) async {
    let end = ContinuousClock.now + limit
    while expected.withLock({ $0 > 0 }), ContinuousClock.now < end {
      guard (try? await Task.sleep(for: .milliseconds(10))) != nil else { return }
    }
  }
}

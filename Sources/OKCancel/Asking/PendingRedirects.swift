internal import Synchronization

/// Browsers that were redirected to a last page and have not fetched it yet.
///
/// A server that stops with the answer, as `okcancel ask` does, waits for them briefly.
final class PendingRedirects: Sendable {
  private let state = Mutex(
    (expected: 0, lastFetch: ContinuousClock.Instant?.none, lastFollowed: ContinuousClock.Instant?.none))

  func promise() { state.withLock { $0.expected += 1 } }

  /// - Parameter isFetched: whether the last page was fetched; otherwise nobody will fetch it.
  func keep(isFetched: Bool) {
    state.withLock { state in
      state.expected = max(0, state.expected - 1)
      if isFetched { state.lastFetch = .now }
    }
  }

  /// A page that shows what came of an answer was fetched.
  ///
  /// - Parameter isOver: false if it will be fetched again, two seconds later at most.
  func follow(isOver: Bool) { state.withLock { $0.lastFollowed = isOver ? nil : .now } }

  /// Waits up to three seconds for a page that is still to show what came of an answer.
  func waitForFollower() async {
    let end = ContinuousClock.now + .seconds(3)
    while .now < end, let last = state.withLock({ $0.lastFollowed }), .now - last < .seconds(3) {
      guard (try? await Task.sleep(for: .milliseconds(10))) != nil else { return }
    }
  }

  /// Waits up to a second until no redirect is pending. If a last page was fetched within the last second, then also
  /// waits for the page's files: until one has been fetched and then none for a quarter of a second, but no longer than
  /// two seconds after the page.
  ///
  /// - Parameter files: how many were served so far.
  func wait(files: () -> Int) async {
    let start = ContinuousClock.now
    while state.withLock({ $0.expected > 0 }), .now - start < .seconds(1) {
      guard (try? await Task.sleep(for: .milliseconds(10))) != nil else { return }
    }
    guard let fetch = state.withLock({ $0.lastFetch }), .now - fetch < .seconds(1) else { return }
    var (count, last) = (files(), ContinuousClock.Instant?.none)
    while .now - fetch < .seconds(2), last.map({ .now - $0 < .milliseconds(250) }) ?? true {
      guard (try? await Task.sleep(for: .milliseconds(10))) != nil else { return }
      let now = files()
      if now != count { (count, last) = (now, .now) }
    }
  }
}

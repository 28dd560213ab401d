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

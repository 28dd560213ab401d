/// Which receivers are left alone for a while, with all that waits for them, because what was sent there failed.
///
/// A receiver is the origin of a URL. After five failures in a row, whatever failed, nothing is sent there for a
/// second; then one callback tries it again, and each failure doubles the pause, up to a minute. What arrives ends it.
/// Callbacks that wait meanwhile lose none of their attempts.
struct ReceiverPauses: Sendable {
  private struct Failing: Sendable {
    var failures = 0
    var pause: Duration = .zero
    var until: Timestamp?
  }

  /// Failures in a row that begin a pause.
  static let patience = 5
  static let firstPause: Duration = .seconds(1)
  static let longestPause: Duration = .seconds(60)

  private var failing: [String: Failing] = [:]

  /// How many callbacks may be on their way to these origins at once; others have the usual number.
  func limits(at now: Timestamp) -> [String: Int] {
    failing.compactMapValues { receiver in receiver.until.map { $0 > now ? 0 : 1 } }
  }

  /// Takes note of an attempt that is over.
  mutating func record(_ result: Callback.Result, of origin: String, at now: Timestamp) {
    switch result {
    case .delivered: failing[origin] = nil
    // The receiver may be well: this one wants no more, or has failed too often.
    case .givenUp, .interrupted: break
    case .failed:
      var receiver = failing[origin] ?? Failing()
      defer { failing[origin] = receiver }
      receiver.failures += 1
      // Those that were on their way already as the pause began say nothing new.
      guard receiver.failures >= Self.patience, receiver.until.map({ $0 <= now }) ?? true else { return }
      receiver.pause = receiver.until == nil ? Self.firstPause : min(receiver.pause * 2, Self.longestPause)
      receiver.until = now + receiver.pause
    }
  }
}

internal import Prompts

/// Pauses receivers that keep failing: nothing is sent to them for a while.
///
/// A receiver is the origin of a URL. After five failures in a row, of whatever callbacks, nothing is sent there for a
/// second. Then one callback is tried, and each further failure doubles the pause, up to a minute. A delivery ends it.
/// Callbacks that wait meanwhile lose none of their attempts.
struct ReceiverPauses: Sendable {
  private struct Failing: Sendable {
    var failures = 0
    var pause: Duration = .zero
    var until: Timestamp?
  }

  private static let failuresBeforePause = 5
  private static let firstPause: Duration = .seconds(1)
  private static let longestPause: Duration = .seconds(60)

  private var failing: [String: Failing] = [:]

  /// The numbers of callbacks that may be on their way to these origins at once; others have the usual number.
  func limits(at now: Timestamp) -> [String: Int] {
    failing.compactMapValues { receiver in receiver.until.map { $0 > now ? 0 : 1 } }
  }

  /// Takes note of an attempt that is over.
  mutating func record(_ result: Callback.Result, of origin: String, at now: Timestamp) {
    switch result {
    case .delivered: failing[origin] = nil
    // The receiver may be well: this callback is not wanted any more, or has failed too often.
    case .givenUp, .interrupted: break
    case .failed:
      var receiver = failing[origin] ?? Failing()
      defer { failing[origin] = receiver }
      receiver.failures += 1
      // Failures of callbacks that were on their way when the pause began do not lengthen it.
      guard receiver.failures >= Self.failuresBeforePause, receiver.until.map({ $0 <= now }) ?? true else { return }
      receiver.pause = receiver.until == nil ? Self.firstPause : min(receiver.pause * 2, Self.longestPause)
      receiver.until = now + receiver.pause
    }
  }
}

internal import Prompts

/// Pauses receivers that keep failing: nothing is sent to them for a while.
///
/// A receiver is the origin of a callback's URL, or a channel. After five failures in a row, of whatever deliveries,
/// nothing is sent there for a second. Then one is tried, and each further failure doubles the pause, up to a minute. A
/// delivery ends it. What waits meanwhile loses none of its attempts.
struct ReceiverPauses: Sendable {
  private struct Failing: Sendable {
    var failures = 0
    var pause: Duration = .zero
    var until: Timestamp?

    /// False too if the clock was set back since `until` was set.
    func isPaused(at now: Timestamp) -> Bool { until.map { $0 > now && $0 <= now + pause } ?? false }
  }

  private static let failuresBeforePause = 5
  private static let firstPause: Duration = .seconds(1)
  private static let longestPause: Duration = .seconds(60)

  private var failing: [String: Failing] = [:]

  /// The numbers of messages that may be on their way to these receivers at once; others have the usual number.
  func limits(at now: Timestamp) -> [String: Int] {
    failing.compactMapValues { receiver in receiver.until.map { _ in receiver.isPaused(at: now) ? 0 : 1 } }
  }

  /// Takes note of an attempt that is over.
  mutating func record(_ result: Delivery.Result, of receiver: String, at now: Timestamp) {
    switch result {
    case .delivered: failing[receiver] = nil
    // The receiver may be well: this is not wanted any more, or has failed too often.
    case .givenUp, .interrupted: break
    case .failed:
      var state = failing[receiver] ?? Failing()
      defer { failing[receiver] = state }
      state.failures += 1
      // Failures of what was on its way when the pause began do not lengthen it.
      guard state.failures >= Self.failuresBeforePause, !state.isPaused(at: now) else { return }
      state.pause = state.until == nil ? Self.firstPause : min(state.pause * 2, Self.longestPause)
      state.until = now + state.pause
    }
  }
}

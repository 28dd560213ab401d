/// When a callback is tried again after a failure.
package struct RetrySchedule: Sendable {
  /// Pauses before the second, third … attempt.
  package let pauses: [Duration]
  /// A pause is lengthened by up to this part of itself, so that callbacks which failed together
  /// do not come back together.
  package let jitter: Double

  package init(pauses: [Duration], jitter: Double) {
    self.pauses = pauses
    self.jitter = jitter
  }

  /// The schedule of Standard Webhooks 1.0 ("Deliverability and reliability"): ten attempts in a
  /// little more than three days.
  package static let standardWebhooks = RetrySchedule(
    pauses: [
      .seconds(5), .seconds(300), .seconds(1800), .seconds(7200), .seconds(18_000),
      .seconds(36_000), .seconds(50_400), .seconds(72_000), .seconds(86_400),
    ],
    jitter: 0.1)

  /// The pause after that many failed attempts; nil: give up.
  ///
  /// - Parameter chance: 0 up to 1, drawn anew each time.
  package func pause(afterAttempts attempts: Int, chance: Double = .random(in: 0..<1)) -> Duration? {
    guard attempts >= 1, attempts <= pauses.count else { return nil }
    let pause = pauses[attempts - 1]
    return pause + pause * (jitter * chance)
  }
}

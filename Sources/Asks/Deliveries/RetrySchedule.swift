/// The schedule by which something is sent again after a failure.
struct RetrySchedule: Sendable {
  /// Pauses before the second, third … attempt.
  let pauses: [Duration]
  /// A pause is lengthened by up to this part of itself, so that deliveries which failed together do not come back
  /// together.
  let jitter: Double

  /// The schedule of Standard Webhooks 1.0 ("Deliverability and reliability"): ten attempts in a little more than three
  /// days.
  static let standardWebhooks = RetrySchedule(
    pauses: [
      .seconds(5), .seconds(300), .seconds(1800), .seconds(7200), .seconds(18_000),
      .seconds(36_000), .seconds(50_400), .seconds(72_000), .seconds(86_400),
    ],
    jitter: 0.1)

  /// The pause after that many failed attempts, or `nil` to give up.
  ///
  /// - Parameter chance: 0 up to 1, drawn anew each time.
  func pause(afterAttempts attempts: Int, chance: Double) -> Duration? {
    guard attempts >= 1, attempts <= pauses.count else { return nil }
    let pause = pauses[attempts - 1]
    return pause + pause * (jitter * chance)
  }
}

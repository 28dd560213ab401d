/// The schedule by which something is sent again after a failure.
struct RetrySchedule: Sendable {
  /// Pauses before the second, third … attempt.
  let pauses: [Duration]
  /// A pause is lengthened by up to this part of itself, so that deliveries which failed together do not come back
  /// together.
  var jitter = 0.1
  /// The pause after all of those, and how many times it comes.
  var last: (pause: Duration, count: Int) = (.zero, 0)

  /// The schedule of Standard Webhooks 1.0 ("Deliverability and reliability"): ten attempts in a little more than three
  /// days.
  static let standardWebhooks = RetrySchedule(
    pauses: [
      .seconds(5), .seconds(300), .seconds(1800), .seconds(7200), .seconds(18_000),
      .seconds(36_000), .seconds(50_400), .seconds(72_000), .seconds(86_400),
    ])

  /// That of notices, which end with their question: what failed together goes out again together.
  static let notices = notices(.max)

  /// That of what updates a notice after its question has ended: for a day.
  static let ends = notices(286)

  /// At first each pause is twice the one before, up to a minute; after ten minutes it is five.
  private static func notices(_ count: Int) -> RetrySchedule {
    RetrySchedule(
      pauses: (0..<15).map { .seconds(min(1 << $0, 60)) }, jitter: 0, last: (.seconds(300), count))
  }

  /// The pause after that many failed attempts, or `nil` to give up.
  ///
  /// - Parameter chance: 0 up to 1, drawn anew each time.
  func pause(afterAttempts attempts: Int, chance: Double) -> Duration? {
    guard attempts >= 1, attempts <= pauses.count || attempts - pauses.count <= last.count else { return nil }
    let pause = attempts <= pauses.count ? pauses[attempts - 1] : last.pause
    return pause + pause * (jitter * chance)
  }
}

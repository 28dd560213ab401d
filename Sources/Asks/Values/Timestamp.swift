/// A moment in UTC, counted in whole milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
package struct Timestamp: Hashable, Comparable, Sendable {
  package let milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  package static func < (one: Timestamp, other: Timestamp) -> Bool {
    one.milliseconds < other.milliseconds
  }

  /// The moment that much later, to the millisecond below.
  package static func + (moment: Timestamp, duration: Duration) -> Timestamp {
    let (seconds, attoseconds) = duration.components
    return Timestamp(
      milliseconds: moment.milliseconds + seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }

  package static func - (moment: Timestamp, duration: Duration) -> Timestamp {
    moment + (.zero - duration)
  }

  package static func - (later: Timestamp, earlier: Timestamp) -> Duration {
    .milliseconds(later.milliseconds - earlier.milliseconds)
  }
}

extension Timestamp: CustomStringConvertible {
  /// As RFC 3339 writes it, section 5.6, in UTC with milliseconds: `2026-11-21T09:30:00.000Z`.
  ///
  /// Always 24 characters for the years 0000 to 9999, so that texts sort as the moments do.
  package var description: String {
    let (day, time) = milliseconds.flooredDivision(by: 86_400_000)
    let (year, month, dayOfMonth) = Self.civil(daysSince1970: day)
    let digits: [(Int64, Int)] = [
      (year, 4), (month, 2), (dayOfMonth, 2), (time / 3_600_000, 2), (time / 60_000 % 60, 2),
      (time / 1000 % 60, 2), (time % 1000, 3),
    ]
    return zip(digits, ["-", "-", "T", ":", ":", ".", "Z"]).reduce(into: "") { text, part in
      let number = String(part.0.0)
      text += String(repeating: "0", count: max(0, part.0.1 - number.count)) + number + part.1
    }
  }

  /// Year, month and day of the Gregorian calendar, by cycles of 400 years that begin on a 1 March.
  private static func civil(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (cycle, dayOfCycle) = (days + 719_468).flooredDivision(by: 146_097)
    let yearOfCycle =
      (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
    let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    return (cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0), month, day)
  }
}

extension Int64 {
  fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

internal import Glibc

/// A moment in UTC, counted in whole milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
package struct Timestamp: Hashable, Comparable, Sendable {
  package let milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  package static func < (one: Timestamp, other: Timestamp) -> Bool { one.milliseconds < other.milliseconds }

  /// The moment that much later, to the millisecond below.
  package static func + (moment: Timestamp, duration: Duration) -> Timestamp {
    let (seconds, attoseconds) = duration.components
    return Timestamp(milliseconds: moment.milliseconds + seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }

  package static func - (moment: Timestamp, duration: Duration) -> Timestamp { moment + (.zero - duration) }

  package static func - (later: Timestamp, earlier: Timestamp) -> Duration {
    .milliseconds(later.milliseconds - earlier.milliseconds)
  }
}

extension Timestamp: CustomStringConvertible {
  /// As RFC 3339 writes it, section 5.6, in UTC with milliseconds: `2026-11-21T09:30:00.000Z`.
  ///
  /// Always 24 characters for the years 0000 to 9999, so that texts sort as the moments do.
  package var description: String {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends its `description`.
  package func write(to bytes: inout [UInt8]) {
    func append(_ number: Int64, digits: Int, _ end: Character) {
      let text = String(number)
      bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: max(0, digits - text.utf8.count)))
      bytes += text.utf8
      bytes += end.utf8
    }
    let (day, time) = milliseconds.flooredDivision(by: 86_400_000)
    let (year, month, dayOfMonth) = Self.civil(daysSince1970: day)
    append(year, digits: 4, "-")
    append(month, digits: 2, "-")
    append(dayOfMonth, digits: 2, "T")
    append(time / 3_600_000, digits: 2, ":")
    append(time / 60_000 % 60, digits: 2, ":")
    append(time / 1000 % 60, digits: 2, ".")
    append(time % 1000, digits: 3, "Z")
  }

  /// Year, month and day of the Gregorian calendar, by cycles of 400 years that begin on a 1 March.
  private static func civil(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (cycle, dayOfCycle) = (days + 719_468).flooredDivision(by: 146_097)
    let yearOfCycle = (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
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

/// Tells what time it is. Whoever needs the time is given one, so that a test can set it.
package struct WallClock: Sendable {
  private let read: @Sendable () -> Timestamp

  /// A clock that tells what `read` returns; it is called from any thread.
  package init(_ read: @escaping @Sendable () -> Timestamp) { self.read = read }

  package var now: Timestamp { read() }

  /// The system's clock.
  package static let system = WallClock {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}

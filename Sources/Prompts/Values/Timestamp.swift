internal import Glibc

/// A moment in UTC, counted in whole milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
package struct Timestamp: Hashable, Comparable, Sendable {
  package let milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// 1970-01-01T00:00:00Z
  static let zero = Timestamp(milliseconds: 0)

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

package extension Timestamp {
  /// Reads a moment as RFC 3339 writes it, section 5.6, to the millisecond below; `nil` for any other text, and for a day
  /// or a time that there is not.
  init?(rfc3339 text: String) {
    var reader = TextReader(text)
    guard let date = reader.take(some: "0-9-", 10...10), reader.take(some: "Tt", 1...1) != nil,
      let time = reader.take(some: "0-9:", 8...8), let fraction = reader.take(".") ? reader.take(some: "0-9") : "000",
      let local = Calendar.milliseconds("\(date)T\(time).\(fraction.prefix(3))".utf8[...], as: .dateTime)
    else { return nil }
    var offset = 0
    if reader.take(some: "Zz", 1...1) == nil {
      guard let sign = reader.take(some: "+-", 1...1), let clock = reader.take(some: "0-9:", 5...5),
        let time = Calendar.milliseconds(clock.utf8, as: .time)
      else { return nil }
      offset = sign == "-" ? -time : time
    }
    guard reader.isAtEnd else { return nil }
    self.init(milliseconds: Int64(local - offset))
  }

  /// The moment as mail has it (RFC 5322, section 3.3): `Sat, 21 Nov 2026 09:30:00 +0000`.
  var inMail: String {
    let day = Day.floor(Int(milliseconds), Calendar.millisecondsOfDay), date = Day.date(of: day), text = description
    let names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return "\(names[Day.weekday(of: day)]), \(date.day) \(months[date.month - 1]) \(date.year) "
      + "\(text.dropLast(5).suffix(8)) +0000"
  }
}

extension Timestamp: CustomStringConvertible {
  /// The moment as RFC 3339 writes it, section 5.6, in UTC with milliseconds: `2026-11-21T09:30:00.000Z`.
  ///
  /// Always 24 characters for the years 0000 to 9999, so that texts sort as the moments do.
  package var description: String { Calendar.text(of: Int(milliseconds)) }
}

/// Tells what time it is. What needs the time is given one, so that a test can set it.
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

internal import Glibc
internal import TimeZones

/// A moment in UTC, counted in whole milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
package struct Timestamp: Hashable, Comparable, Sendable {
  package let milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// 1970-01-01T00:00:00Z
  package static let zero = Timestamp(milliseconds: 0)

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
  package var description: String { Calendar.text(of: Int(milliseconds)) + "Z" }
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

// MARK: Texts

/// HTML’s date and time formats (HTML, 2.3.5): Gregorian, in the years 0001 to 9999.
enum Calendar {
  typealias Bytes = Substring.UTF8View

  // MARK: Reading

  /// A date `YYYY-MM-DD`, a time `HH:MM`, `HH:MM:SS` or `HH:MM:SS.f` with one to three digits, or both with `T` or one space
  /// in between: in milliseconds since 1970, or since midnight, by the same clock.
  static func milliseconds(_ bytes: Bytes, as form: Quantity.Form) -> Int? {
    var text = Array(bytes)
    switch form {
    case .number: return nil
    case .date: text += "T00:00".utf8
    case .time: text = "1970-01-01T".utf8 + text
    case .dateTime: if text.count > 10, text[10] == UInt8(ascii: " ") { text[10] = UInt8(ascii: "T") }
    }
    guard [16, 19, 21, 22, 23].contains(text.count),
      let parts = numbers(text + ":00.000".utf8.dropFirst(text.count - 16), like: "0000-00-00T00:00:00.000"),
      parts[0] >= 1, (1...12).contains(parts[1]), parts[3] < 24, parts[4] < 60, parts[5] < 60
    else { return nil }
    let day = Day.number(year: parts[0], month: parts[1], day: parts[2])
    // The 31st of June is another day.
    guard Day.date(of: day) == (parts[0], parts[1], parts[2]) else { return nil }
    return day * millisecondsOfDay + ((parts[3] * 60 + parts[4]) * 60 + parts[5]) * 1000 + parts[6]
  }

  /// What stands before `Z` or an offset like `+02:00`, and that in seconds; or all of it.
  static func withoutOffset(_ bytes: Bytes) -> (local: Bytes, offset: Int?) {
    if bytes.last == UInt8(ascii: "Z") { return (bytes.dropLast(), 0) }
    let written = bytes.suffix(6)
    // A date by itself ends in `-03-29`, without a colon.
    guard bytes.count >= 22, let sign = written.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      let clock = numbers(written.dropFirst(), like: "00:00"), clock[0] < 24, clock[1] < 60
    else { return (bytes, nil) }
    let seconds = (clock[0] * 60 + clock[1]) * 60
    return (bytes.dropLast(6), sign == UInt8(ascii: "-") ? -seconds : seconds)
  }

  /// The numbers in a text of a form in which each 0 stands for a digit.
  private static func numbers(_ bytes: some Collection<UInt8>, like form: String) -> [Int]? {
    guard bytes.count == form.utf8.count else { return nil }
    var numbers = [0]
    for (byte, place) in zip(bytes, form.utf8) {
      if place == UInt8(ascii: "0"), ASCII.isDigit(byte) {
        numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + ASCII.digit(byte)
      } else {
        guard byte == place, !ASCII.isDigit(byte) else { return nil }
        numbers.append(0)
      }
    }
    return numbers
  }

  // MARK: Writing

  static let millisecondsOfDay = 86_400_000

  /// `2026-03-29T03:30:15.250`, of milliseconds since 1970.
  static func text(of milliseconds: Int) -> String {
    let day = Day.floor(milliseconds, millisecondsOfDay), time = milliseconds - day * millisecondsOfDay
    let (year, month, date) = Day.date(of: day)
    func digits(_ number: Int, _ count: Int = 2) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
    return "\(digits(year, 4))-\(digits(month))-\(digits(date))T\(digits(time / 3_600_000)):"
      + "\(digits(time / 60_000 % 60)):\(digits(time / 1000 % 60)).\(digits(time % 1000, 3))"
  }

  /// `2026-03-29`
  static func text(ofDay day: Int) -> String { String(text(of: day * millisecondsOfDay).dropLast(13)) }

  /// `2026-03-29T03:30`
  static func minute(of milliseconds: Int) -> String { String(text(of: milliseconds).dropLast(7)) }

  /// `2026-03-29T03:30:15`, and the fraction if there is one.
  static func second(of milliseconds: Int) -> String {
    String(text(of: milliseconds).dropLast(milliseconds % 1000 == 0 ? 4 : 0))
  }
}

internal import TimeZones

/// HTML’s date and time formats (HTML, 2.3.5): Gregorian, in the years 0001 to 9999.
enum Calendar {
  typealias Bytes = Substring.UTF8View

  // MARK: Reading

  /// `YYYY-MM-DD` as the number of its day, counted from 1970-01-01.
  static func day(_ bytes: Bytes) -> Int? {
    guard let date = numbers(bytes, of: [4, 2, 2], between: "-"), date[0] >= 1, (1...12).contains(date[1]) else {
      return nil
    }
    let day = Day.number(year: date[0], month: date[1], day: date[2])
    // The 31st of June is another day.
    return Day.date(of: day) == (date[0], date[1], date[2]) ? day : nil
  }

  /// `HH:MM`, `HH:MM:SS` or `HH:MM:SS.f` with one to three digits, as milliseconds of the day.
  static func time(_ bytes: Bytes) -> Int? {
    let parts = bytes.prefix(13).split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    let isWhole = parts.count == 1
    guard bytes.count <= 12,
      let clock = numbers(parts[0], of: [2, 2, 2], between: ":")
        ?? (isWhole ? numbers(parts[0], of: [2, 2], between: ":") : nil),
      clock[0] < 24, clock[1] < 60, clock.count == 2 || clock[2] < 60
    else { return nil }
    let seconds = (clock[0] * 60 + clock[1]) * 60 + (clock.count == 3 ? clock[2] : 0)
    if isWhole { return seconds * 1000 }
    let digits = parts[1].count
    guard (1...3).contains(digits), let fraction = numbers(parts[1], of: [digits], between: ".") else { return nil }
    return seconds * 1000 + fraction[0] * [100, 10, 1][digits - 1]
  }

  /// A date, `T` or one space, a time; as milliseconds since 1970 by the same clock.
  static func dateTime(_ bytes: Bytes) -> Int? {
    let rest = bytes.dropFirst(10)
    guard rest.first == UInt8(ascii: "T") || rest.first == UInt8(ascii: " "), let day = day(bytes.prefix(10)),
      let time = time(rest.dropFirst())
    else { return nil }
    return day * Self.millisecondsOfDay + time
  }

  /// What stands before `Z` or an offset like `+02:00`, and that in seconds; or all of it.
  static func withoutOffset(_ bytes: Bytes) -> (local: Bytes, offset: Int?) {
    if bytes.last == UInt8(ascii: "Z") { return (bytes.dropLast(), 0) }
    let written = bytes.suffix(6)
    // A date by itself ends in `-03-29`, without a colon.
    guard bytes.count >= 22, let sign = written.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      let clock = numbers(written.dropFirst(), of: [2, 2], between: ":"), clock[0] < 24, clock[1] < 60
    else { return (bytes, nil) }
    let seconds = (clock[0] * 60 + clock[1]) * 60
    return (bytes.dropLast(6), sign == UInt8(ascii: "-") ? -seconds : seconds)
  }

  /// Numbers of so many digits with this between them.
  private static func numbers(_ bytes: Bytes, of digits: [Int], between separator: Unicode.Scalar) -> [Int]? {
    // So that nobody has 16 KiB of hyphens taken apart.
    guard bytes.count == digits.reduce(digits.count - 1, +) else { return nil }
    let parts = bytes.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false)
    guard parts.map(\.count) == digits, parts.allSatisfy({ $0.allSatisfy(ASCII.isDigit) }) else { return nil }
    return parts.map { $0.reduce(0) { $0 * 10 + ASCII.digit($1) } }
  }

  // MARK: Writing

  static let millisecondsOfDay = 86_400_000

  /// A number with zeros before it.
  static func digits(_ number: Int, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }

  /// `2026-03-29`
  static func text(ofDay day: Int) -> String {
    let (year, month, day) = Day.date(of: day)
    return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
  }

  /// `2026-03-29T03:30`, of milliseconds since 1970.
  static func minute(_ milliseconds: Int) -> String {
    let day = Day.floor(milliseconds, millisecondsOfDay)
    let minutes = (milliseconds - day * millisecondsOfDay) / 60_000
    return "\(text(ofDay: day))T\(digits(minutes / 60, 2)):\(digits(minutes % 60, 2))"
  }

  /// `2026-03-29T03:30:00`
  static func second(_ milliseconds: Int) -> String {
    let second = Day.floor(milliseconds, 1000)
    return "\(minute(milliseconds)):\(digits(second - Day.floor(second, 60) * 60, 2))"
  }

  /// Milliseconds of the second.
  static func fraction(_ milliseconds: Int) -> Int { milliseconds - Day.floor(milliseconds, 1000) * 1000 }
}

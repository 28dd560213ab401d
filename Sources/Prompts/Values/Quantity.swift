internal import TimeZones

/// A value that has an order: a number, a date, a time, or a local date and time.
///
/// Formats are HTML’s (HTML, 2.3.5 Dates and times), years 0001 to 9999, Gregorian.
public struct Quantity: Sendable {
  package enum Form: String, Sendable { case number, date, time, dateTime }

  private enum Key: Sendable {
    case number(ExactNumber)
    /// Date as yyyymmdd (0 for a time), and the time in milliseconds of the day.
    case moment(Int, Int)
    /// A date and time with its offset, in milliseconds since 1970 in UTC.
    case instant(Int)
    /// What is known only when somebody asks.
    case relative(RelativeBound)
  }

  /// As it was written.
  package let text: String
  package let form: Form
  private let key: Key

  /// `nil` if the text is not of this form.
  package init?(_ text: String, form: Form) {
    let key: Key? =
      switch form {
      case .number: ExactNumber(text).map(Key.number)
      case .date: Calendar.date(text.utf8[...]).map { .moment($0, 0) }
      case .time: Calendar.time(text.utf8[...]).map { .moment(0, $0) }
      case .dateTime: Calendar.dateTime(text.utf8[...]).map { .moment($0.date, $0.time) }
      }
    guard let key else { return nil }
    (self.text, self.form, self.key) = (text, form, key)
  }

  /// The first form that fits the text, or `nil` if none does.
  ///
  /// As the bound of a range it may also be `now` or `today`, and perhaps a duration before or after it: `now+30d`; or a
  /// date and time with its offset: `2025-01-31T09:30+01:00`.
  public init?(_ text: String) {
    for form in [Form.number, .date, .time, .dateTime] {
      if let quantity = Quantity(text, form: form) {
        self = quantity
        return
      }
    }
    if let bound = RelativeBound(text) {
      self.init(text, bound.base == .today ? .date : .dateTime, .relative(bound))
      return
    }
    let (local, offset) = Calendar.withoutOffset(text.utf8[...])
    guard let offset, let (date, time) = Calendar.dateTime(local) else { return nil }
    self.init(instant: (Calendar.day(date) * 86_400 - offset) * 1000 + time, writtenAs: text)
  }

  /// A moment in milliseconds since 1970 in UTC.
  init(instant: Int, writtenAs text: String) { self.init(text, .dateTime, .instant(instant)) }

  private init(_ text: String, _ form: Form, _ key: Key) { (self.text, self.form, self.key) = (text, form, key) }

  /// What it may be compared with: `today` with dates, and with dates and times.
  var forms: [Form] { relative?.base == .today ? [.date, .dateTime] : [form] }

  /// `now` or `today` with a duration; or `nil` for anything else.
  var relative: RelativeBound? { if case .relative(let bound) = key { bound } else { nil } }

  /// Whether it is a date and time with its offset.
  var hasOffset: Bool { if case .instant = key { true } else { false } }

  /// -1, 0 or 1; both are of the same form. If they cannot be compared until somebody asks, it is 0.
  func compared(to other: Quantity) -> Int {
    switch (key, other.key) {
    case (.number(let a), .number(let b)): a < b ? -1 : a == b ? 0 : 1
    case (.moment(let a, let s), .moment(let b, let t)): (a, s) < (b, t) ? -1 : (a, s) == (b, t) ? 0 : 1
    case (.instant(let a), .instant(let b)): a < b ? -1 : a == b ? 0 : 1
    case (.relative(let a), .relative(let b)): a.isBeyond(b) ? 1 : 0
    default: 0
    }
  }
}

// MARK: As a bound in a time zone

extension Quantity {
  /// The moment that this bound of a date and time is, in milliseconds since 1970 in UTC.
  ///
  /// A local time that occurs twice is the earlier one as the least and the later one as the most.
  func milliseconds(at now: Timestamp, in zone: Zone, isMinimum: Bool) -> Int {
    switch key {
    case .instant(let milliseconds): milliseconds
    case .relative(let bound): bound.milliseconds(at: now, in: zone, isMinimum: isMinimum)
    case .moment(let date, let time):
      zone.seconds(ofLocal: Calendar.day(date) * 86_400 + time / 1000, later: !isMinimum) * 1000 + time % 1000
    case .number: 0
    }
  }

  /// How it is said to somebody in a time zone.
  func words(at now: Timestamp, in zone: Zone) -> String {
    switch key {
    case .relative, .instant:
      let milliseconds = milliseconds(at: now, in: zone, isMinimum: false)
      return ZonedTime(Timestamp(milliseconds: Int64(milliseconds)), in: zone).localText
    case .number, .moment: return text
    }
  }

  /// The date that this bound of dates is.
  func date(at now: Timestamp, in zone: Zone) -> String { relative?.date(at: now, in: zone) ?? text }
}

/// HTML’s date and time formats, read from bytes.
enum Calendar {
  typealias Bytes = Substring.UTF8View

  /// `YYYY-MM-DD` as yyyymmdd.
  static func date(_ bytes: Bytes) -> Int? {
    // So that nobody has 16 KiB of hyphens taken apart.
    guard bytes.count == 10 else { return nil }
    let parts = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 3, let year = number(parts[0], digits: 4), let month = number(parts[1], digits: 2),
      let day = number(parts[2], digits: 2), year >= 1, (1...12).contains(month),
      (1...days(in: month, of: year)).contains(day)
    else { return nil }
    return year * 10_000 + month * 100 + day
  }

  /// `HH:MM`, `HH:MM:SS` or `HH:MM:SS.f` with one to three digits, as milliseconds of the day.
  static func time(_ bytes: Bytes) -> Int? {
    guard bytes.count <= 12 else { return nil }
    let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let hour = number(parts[0], digits: 2),
      let minute = number(parts[1], digits: 2), hour < 24, minute < 60
    else { return nil }
    let minutes = (hour * 60 + minute) * 60_000
    if parts.count == 2 { return minutes }
    let seconds = parts[2].split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let second = number(seconds[0], digits: 2), second < 60 else { return nil }
    if seconds.count == 1 { return minutes + second * 1_000 }
    let digits = seconds[1].count
    guard (1...3).contains(digits), let fraction = number(seconds[1], digits: digits) else { return nil }
    return minutes + second * 1_000 + fraction * [100, 10, 1][digits - 1]
  }

  /// A date, `T` or one space, a time.
  static func dateTime(_ bytes: Bytes) -> (date: Int, time: Int)? {
    guard bytes.count > 11 else { return nil }
    let separator = bytes.index(bytes.startIndex, offsetBy: 10)
    guard bytes[separator] == UInt8(ascii: "T") || bytes[separator] == UInt8(ascii: " "),
      let date = date(bytes[..<separator]), let time = time(bytes[bytes.index(after: separator)...])
    else { return nil }
    return (date, time)
  }

  static func number(_ bytes: Bytes, digits: Int) -> Int? {
    guard bytes.count == digits, bytes.allSatisfy(ASCII.isDigit) else { return nil }
    return bytes.reduce(0) { $0 * 10 + ASCII.digit($1) }
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

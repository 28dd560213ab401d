/// A value that has an order: a number, a date, a time, or a local date and time.
///
/// Formats are HTML’s (HTML, 2.3.5 Dates and times), years 0001 to 9999, Gregorian.
public struct Quantity: Sendable {
  package enum Form: Sendable { case number, date, time, dateTime }

  private enum Key: Sendable {
    case number(ExactNumber)
    /// Date as yyyymmdd (0 for a time), and the time in milliseconds of the day.
    case moment(Int, Int)
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
  public init?(_ text: String) {
    for form in [Form.number, .date, .time, .dateTime] {
      if let quantity = Quantity(text, form: form) {
        self = quantity
        return
      }
    }
    return nil
  }

  /// The same as an `Int`, or `nil` if it is no whole number or does not fit.
  var integer: Int? { if case .number(let number) = key { number.integer } else { nil } }

  /// -1, 0 or 1; both are of the same form.
  func compared(to other: Quantity) -> Int {
    switch (key, other.key) {
    case (.number(let a), .number(let b)): a < b ? -1 : a == b ? 0 : 1
    case (.moment(let a, let s), .moment(let b, let t)): (a, s) < (b, t) ? -1 : (a, s) == (b, t) ? 0 : 1
    default: 0
    }
  }
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

  private static func number(_ bytes: Bytes, digits: Int) -> Int? {
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

/// HTML’s date and time formats (HTML, 2.3.5): Gregorian, in the years 0001 to 9999.
enum Calendar {
  typealias Bytes = Substring.UTF8View

  // MARK: Reading

  /// A date `YYYY-MM-DD`, the leap days of the Gregorian calendar among them.
  static let date: String = {
    let year = "(?:[0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)"
    let days =
      "(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))"
    let fourth = "(?:0[48]|[2468][048]|[13579][26])"
    return "(?:\(year)-\(days)|(?:[0-9]{2}\(fourth)|\(fourth)00)-02-29)"
  }()
  /// A time `HH:MM`, `HH:MM:SS` or `HH:MM:SS.f` with one to three digits.
  static let time = #"(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,3})?)?"#
  /// Both with `T` or one space in between.
  static let dateTime = "\(date)[T ]\(time)"

  private static let forms: [Quantity.Form: Pattern] = [.date: date, .time: time, .dateTime: dateTime].mapValues {
    try! Pattern($0)
  }

  /// Milliseconds since 1970, or since midnight, by the same clock; `nil` if the text does not have this form.
  static func milliseconds(_ bytes: Bytes, as form: Quantity.Form) -> Int? {
    let text = String(Substring(bytes))
    guard forms[form]?.matches(text) == true else { return nil }
    let local = (form == .time ? "1970-01-01T" : "") + text + (form == .date ? "T00:00" : "")
    let parts = (local + ":00.000".dropFirst(local.utf8.count - 16)).utf8.split { !ASCII.isDigit($0) }
      .map { $0.reduce(0) { $0 * 10 + ASCII.digit($1) } }
    let day = Day.number(year: parts[0], month: parts[1], day: parts[2])
    return day * millisecondsOfDay + ((parts[3] * 60 + parts[4]) * 60 + parts[5]) * 1000 + parts[6]
  }

  /// The text before `Z` or an offset like `+02:00`, and the offset in seconds. Without one, `local` is the whole text.
  static func withoutOffset(_ bytes: Bytes) -> (local: Bytes, offset: Int?) {
    if bytes.last == UInt8(ascii: "Z") { return (bytes.dropLast(), 0) }
    let written = bytes.suffix(6)
    // A date by itself ends in `-03-29`, without a colon.
    guard bytes.count >= 22, let sign = written.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
      let clock = milliseconds(written.dropFirst(), as: .time)
    else { return (bytes, nil) }
    return (bytes.dropLast(6), sign == UInt8(ascii: "-") ? -clock / 1000 : clock / 1000)
  }

  // MARK: Writing

  static let millisecondsOfDay = 86_400_000

  /// `2026-03-29T03:30:15.250Z`, of milliseconds since 1970.
  static func text(of milliseconds: Int) -> String {
    let day = Day.floor(milliseconds, millisecondsOfDay), time = milliseconds - day * millisecondsOfDay
    let (year, month, date) = Day.date(of: day)
    var text = Array("0000-00-00T00:00:00.000Z".utf8)
    func write(_ number: Int, before end: Int) {
      var (rest, place) = (number, end)
      while rest > 0 {
        place -= 1
        text[place] += UInt8(rest % 10)
        rest /= 10
      }
    }
    for (number, end) in [
      (year % 10_000, 4), (month, 7), (date, 10), (time / 3_600_000, 13), (time / 60_000 % 60, 16),
      (time / 1000 % 60, 19), (time % 1000, 23),
    ] { write(number, before: end) }
    let last = String(decoding: text, as: UTF8.self)
    return year > 9999 ? String(year / 10_000) + last : last
  }

  /// `2026-03-29`
  static func text(ofDay day: Int) -> String { String(text(of: day * millisecondsOfDay).dropLast(14)) }

  /// `2026-03-29T03:30`
  static func minute(of milliseconds: Int) -> String { String(text(of: milliseconds).dropLast(8)) }

  /// `2026-03-29T03:30:15`, and the fraction if there is one.
  static func second(of milliseconds: Int) -> String {
    String(text(of: milliseconds).dropLast(milliseconds % 1000 == 0 ? 5 : 1))
  }
}

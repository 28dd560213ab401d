/// The offsets of every year after the last change that a zone's file lists, as POSIX writes them in `TZ`:
/// `CET-1CEST,M3.5.0,M10.5.0/3` (POSIX.1-2024, 8.3; RFC 9636, 3.3.1).
struct YearlyRule: Sendable {
  /// The moment in a year at which the offset changes, in seconds by the clock that is in use until then.
  fileprivate typealias Change = @Sendable (_ year: Int) -> Int

  /// Seconds east of UTC.
  private let standard: Int
  /// Another offset for a part of each year; or `nil` if there is none.
  private let other: (offset: Int, start: Change, end: Change)?

  func offset(at seconds: Int) -> Int {
    guard let other else { return standard }
    let year = Day.date(of: Day.floor(seconds + standard, 86_400)).year
    let start = other.start(year) - standard
    let end = other.end(year) - other.offset
    let isOther = start < end ? start <= seconds && seconds < end : !(end <= seconds && seconds < start)
    return isOther ? other.offset : standard
  }
}

// MARK: Reading

extension YearlyRule {
  /// `nil` if this is no such text.
  init?(_ text: String) {
    var reader = TextReader(text)
    guard reader.takeName(), let west = reader.takeTime(hours: 24) else { return nil }
    standard = -west
    guard !reader.isAtEnd else {
      other = nil
      return
    }
    guard reader.takeName() else { return nil }
    let isHourLater = reader.rest.hasPrefix(",")
    guard let otherWest = isHourLater ? west - 3600 : reader.takeTime(hours: 24), let start = reader.takeChange(),
      let end = reader.takeChange(), reader.isAtEnd
    else { return nil }
    other = (-otherWest, start, end)
  }
}

extension TextReader {
  /// `CET` or `<+03>`
  fileprivate mutating func takeName() -> Bool {
    take("<") ? take(some: "^>", 0...Int.max) != nil && take(">") : take(some: "A-Za-z", 3...Int.max) != nil
  }

  /// `[+-]hh[:mm[:ss]]`, in seconds.
  fileprivate mutating func takeTime(hours limit: Int) -> Int? {
    let isNegative = take("-")
    if !isNegative { _ = take("+") }
    var (seconds, unit) = (0, 3600)
    repeat {
      guard let number = takeNumber(), number <= (unit == 3600 ? limit : 59) else { return nil }
      seconds += number * unit
      unit /= 60
    } while unit > 0 && take(":")
    return isNegative ? -seconds : seconds
  }

  private mutating func takeNumber() -> Int? { take(some: "0-9", 1...4).flatMap { Int($0) } }

  /// `,M3.5.0/3`, `,J60` or `,59`
  fileprivate mutating func takeChange() -> YearlyRule.Change? {
    guard take(","), let day = takeDay(), let time = take("/") ? takeTime(hours: 167) : 7200 else { return nil }
    return { day($0) * 86_400 + time }
  }

  /// The number of a day in each year.
  private mutating func takeDay() -> YearlyRule.Change? {
    if take("M") {
      // The n-th weekday of a month, 5 for the last; Sunday is 0.
      guard let month = takeNumber(), (1...12).contains(month), take("."), let week = takeNumber(),
        (1...5).contains(week), take("."), let weekday = takeNumber(), weekday <= 6
      else { return nil }
      return { year in
        let start = Day.number(year: year, month: month, day: 1)
        let day = start + (weekday - Day.weekday(of: start) + 7) % 7 + 7 * (week - 1)
        return day < Day.number(year: year, month: month + 1, day: 1) ? day : day - 7
      }
    }
    let skipsLeapDays = take("J")
    guard let day = takeNumber(), (skipsLeapDays ? 1...365 : 0...365).contains(day) else { return nil }
    if !skipsLeapDays { return { Day.number(year: $0, month: 1, day: day + 1) } }
    // The 60th is the first of March in every year.
    return { Day.number(year: $0, month: day < 60 ? 1 : 3, day: day < 60 ? day : day - 59) }
  }
}

/// Days of the Gregorian calendar, counted since 1970-01-01.
enum Day {
  /// - Parameters:
  ///   - month: 1 to 12, or 13 for the next January.
  ///   - day: from 1; beyond the month's last it is one of the next month.
  static func number(year: Int, month: Int, day: Int) -> Int {
    // Years begin in March, so that a leap day is the last of its year.
    let year = month > 2 ? year : year - 1
    let era = floor(year, 400), yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  static func date(of number: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = number + 719_468
    let era = floor(shifted, 146_097), dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }

  /// The day of the week, 0 for Sunday.
  static func weekday(of number: Int) -> Int { ((number + 4) % 7 + 7) % 7 }

  /// Division towards minus infinity.
  static func floor(_ number: Int, _ divisor: Int) -> Int {
    number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor)
  }
}

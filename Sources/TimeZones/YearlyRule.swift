internal import Synchronization

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
    guard let parts = Self.format.withLock({ format in format.flatMap { text.wholeMatch(of: $0) }?.output }),
      let west = Self.seconds(parts.1, hours: 24), let otherWest = Self.seconds(parts.2 ?? "0", hours: 24)
    else { return nil }
    standard = -west
    guard let start = parts.3, let end = parts.4 else {
      other = nil
      return
    }
    guard let start = Self.change(start), let end = Self.change(end) else { return nil }
    other = (parts.2 == nil ? standard + 3600 : -otherWest, start, end)
  }

  private typealias Parts = (Substring, Substring, Substring?, Substring?, Substring?)

  /// Compiled once: that takes longer than to read a zone.
  private static let format: Mutex<Regex<Parts>?> = {
    // `CET` or `<+03>`, and `[+-]hh[:mm[:ss]]`
    let name = "(?:<[^>]*>|[A-Za-z]{3,})", time = "[-+]?[0-9]{1,4}(?::[0-9]{1,4}){0,2}"
    // `,M3.5.0/3`, `,J60` or `,59`
    let change = #",((?:M[0-9]{1,4}\.[0-9]{1,4}\.[0-9]{1,4}|J?[0-9]{1,4})(?:/\#(time))?)"#
    let format = try? Regex("\(name)(\(time))(?:\(name)(\(time))?\(change)\(change))?", as: Parts.self)
    return Mutex(format?.matchingSemantics(.unicodeScalar))
  }()

  private static func seconds(_ text: Substring, hours limit: Int) -> Int? {
    let numbers = text.split { "+-:".contains($0) }.compactMap { Int($0) }
    guard numbers[0] <= limit, numbers.dropFirst().allSatisfy({ $0 <= 59 }) else { return nil }
    let seconds = zip(numbers, [3600, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 }
    return text.hasPrefix("-") ? -seconds : seconds
  }

  private static func change(_ text: Substring) -> Change? {
    let parts = text.split(separator: "/")
    guard let day = day(parts[0]), let time = seconds(parts.count > 1 ? parts[1] : "2", hours: 167) else { return nil }
    return { day($0) * 86_400 + time }
  }

  /// The number of a day in each year.
  private static func day(_ text: Substring) -> Change? {
    let numbers = text.split { "JM.".contains($0) }.compactMap { Int($0) }, day = numbers[0]
    switch text.first {
    case "J":
      // Counted without leap days: the 60th is the first of March.
      guard (1...365).contains(day) else { return nil }
      return { Day.number(year: $0, month: day < 60 ? 1 : 3, day: day < 60 ? day : day - 59) }
    case "M":
      // The n-th weekday of a month, 5 for the last; Sunday is 0.
      let (month, week, weekday) = (numbers[0], numbers[1], numbers[2])
      guard (1...12).contains(month), (1...5).contains(week), weekday <= 6 else { return nil }
      return { year in
        let start = Day.number(year: year, month: month, day: 1)
        let day = start + (weekday - Day.weekday(of: start) + 7) % 7 + 7 * (week - 1)
        return day < Day.number(year: year, month: month + 1, day: 1) ? day : day - 7
      }
    default:
      guard day <= 365 else { return nil }
      return { Day.number(year: $0, month: 1, day: day + 1) }
    }
  }
}

/// Days of the Gregorian calendar, counted since 1970-01-01.
package enum Day {
  /// - Parameters:
  ///   - month: 1 to 12, or 13 for the next January.
  ///   - day: from 1; beyond the month's last it is one of the next month.
  package static func number(year: Int, month: Int, day: Int) -> Int {
    // Years begin in March, so that a leap day is the last of its year.
    let year = month > 2 ? year : year - 1
    let era = floor(year, 400), yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  package static func date(of number: Int) -> (year: Int, month: Int, day: Int) {
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
  package static func floor(_ number: Int, _ divisor: Int) -> Int {
    number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor)
  }
}

/// The offsets of every year after the last change that a zone's file lists, as POSIX writes them in `TZ`:
/// `CET-1CEST,M3.5.0,M10.5.0/3` (POSIX.1-2024, 8.3; RFC 9636, 3.3.1).
struct YearlyRule: Sendable, Equatable {
  /// Seconds east of UTC.
  let standard: Int
  /// Another offset for a part of each year; or `nil` if there is none.
  let other: Other?

  struct Other: Sendable, Equatable {
    let offset: Int
    let start, end: Change
  }

  /// When the offset changes, by the clock that is in use until then.
  struct Change: Sendable, Equatable {
    enum Day: Sendable, Equatable {
      /// Day 1 to 365, without leap days.
      case julian(Int)
      /// Day 0 to 365, with leap days.
      case zeroBased(Int)
      /// The n-th weekday of a month, 5 for the last; Sunday is 0.
      case weekday(month: Int, week: Int, weekday: Int)
    }

    let day: Day
    /// Seconds after midnight, within a week in both directions.
    let time: Int

    /// When it is in a year, in local seconds.
    func local(in year: Int) -> Int {
      let first = TimeZones.Day.number(year: year, month: 1, day: 1)
      let number: Int
      switch day {
      case .julian(let day):
        let march = TimeZones.Day.number(year: year, month: 3, day: 1)
        number = first + day - 1 + (day >= 60 && march - first == 60 ? 1 : 0)
      case .zeroBased(let day): number = first + day
      case .weekday(let month, let week, let weekday):
        let start = TimeZones.Day.number(year: year, month: month, day: 1)
        let end = TimeZones.Day.number(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1)
        let earliest = start + (weekday - TimeZones.Day.weekday(of: start) + 7) % 7
        let last = earliest + 7 * (week - 1)
        number = last < end ? last : last - 7
      }
      return number * 86_400 + time
    }
  }

  func offset(at seconds: Int) -> Int {
    guard let other else { return standard }
    let year = TimeZones.Day.date(of: TimeZones.Day.floor(seconds + standard, 86_400)).year
    let start = other.start.local(in: year) - standard
    let end = other.end.local(in: year) - other.offset
    let isOther = start < end ? start <= seconds && seconds < end : !(end <= seconds && seconds < start)
    return isOther ? other.offset : standard
  }
}

// MARK: Reading

extension YearlyRule {
  /// `nil` if this is no such text.
  init?(_ bytes: some Sequence<UInt8>) {
    var reader = Reader(rest: Array(bytes)[...])
    guard reader.skipName(), let offset = reader.time(hours: 24) else { return nil }
    standard = -offset
    if reader.rest.isEmpty {
      other = nil
      return
    }
    guard reader.skipName() else { return nil }
    var otherOffset = -offset + 3600
    if reader.rest.first != UInt8(ascii: ",") {
      guard let written = reader.time(hours: 24) else { return nil }
      otherOffset = -written
    }
    guard let start = reader.change(), let end = reader.change(), reader.rest.isEmpty else { return nil }
    other = Other(offset: otherOffset, start: start, end: end)
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest.removeFirst()
      return true
    }

    /// `CET` or `<+03>`
    mutating func skipName() -> Bool {
      if skip("<") {
        guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
        rest = rest[(end + 1)...]
        return true
      }
      let letters = rest.prefix { (0x41...0x5A).contains($0 & 0xDF) }
      rest = rest[letters.endIndex...]
      return letters.count >= 3
    }

    mutating func number(upTo limit: Int) -> Int? {
      let digits = rest.prefix(4).prefix { (0x30...0x39).contains($0) }
      let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
      rest = rest[digits.endIndex...]
      return digits.isEmpty || number > limit ? nil : number
    }

    /// `[+-]hh[:mm[:ss]]` in seconds.
    mutating func time(hours limit: Int) -> Int? {
      let isNegative = skip("-")
      if !isNegative { _ = skip("+") }
      guard var seconds = number(upTo: limit).map({ $0 * 3600 }) else { return nil }
      for unit in [60, 1] where skip(":") {
        guard let part = number(upTo: 59) else { return nil }
        seconds += part * unit
      }
      return isNegative ? -seconds : seconds
    }

    /// `,M3.5.0/3`, `,J60` or `,59`
    mutating func change() -> Change? {
      guard skip(","), let day = day() else { return nil }
      guard skip("/") else { return Change(day: day, time: 2 * 3600) }
      return time(hours: 167).map { Change(day: day, time: $0) }
    }

    private mutating func day() -> Change.Day? {
      if skip("J") { return number(upTo: 365).flatMap { $0 > 0 ? .julian($0) : nil } }
      guard skip("M") else { return number(upTo: 365).map { .zeroBased($0) } }
      guard let month = number(upTo: 12), month > 0, skip("."), let week = number(upTo: 5), week > 0, skip("."),
        let weekday = number(upTo: 6)
      else { return nil }
      return .weekday(month: month, week: week, weekday: weekday)
    }
  }
}

/// The offsets of every year after the last change that a zone's file lists, as POSIX writes them in `TZ`:
/// `CET-1CEST,M3.5.0,M10.5.0/3` (POSIX.1-2024, 8.3; RFC 9636, 3.3.1).
struct YearlyRule: Sendable {
  /// When the offset changes in a year, in seconds by the clock that is in use until then.
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
    other = (otherOffset, start, end)
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
      guard skip(","), let day = day(), let time = skip("/") ? time(hours: 167) : 2 * 3600 else { return nil }
      return { day($0) * 86_400 + time }
    }

    /// The number of a day in each year.
    private mutating func day() -> Change? {
      if skip("J") {
        // Counted without leap days: the 60th is the first of March.
        guard let day = number(upTo: 365), day > 0 else { return nil }
        return { Day.number(year: $0, month: day < 60 ? 1 : 3, day: day < 60 ? day : day - 59) }
      }
      guard skip("M") else {
        guard let day = number(upTo: 365) else { return nil }
        return { Day.number(year: $0, month: 1, day: day + 1) }
      }
      // The n-th weekday of a month, 5 for the last; Sunday is 0.
      guard let month = number(upTo: 12), month > 0, skip("."), let week = number(upTo: 5), week > 0, skip("."),
        let weekday = number(upTo: 6)
      else { return nil }
      return { year in
        let start = Day.number(year: year, month: month, day: 1)
        let day = start + (weekday - Day.weekday(of: start) + 7) % 7 + 7 * (week - 1)
        return day < Day.number(year: year, month: month + 1, day: 1) ? day : day - 7
      }
    }
  }
}

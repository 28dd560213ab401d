public import Platform

/// A value that has an order: a number, a date, a time, or a local date and time.
///
/// Dates and times have HTML’s formats: `2025-01-31`, `09:30`, `2025-01-31T09:30`. As the bound of a range it may also be
/// `now` or `today`, and perhaps a duration before or after it: `now+30d`; or a date and time with its offset from UTC:
/// `2025-01-31T09:30+01:00`.
///
/// ```swift
/// [Rule.range(max: "today+1w"), .range(min: try Quantity(text))]
/// ```
public struct Quantity: Sendable {
  package enum Form: String, Sendable { case number, date, time, dateTime }

  private enum Key: Sendable {
    case number(ExactNumber)
    /// A date, a time, or a date and time: milliseconds since 1970, or since midnight, by some local clock.
    case local(Int)
    /// A date and time with its offset, in milliseconds since 1970 in UTC.
    case instant(Int)
    /// A bound that depends on the time of the verdict.
    case relative(RelativeBound)
  }

  /// As it was written.
  public let text: String
  let form: Form
  private let key: Key

  /// `nil` if the text is not of this form.
  init?(_ text: String, form: Form) {
    let key =
      form == .number
      ? ExactNumber(text).map(Key.number) : Calendar.milliseconds(text.utf8[...], as: form).map(Key.local)
    guard let key else { return nil }
    self.text = text
    self.form = form
    self.key = key
  }

  /// The first form that fits the text.
  ///
  /// - Throws: `PlainError` if none does.
  public init(_ text: String) throws(PlainError) {
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
    guard let offset, let milliseconds = Calendar.milliseconds(local, as: .dateTime) else {
      let remedy = "write it like 10, 2025-01-31, 09:30, 2025-01-31T09:30 or now+30d"
      throw PlainError("“\(text)” is neither a number nor a date nor a time; \(remedy)")
    }
    self.init(instant: milliseconds - offset * 1000, writtenAs: text)
  }

  /// True if both are the same local date and time, however they are written.
  package static func areSameTime(_ one: String, _ other: String) -> Bool {
    guard let one = Quantity(one, form: .dateTime), let other = Quantity(other, form: .dateTime) else { return false }
    return one.compared(to: other) == 0
  }

  /// A number.
  init(_ number: ExactNumber) { self.init(number.text, .number, .number(number)) }

  /// A moment in milliseconds since 1970 in UTC.
  init(instant: Int, writtenAs text: String) { self.init(text, .dateTime, .instant(instant)) }

  private init(_ text: String, _ form: Form, _ key: Key) {
    self.text = text
    self.form = form
    self.key = key
  }

  /// The forms with which it may be compared: `today` with dates, and with dates and times.
  var forms: [Form] { relative?.base == .today ? [.date, .dateTime] : [form] }

  /// `now` or `today` with a duration; or `nil` for anything else.
  var relative: RelativeBound? { if case .relative(let bound) = key { bound } else { nil } }

  /// True if it is a date and time with its offset.
  var hasOffset: Bool { if case .instant = key { true } else { false } }

  /// -1, 0 or 1; both are of the same form. If that depends on the time of the verdict, it is 0.
  func compared(to other: Quantity) -> Int {
    switch (key, other.key) {
    case (.number(let a), .number(let b)): a < b ? -1 : a == b ? 0 : 1
    case (.local(let a), .local(let b)), (.instant(let a), .instant(let b)): a < b ? -1 : a == b ? 0 : 1
    case (.relative(let a), .relative(let b)): a.isBeyond(b) ? 1 : 0
    default: 0
    }
  }
}

extension Quantity: ExpressibleByStringLiteral {
  /// A quantity that is written in the program; any other text is a mistake in it, which traps.
  public init(stringLiteral text: String) {
    do throws(PlainError) { try self.init(text) } catch { preconditionFailure("\(error)") }
  }
}

// MARK: As a bound in a time zone

extension Quantity {
  /// The position of this bound among dates, in milliseconds by the local clock, or among moments, in milliseconds of
  /// UTC; both since 1970.
  ///
  /// If a local time occurs twice, the earlier one counts as a minimum and the later one as a maximum.
  func position(among form: Form, at now: Timestamp, in zone: Zone, isMinimum: Bool) -> Int {
    switch key {
    case .instant(let milliseconds): return milliseconds
    case .relative(let bound): return bound.position(among: form, at: now, in: zone, isMinimum: isMinimum)
    case .local(let local) where form == .dateTime:
      let seconds = Day.floor(local, 1000)
      return zone.seconds(ofLocal: seconds, later: !isMinimum) * 1000 + local - seconds * 1000
    case .local(let local): return local
    case .number: return 0
    }
  }

  /// In words for a person in a time zone.
  func words(among form: Form, at now: Timestamp, in zone: Zone) -> String {
    switch key {
    case .number, .local: return text
    case .relative, .instant:
      let position = position(among: form, at: now, in: zone, isMinimum: false)
      return form == .date
        ? Calendar.text(ofDay: position / Calendar.millisecondsOfDay)
        : ZonedTime(Timestamp(milliseconds: Int64(position)), in: zone).localText
    }
  }
}

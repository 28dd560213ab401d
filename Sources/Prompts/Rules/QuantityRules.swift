internal import StrictJSON

/// `integer`: `-?[0-9]+`, at most 34 digits.
struct IntegerRule: PlainCondition, TextCondition {
  static let name = "integer"

  func isMet(by text: String) -> Bool {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    return (1...ExactNumber.maximumDigits).contains(digits.count) && digits.allSatisfy(ASCII.isDigit)
  }
  /// A sign and 34 digits.
  func narrow(_ premise: inout Premise) { premise.limit(to: 35) }

  func sentence(for reader: Audience) -> Sentence { .integer }
  func schema(of texts: RawTextContext) -> JSON? { texts.matching("-?[0-9]{1,34}") }
}

/// `number`: a decimal number (see `ExactNumber` for the grammar).
struct NumberRule: PlainCondition, TextCondition {
  static let name = "number"

  func isMet(by text: String) -> Bool { ExactNumber(text) != nil }
  func sentence(for reader: Audience) -> Sentence { .number }

  func schema(of texts: RawTextContext) -> JSON? {
    let number = texts.matching(
      #"-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?0*(?:[0-9]{1,2}|[12][0-9]{2}|30[0-8]))?"#)
    // It begins with a digit too many.
    return .all([number, texts.notBeginning(with: #"-?(?:\.?[0-9]){35}"#)])
  }
}

/// `date`: HTML's valid date string, `2025-01-31`, years 0001 to 9999. In the zone of the person who answers, its name may
/// follow: `2025-01-31[Europe/Berlin]`.
struct DateRule: ZonedCondition {
  static let name = "date"
  static let arguments = [Argument("timeZone", \Self.timeZone)]

  var timeZone: Field.TimeZone?

  func judge(_ input: Input, of rule: Rule, in context: Context) -> Finding {
    guard case .text(let text) = input else { return .unmet(rule) }
    guard let timeZone else { return Quantity(text, form: .date) != nil ? .met : .unmet(rule) }
    let parts = ZonedTime.Parts(text, in: timeZone)
    guard parts.offset == nil, parts.expectedZone == nil, Calendar.day(parts.local) != nil else { return .unmet(rule) }
    return parts.zone != nil ? .met : .unmet(rule, saying: context.sentences(.unknownZone))
  }

  /// Only the person's zone has to be named beside a date, to know which day it is there.
  func depends(on timeZone: Field.TimeZone) -> Bool { timeZone == .person }

  func narrow(_ premise: inout Premise) { premise.limit(to: timeZone == nil ? "2025-01-31".utf8.count : 200) }
  func sentence(for reader: Audience) -> Sentence { .date }
  func schema(of texts: RawTextContext) -> JSON? {
    timeZone == nil || texts.areAnswers ? texts.matching(DatePattern.date) : nil
  }
}

/// `time`: HTML's valid time string, `09:30`, `09:30:15` or `09:30:15.250`.
struct TimeRule: PlainCondition, TextCondition {
  static let name = "time"

  func isMet(by text: String) -> Bool { Quantity(text, form: .time) != nil }
  func narrow(_ premise: inout Premise) { premise.limit(to: "09:30:15.250".utf8.count) }
  func sentence(for reader: Audience) -> Sentence { .time }
  func schema(of texts: RawTextContext) -> JSON? { texts.matching(DatePattern.time) }
}

/// `dateTime`: HTML's valid local date and time string, `2025-01-31T09:30`. In a time zone it must occur there; see
/// `ZonedTime`.
struct DateTimeRule: ZonedCondition {
  static let name = "dateTime"
  static let arguments = [Argument("timeZone", \Self.timeZone)]

  var timeZone: Field.TimeZone?

  func judge(_ input: Input, of rule: Rule, in context: Context) -> Finding {
    guard case .text(let text) = input else { return .unmet(rule) }
    guard let timeZone else { return Quantity(text, form: .dateTime) != nil ? .met : .unmet(rule) }
    do {
      _ = try ZonedTime(text, in: timeZone)
      return .met
    } catch {
      switch error {
      case .form: return .unmet(rule)
      case .zone where timeZone == .person: return .unmet(rule, saying: context.sentences(.unknownZone))
      // It was there when the definition was read.
      case .zone: return .unchecked
      case .otherZone(let name):
        let sentences = context.sentences
        return .unmet(rule, saying: "\(sentences(.dateTime)) (\(sentences(.timeZone(name))))")
      case .skipped(let from, let to): return .unmet(rule, saying: context.sentences(.skippedTime(from, to)))
      case .offset(let offset): return .unmet(rule, saying: context.sentences(.otherOffset(offset)))
      }
    }
  }

  func narrow(_ premise: inout Premise) {
    premise.limit(to: timeZone == nil ? "2025-01-31T09:30:15.250".utf8.count : 200)
  }
  func sentence(for reader: Audience) -> Sentence { .dateTime }

  func schema(of texts: RawTextContext) -> JSON? {
    if timeZone != nil { return texts.areAnswers ? .keyword("format", .string("date-time")) : nil }
    return texts.matching("\(DatePattern.date)[T ]\(DatePattern.time)")
  }
}

/// HTML’s formats as patterns, the Gregorian calendar included.
private enum DatePattern {
  static let date: String = {
    let year = "(?:[0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)"
    let days =
      "(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))"
    let fourth = "(?:0[48]|[2468][048]|[13579][26])"
    return "(?:\(year)-\(days)|(?:[0-9]{2}\(fourth)|\(fourth)00)-02-29)"
  }()

  static let time = #"(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,3})?)?"#
}

/// `range`: within two bounds, compared exactly or by calendar. The bounds' form says what is compared.
///
/// In a time zone it compares moments, and its bounds may be relative to the time of the verdict.
struct RangeRule: BoundedCondition, ZonedCondition {
  static let name = "range"
  static let arguments = [
    Argument("min", \Self.min), Argument("max", \Self.max), Argument("timeZone", \Self.timeZone),
  ]
  static let example = "{min: 0, max: 10}"

  var min, max: Quantity?
  var timeZone: Field.TimeZone?

  static func fault(_ min: Quantity, _ max: Quantity) -> FaultReason? {
    if !min.forms.contains(where: max.forms.contains) { return .incomparableBounds(min: min.text, max: max.text) }
    return min.compared(to: max) > 0 ? .swappedBounds(min: min.text, max: max.text) : nil
  }

  /// What it can be a range of: `today` is a bound of dates, and of dates and times.
  private var forms: [Quantity.Form] {
    guard let min, let max else { return (min ?? max)?.forms ?? [] }
    return min.forms.filter(max.forms.contains)
  }

  private var form: Quantity.Form { forms.first ?? .number }

  /// Whether it depends on the time when somebody asks.
  var isRelative: Bool { min?.relative != nil || max?.relative != nil }

  /// Whether it can judge nothing without a time zone, and has none.
  var lacksTimeZone: Bool { timeZone == nil && (isRelative || min?.hasOffset == true || max?.hasOffset == true) }

  func depends(on timeZone: Field.TimeZone) -> Bool {
    isRelative || forms.contains(.dateTime) || timeZone == .person && forms.contains(.date)
  }

  func judge(_ input: Input, of rule: Rule, in context: Context) -> Finding {
    guard case .text(let text) = input else { return .unmet(rule) }
    if let timeZone { return judge(text, in: timeZone, of: rule, in: context) }
    return lacksTimeZone ? .unchecked : isMet(by: text) ? .met : .unmet(rule)
  }

  private func judge(
    _ text: String, in timeZone: Field.TimeZone, of rule: Rule, in context: Context
  ) -> Finding {
    let now = context.now
    func unmet(_ form: Quantity.Form, _ words: (Quantity) -> String) -> Finding {
      // A message of the author's own needs no bounds.
      .unmet(rule, saying: rule.message ?? context.sentences(.range(form, min.map(words), max.map(words))))
    }
    if forms.contains(.dateTime), let moment = try? ZonedTime(text, in: timeZone) {
      let low = min?.milliseconds(at: now, in: moment.zone, isMinimum: true) ?? .min
      let high = max?.milliseconds(at: now, in: moment.zone, isMinimum: false) ?? .max
      return low <= moment.milliseconds && moment.milliseconds <= high
        ? .met : unmet(.dateTime) { $0.words(at: now, in: moment.zone) }
    }
    let parts = ZonedTime.Parts(text, in: timeZone)
    guard forms.contains(.date), let zone = parts.zone, let day = Calendar.day(parts.local) else {
      return .unmet(rule)
    }
    let bounds = [min, max].map { $0.flatMap { Calendar.day($0.date(at: now, in: zone).utf8[...]) } }
    return day >= bounds[0] ?? .min && day <= bounds[1] ?? .max
      ? .met : unmet(.date) { $0.date(at: now, in: zone) }
  }

  private func isMet(by text: String) -> Bool {
    guard let value = Quantity(text, form: (min ?? max)?.form ?? .number) else { return false }
    if let min, value.compared(to: min) < 0 { return false }
    if let max, value.compared(to: max) > 0 { return false }
    return true
  }

  /// Bounds that move are said by the verdict.
  func sentence(for reader: Audience) -> Sentence { isRelative ? .not : .range(form, min?.text, max?.text) }

  func fault(in field: Field, of fields: [Field]) -> FaultReason? {
    if let fault = field.faultOfTimeZone(timeZone, in: Self.name) { return fault }
    let relative = min?.relative ?? max?.relative
    if let quantity = field.kind.quantity, !forms.contains(quantity) {
      return .boundsOfOtherForm(field.kind, isRelative: relative != nil)
    }
    if field.timeZone != nil { return nil }
    if let relative { return .relativeWithoutTimeZone(relative.base) }
    return lacksTimeZone ? .offsetWithoutTimeZone : nil
  }
}

/// `step`: a whole number of steps from a start, exactly: 0.3 is a step of 0.1.
struct StepRule: PlainCondition, TextCondition {
  static let name = "step"
  static let arguments = [
    Argument(
      "of", \Self.of, isShorthand: true, needs: ("`of`", "write it like `step: {of: 0.5}`"),
      check: { $0.sign > 0 ? nil : .stepNotPositive }),
    Argument("from", \Self.from),
  ]

  var of = ExactNumber.zero
  /// Where steps are counted from, or `nil` for 0.
  var from: ExactNumber?

  func isMet(by text: String) -> Bool {
    guard let value = ExactNumber(text) else { return false }
    return value.isWholeNumber(of: of, from: from ?? .zero)
  }

  func sentence(for reader: Audience) -> Sentence {
    .step(of: of.text, from: from.flatMap { $0.sign == 0 ? nil : $0.text })
  }
}

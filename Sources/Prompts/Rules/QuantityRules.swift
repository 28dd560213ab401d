internal import StrictJSON

/// `integer`: `-?[0-9]+`, at most 34 digits.
struct IntegerRule: PlainCondition, TextCondition {
  static let name = "integer"

  func isMet(by text: String) -> Bool { NumberReader.isInteger(text) }
  /// A sign and 34 digits.
  func narrow(_ premise: inout Premise) { premise.limit(to: 35) }

  func sentence(for reader: Audience) -> Sentence { .integer }
  func schema(of texts: SentTexts) -> JSON? { texts.matching("-?[0-9]{1,34}") }
}

/// `number`: a decimal number (see `ExactNumber` for the grammar).
struct NumberRule: PlainCondition, TextCondition {
  static let name = "number"

  func isMet(by text: String) -> Bool { ExactNumber(text) != nil }
  func sentence(for reader: Audience) -> Sentence { .number }

  func schema(of texts: SentTexts) -> JSON? {
    let number = texts.matching(
      #"-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?0*(?:[0-9]{1,2}|[12][0-9]{2}|30[0-8]))?"#)
    // It begins with a digit too many.
    return .all([number, texts.notBeginning(with: #"-?(?:\.?[0-9]){35}"#)])
  }
}

/// `date`: HTML's valid date string, `2025-01-31`, years 0001 to 9999. In the zone of the person who answers, its name may
/// follow: `2025-01-31[Europe/Berlin]`.
struct DateRule: ZonedForm {
  static let name = "date"

  let timeZone: Field.TimeZone?

  init(timeZone: Field.TimeZone? = nil) { self.timeZone = timeZone }

  func judge(_ input: Input, of rule: Rule, in context: Context) -> Finding {
    guard case .text(let text) = input else { return .unmet(rule) }
    guard let timeZone else { return Quantity(text, form: .date) != nil ? .met : .unmet(rule) }
    let parts = ZonedTime.Parts(text, in: timeZone)
    guard parts.offset == nil, parts.expectedZone == nil, Calendar.date(parts.local) != nil else { return .unmet(rule) }
    return parts.zone != nil ? .met : .unmet(rule, saying: context.sentences(.unknownZone))
  }

  /// Only the person's zone has to be named beside a date, to know which day it is there.
  func inTimeZone(_ timeZone: Field.TimeZone) -> DateRule {
    timeZone == .person ? DateRule(timeZone: timeZone) : self
  }

  func narrow(_ premise: inout Premise) { premise.limit(to: timeZone == nil ? "2025-01-31".utf8.count : 200) }
  func sentence(for reader: Audience) -> Sentence { .date }
  func schema(of texts: SentTexts) -> JSON? {
    timeZone == nil || texts.areAnswers ? texts.matching(DatePattern.date) : nil
  }
}

/// `time`: HTML's valid time string, `09:30`, `09:30:15` or `09:30:15.250`.
struct TimeRule: PlainCondition, TextCondition {
  static let name = "time"

  func isMet(by text: String) -> Bool { Quantity(text, form: .time) != nil }
  func narrow(_ premise: inout Premise) { premise.limit(to: "09:30:15.250".utf8.count) }
  func sentence(for reader: Audience) -> Sentence { .time }
  func schema(of texts: SentTexts) -> JSON? { texts.matching(DatePattern.time) }
}

/// `dateTime`: HTML's valid local date and time string, `2025-01-31T09:30`. In a time zone it must occur there; see
/// `ZonedTime`.
struct DateTimeRule: ZonedForm {
  static let name = "dateTime"

  let timeZone: Field.TimeZone?

  init(timeZone: Field.TimeZone? = nil) { self.timeZone = timeZone }

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

  func schema(of texts: SentTexts) -> JSON? {
    if timeZone != nil { return texts.areAnswers ? .keyword("format", .string("date-time")) : nil }
    return texts.matching("\(DatePattern.date)[T ]\(DatePattern.time)")
  }
}

/// A condition whose only argument is the time zone that a text is in; the zone of its field, if it has one.
protocol ZonedForm: ZonedCondition {
  init(timeZone: Field.TimeZone?)
}

extension ZonedForm {
  static var keys: [String] { ["timeZone"] }
  static var needsArguments: Bool { false }

  init?(_ arguments: Mapping, _ reading: inout Reading) {
    let timeZone = reading.timeZone(arguments["timeZone"])
    if arguments["timeZone"] != nil, timeZone == nil { return nil }
    self.init(timeZone: timeZone)
  }

  func inTimeZone(_ timeZone: Field.TimeZone) -> Self { Self(timeZone: timeZone) }
  func write(to json: inout JSONWriter, for reader: Audience) { json.member("timeZone", ifPresent: timeZone?.word) }

  func fault(in field: Field, of fields: [Field]) -> (what: String, remedy: String)? {
    field.faultOfTimeZone(timeZone, in: Self.name)
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
struct RangeRule: ZonedCondition {
  static let name = "range"
  static var keys: [String] { ["min", "max", "timeZone"] }

  let min: Quantity?
  let max: Quantity?
  /// `nil` if texts are compared as they are.
  let timeZone: Field.TimeZone?

  /// What it can be a range of: `today` is a bound of dates, and of dates and times.
  private let forms: [Quantity.Form]

  init(min: Quantity?, max: Quantity?, timeZone: Field.TimeZone? = nil) {
    (self.min, self.max, self.timeZone) = (min, max, timeZone)
    let (low, high) = (min?.forms ?? max?.forms ?? [], max?.forms ?? min?.forms ?? [])
    forms = low.filter(high.contains)
  }

  init?(_ arguments: Mapping, _ reading: inout Reading) {
    let (low, high) = (arguments["min"], arguments["max"])
    if low == nil, high == nil {
      reading.report(
        "`range` needs `min`, `max` or both", "write it like `range: {min: 0, max: 10}`", at: arguments.place)
      return nil
    }
    let (min, max) = (Self.bound(low, "min", &reading), Self.bound(high, "max", &reading))
    if low != nil && min == nil || high != nil && max == nil { return nil }
    let timeZone = reading.timeZone(arguments["timeZone"])
    if arguments["timeZone"] != nil, timeZone == nil { return nil }
    if let min, let max, !min.forms.contains(where: max.forms.contains) {
      reading.report(
        "`min` \(min.text) and `max` \(max.text) cannot be compared",
        "make both numbers, both dates, both times or both dates with times", at: arguments.place)
      return nil
    }
    if let min, let max, min.compared(to: max) > 0 {
      reading.report("`min` \(min.text) is greater than `max` \(max.text)", "swap them", at: arguments.place)
      return nil
    }
    self.init(min: min, max: max, timeZone: timeZone)
  }

  private static func bound(_ node: Node?, _ key: String, _ reading: inout Reading) -> Quantity? {
    guard let node, let text = reading.string(node, key, orLiteral: true) else { return nil }
    if let quantity = Quantity(text) { return quantity }
    if RelativeBound.isMeant(by: text) {
      reading.report("`\(key)` `\(text)` is no moment", RelativeBound.remedy, at: node.place)
      return nil
    }
    reading.report(
      "`\(key)` `\(text)` is neither a number nor a date nor a time",
      "write it like 10, 2025-01-31, 09:30 or 2025-01-31T09:30", at: node.place)
    return nil
  }

  private var form: Quantity.Form { forms.first ?? .number }

  /// Whether it depends on the time when somebody asks.
  var isRelative: Bool { min?.relative != nil || max?.relative != nil }

  /// Whether it can judge nothing without a time zone, and has none.
  var lacksTimeZone: Bool { timeZone == nil && (isRelative || min?.hasOffset == true || max?.hasOffset == true) }

  /// The same for a field in a time zone.
  func inTimeZone(_ timeZone: Field.TimeZone) -> RangeRule {
    let needsZone = isRelative || forms.contains(.dateTime) || timeZone == .person && forms.contains(.date)
    return needsZone ? RangeRule(min: min, max: max, timeZone: timeZone) : self
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
    guard forms.contains(.date), let zone = parts.zone, let date = Calendar.date(parts.local) else {
      return .unmet(rule)
    }
    let bounds = [min, max].map { $0.flatMap { Calendar.date($0.date(at: now, in: zone).utf8[...]) } }
    return date >= bounds[0] ?? .min && date <= bounds[1] ?? .max
      ? .met : unmet(.date) { $0.date(at: now, in: zone) }
  }

  private func isMet(by text: String) -> Bool {
    guard let value = Quantity(text, form: form) else { return false }
    if let min, value.compared(to: min) < 0 { return false }
    if let max, value.compared(to: max) > 0 { return false }
    return true
  }

  func write(to json: inout JSONWriter, for reader: Audience) {
    json.member("min", ifPresent: min?.text)
    json.member("max", ifPresent: max?.text)
    json.member("timeZone", ifPresent: timeZone?.word)
  }

  /// Bounds that move are said by the verdict.
  func sentence(for reader: Audience) -> Sentence { isRelative ? .not : .range(form, min?.text, max?.text) }
  var messageDependsOnTime: Bool { timeZone != nil }

  func fault(in field: Field, of fields: [Field]) -> (what: String, remedy: String)? {
    if let fault = field.faultOfTimeZone(timeZone, in: Self.name) { return fault }
    let moving = [min, max].compactMap { $0?.relative }.first
    if let own = field.kind.quantity, !forms.contains(own) {
      switch (own, moving) {
      case (.date, _?):
        return ("`now` is a time of day too, and this field is a date", "write `today`, or make the kind `dateTime`")
      case (.time, _?):
        return ("a time of day alone is neither before nor after `now`", "make the kind `dateTime`")
      default:
        return (
          "the bounds of `range` are no `\(field.kind.rawValue)`",
          "write bounds that \(field.kind.withArticle) field can hold"
        )
      }
    }
    if field.timeZone != nil { return nil }
    if let moving {
      return (
        "`\(moving.base.rawValue)` depends on the time zone, and this field has none",
        "add `timeZone: Europe/Berlin` or another to the field, or `timeZone: person` for that of the person who answers"
      )
    }
    if min?.hasOffset == true || max?.hasOffset == true {
      return (
        "a bound has an offset from UTC, and this field has no time zone",
        "remove the offset, or add `timeZone` to the field"
      )
    }
    return nil
  }
}

/// `step`: a whole number of steps from a start, exactly: 0.3 is a step of 0.1.
struct StepRule: TextCondition {
  static let name = "step"
  static var keys: [String] { ["of", "from"] }
  static var shorthand: String? { "of" }

  let of: ExactNumber
  /// Where steps are counted from, or `nil` for 0.
  let from: ExactNumber?

  init(of: ExactNumber, from: ExactNumber?) { (self.of, self.from) = (of, from) }

  init?(_ arguments: Mapping, _ reading: inout Reading) {
    guard let node = arguments["of"] else {
      reading.report("`step` needs `of`", "write it like `step: {of: 0.5}`", at: arguments.place)
      return nil
    }
    let (of, from) = (Self.number(node, "of", &reading), Self.number(arguments["from"], "from", &reading))
    if of == nil || arguments["from"] != nil && from == nil { return nil }
    guard let of, of.sign > 0 else {
      reading.report("a step must be greater than 0", "write it like `step: {of: 0.5}`", at: node.place)
      return nil
    }
    (self.of, self.from) = (of, from)
  }

  private static func number(_ node: Node?, _ key: String, _ reading: inout Reading) -> ExactNumber? {
    guard let node, let text = reading.string(node, key, orLiteral: true) else { return nil }
    if let number = ExactNumber(text) { return number }
    reading.report("`\(key)` `\(text)` is not a number", "write it like 1, 0.5 or 1e3", at: node.place)
    return nil
  }

  func isMet(by text: String) -> Bool {
    guard let value = ExactNumber(text) else { return false }
    return value.isWholeNumber(of: of, from: from ?? .zero)
  }

  func write(to json: inout JSONWriter, for reader: Audience) {
    json.member("of", of.text)
    json.member("from", ifPresent: from?.text)
  }

  func sentence(for reader: Audience) -> Sentence {
    .step(of: of.text, from: from.flatMap { $0.sign == 0 ? nil : $0.text })
  }
}

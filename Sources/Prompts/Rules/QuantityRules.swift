internal import Base
internal import Pattern
internal import StrictJSON
internal import TimeZones

extension TextCondition {
  /// As usual, but a comma that could also group thousands gets a message that says both ways to write the number.
  fileprivate func judge(number input: Input, of rule: Rule, in context: Context) -> Finding {
    guard case .text(let text) = input else { return .unmet(rule) }
    if isMet(by: text) { return .met }
    guard let numeral = Numeral(text), numeral.isAmbiguous else { return .unmet(rule) }
    return .unmet(rule, saying: context.sentences(.grouped(numeral.ungrouped, numeral.plain)))
  }
}

/// `integer`: `-?[0-9]+`, at most 34 digits.
struct IntegerRule: TextCondition {
  static let name = "integer"

  func isMet(by text: String) -> Bool {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    return (1...ExactNumber.maximumDigits).contains(digits.count) && digits.allSatisfy(ASCII.isDigit)
  }

  func judge(_ input: Input, of rule: Rule, in context: Context) -> Finding {
    judge(number: input, of: rule, in: context)
  }

  /// A sign and 34 digits.
  func narrow(_ premise: inout Premise) { premise.limit(to: 35) }
  var lengths: (min: Int, max: Int) { (1, 35) }
  var shape: PatternSyntax? { Self.form.syntax }
  var core: PatternSyntax? { shape }
  private static let form = try! Pattern("-?[0-9]{1,34}")

  func schema(of texts: RawTextContext) -> JSON? { texts.matching(Self.form.source) }
}

/// `number`: a decimal number (see `ExactNumber` for the grammar).
struct NumberRule: TextCondition {
  static let name = "number"

  func isMet(by text: String) -> Bool { ExactNumber(text) != nil }
  var lengths: (min: Int, max: Int) { (1, .max) }
  var shape: PatternSyntax? { Self.form.syntax }
  /// Every integer is a number.
  var core: PatternSyntax? { IntegerRule().core }
  private static let form = try! Pattern(ExactNumber.form)

  func judge(_ input: Input, of rule: Rule, in context: Context) -> Finding {
    judge(number: input, of: rule, in: context)
  }

  func schema(of texts: RawTextContext) -> JSON? {
    // `form` allows any number of digits, so also refuse a text that begins with 35 of them.
    .all([texts.matching(ExactNumber.form), texts.notBeginning(with: #"-?(?:\.?[0-9]){35}"#)])
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
    guard parts.offset == nil, parts.expectedZone == nil, Calendar.milliseconds(parts.local, as: .date) != nil
    else { return .unmet(rule) }
    return parts.zone != nil ? .met : .unmet(rule, saying: context.sentences(.unknownZone))
  }

  /// Only the person's zone has to be named beside a date, to know which day it is there.
  func depends(on timeZone: Field.TimeZone) -> Bool { timeZone == .person }

  func narrow(_ premise: inout Premise) { premise.limit(to: timeZone == nil ? "2025-01-31".utf8.count : 200) }
  var lengths: (min: Int, max: Int) { timeZone == nil ? (10, 10) : (0, .max) }
  var shape: PatternSyntax? { Calendar.shape(of: .date, isZoned: timeZone != nil) }
  var core: PatternSyntax? { timeZone == nil ? shape : nil }
  func schema(of texts: RawTextContext) -> JSON? {
    timeZone == nil || texts.areAnswers ? texts.matching(Calendar.date) : nil
  }
}

/// `time`: HTML's valid time string, `09:30`, `09:30:15` or `09:30:15.250`.
struct TimeRule: TextCondition {
  static let name = "time"

  func isMet(by text: String) -> Bool { Quantity(text, form: .time) != nil }
  func narrow(_ premise: inout Premise) { premise.limit(to: "09:30:15.250".utf8.count) }
  var lengths: (min: Int, max: Int) { (5, 12) }
  var shape: PatternSyntax? { Calendar.shape(of: .time, isZoned: false) }
  var core: PatternSyntax? { shape }
  func schema(of texts: RawTextContext) -> JSON? { texts.matching(Calendar.time) }
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

  var lengths: (min: Int, max: Int) { timeZone == nil ? (16, 23) : (0, .max) }
  var shape: PatternSyntax? { Calendar.shape(of: .dateTime, isZoned: timeZone != nil) }
  var core: PatternSyntax? { timeZone == nil ? shape : nil }

  func schema(of texts: RawTextContext) -> JSON? {
    if timeZone != nil { return texts.areAnswers ? .keyword("format", .string("date-time")) : nil }
    return texts.matching(Calendar.dateTime)
  }
}

/// `range`: within two bounds, compared exactly or by calendar. The bounds' form says what is compared.
///
/// In a time zone it compares moments, and its bounds may be relative to the time of the verdict.
struct RangeRule: BoundedCondition, ZonedCondition, DependentCondition {
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

  /// The forms of which it can be a range: `today` is a bound of dates, and of dates and times.
  private var forms: [Quantity.Form] {
    guard let min, let max else { return (min ?? max)?.forms ?? [] }
    return min.forms.filter(max.forms.contains)
  }

  private var form: Quantity.Form { forms.first ?? .number }

  /// True if it depends on the time of the verdict.
  private var isRelative: Bool { min?.relative != nil || max?.relative != nil }

  /// True if it can judge nothing without a time zone, and has none.
  private var lacksTimeZone: Bool {
    timeZone == nil && (isRelative || min?.hasOffset == true || max?.hasOffset == true)
  }

  var dependency: Dependency? {
    isRelative || timeZone != nil || lacksTimeZone ? .time(isRelative: isRelative, lacksZone: lacksTimeZone) : nil
  }

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
    let (value, form, zone): (Int, Quantity.Form, Zone)
    let parts = ZonedTime.Parts(text, in: timeZone)
    if forms.contains(.dateTime), let moment = try? ZonedTime(text, in: timeZone) {
      (value, form, zone) = (moment.milliseconds, .dateTime, moment.zone)
    } else if forms.contains(.date), let there = parts.zone, let day = Calendar.milliseconds(parts.local, as: .date) {
      (value, form, zone) = (day, .date, there)
    } else {
      return .unmet(rule)
    }
    func position(_ bound: Quantity?, isMinimum: Bool) -> Int? {
      bound?.position(among: form, at: context.now, in: zone, isMinimum: isMinimum)
    }
    if position(min, isMinimum: true) ?? .min <= value, value <= position(max, isMinimum: false) ?? .max { return .met }
    // A message of the author's own needs no bounds.
    let words = { (bound: Quantity?) in bound?.words(among: form, at: context.now, in: zone) }
    return .unmet(rule, saying: rule.message?.revealed ?? context.sentences(.range(form, words(min), words(max))))
  }

  private func isMet(by text: String) -> Bool {
    guard let value = Quantity(text, form: (min ?? max)?.form ?? .number) else { return false }
    return value.compared(to: min ?? value) >= 0 && value.compared(to: max ?? value) <= 0
  }

  /// If a bound is relative, `judge` composes the message.
  func sentence(for reader: Audience) -> Sentence {
    if form == .number, (min == nil) != (max == nil), let bound = (min ?? max).flatMap({ ExactNumber($0.text) }),
      let excluded = bound.excluded(isLower: max == nil)
    {
      return .beyond(excluded.exactLiteral, isLower: max == nil)
    }
    return isRelative ? .not : .range(form, min?.text, max?.text)
  }

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
struct StepRule: TextCondition {
  static let name = "step"
  static let arguments = [
    Argument(
      "of", \Self.of, isShorthand: true, needs: ("`of`", "write it like `step: {of: 0.5}`"),
      check: { $0.sign > 0 ? nil : .stepNotPositive }),
    Argument("from", \Self.from),
  ]

  var of = ExactNumber.zero
  /// The value from which steps are counted, or `nil` for 0.
  var from: ExactNumber?

  func isMet(by text: String) -> Bool {
    guard let value = ExactNumber(text) else { return false }
    return value.isWholeNumber(of: of, from: from ?? .zero)
  }

  func sentence(for reader: Audience) -> Sentence {
    .step(of: of.text, from: from.flatMap { $0.sign == 0 ? nil : $0.text })
  }
}

/// `compare`: less or greater than another field's value, by kind.
///
/// If the other field holds no value of its kind, there is nothing to compare with and the rule is met: that field's own
/// rules report it.
struct Compare: DependentCondition, ZonedCondition {
  static let name = "compare"
  static let arguments = [
    Argument(
      "field", \Self.field,
      needs: ("the name of a field", "write it like `compare: {field: start, is: greater}`")),
    Argument(
      "is", \Self.order, needs: ("`is`", Nearest.remedy(for: "", among: Rule.Order.allCases.map(\.rawValue)))),
    Argument("timeZone", \Self.timeZone),
  ]

  var field = ""
  var order = Rule.Order.less
  var dependency: Dependency? { .field(field) }
  var timeZone: Field.TimeZone?

  func judge(_ input: Input, of rule: Rule, in context: Context) -> Finding {
    guard case .text(let text) = input, let value = context.field?.quantity(text) else {
      return .unmet(rule)
    }
    guard case .text(let otherText)? = context.input(of: field),
      let other = context.fields.named(field)?.quantity(otherText)
    else { return .met }
    return order.holds(value.compared(to: other)) ? .met : .unmet(rule)
  }

  func sentence(for reader: Audience) -> Sentence {
    .compare(order, reader.label(of: field), reader.kind?.quantity ?? .number)
  }

  func fault(in field: Field, of fields: [Field]) -> FaultReason? {
    guard let quantity = field.kind.quantity else { return .noOrder(field.kind) }
    let other = fields.named(self.field)
    guard let other, other.kind.quantity == quantity else {
      return .otherOrder(field.kind, other?.kind, of: self.field)
    }
    if quantity == .dateTime, (other.timeZone == nil) != (field.timeZone == nil) {
      return .oneTimeZone(other: self.field)
    }
    return field.faultOfTimeZone(timeZone, in: Self.name)
  }
}

extension Rule.Order {
  /// - Parameter comparison: -1, 0 or 1.
  fileprivate func holds(_ comparison: Int) -> Bool {
    switch self {
    case .less: comparison < 0
    case .lessOrEqual: comparison <= 0
    case .greater: comparison > 0
    case .greaterOrEqual: comparison >= 0
    }
  }
}

/// `range`: within two bounds, compared exactly or by calendar. The bounds' form says what is compared.
///
/// In a time zone it compares moments, and its bounds may be relative to the time of the verdict.
struct RangeRule: BoundedCondition, ZonedCondition {
  static let name = "range"
  static let arguments = [
    Argument("min", \Self.min), Argument("max", \Self.max), Argument("timeZone", \Self.timeZone),
  ]
  static let example = FaultRow("write-range", ["name": name])

  var min, max: Quantity?
  var timeZone: Field.TimeZone?

  var limits: Limits { Limits(range: self) }

  static func fault(_ min: Quantity, _ max: Quantity) -> FaultRow? {
    if !min.forms.contains(where: max.forms.contains) {
      return FaultRow("incomparable-bounds", ["min": min.text, "max": max.text])
    }
    return min.compared(to: max) > 0 ? FaultRow("swapped-bounds", ["min": min.text, "max": max.text]) : nil
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

  func judge(_ input: Input, of rule: Rule, in context: JudgingContext) -> Finding {
    guard case .text(let text) = input else { return .unmet(rule) }
    if let timeZone { return judge(text, in: timeZone, of: rule, in: context) }
    return lacksTimeZone ? .unchecked : isMet(by: text) ? .met : .unmet(rule)
  }

  private func judge(
    _ text: String, in timeZone: Field.TimeZone, of rule: Rule, in context: JudgingContext
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

  func fault(in field: Field, of fields: [Field]) -> FaultRow? {
    if let fault = field.faultOfTimeZone(timeZone, in: Self.name) { return fault }
    let relative = min?.relative ?? max?.relative
    if let quantity = field.kind.quantity, !forms.contains(quantity) {
      switch field.kind {
      case .date where relative != nil: return FaultRow("bounds-of-other-form.now")
      case .time where relative != nil: return FaultRow("bounds-of-other-form.time")
      default:
        return FaultRow("bounds-of-other-form", ["word": field.kind.rawValue, "kind": field.kind.withArticle])
      }
    }
    if field.timeZone != nil { return nil }
    if let relative { return FaultRow("relative-without-time-zone", ["base": relative.base.rawValue]) }
    return lacksTimeZone ? FaultRow("offset-without-time-zone") : nil
  }
}

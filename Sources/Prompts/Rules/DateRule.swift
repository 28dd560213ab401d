/// `date`: HTML's valid date string, `2025-01-31`, years 0001 to 9999. In the zone of the person who answers, its name may
/// follow: `2025-01-31[Europe/Berlin]`.
struct DateRule: ZonedCondition {
  static let name = "date"
  static let arguments = [Argument("timeZone", \Self.timeZone)]

  var timeZone: Field.TimeZone?

  func judge(_ input: Input, of rule: Rule, in context: JudgingContext) -> Finding {
    guard case .text(let text) = input else { return .unmet(rule) }
    guard let timeZone else { return Quantity(text, form: .date) != nil ? .met : .unmet(rule) }
    let parts = ZonedTime.Parts(text, in: timeZone)
    guard parts.offset == nil, parts.expectedZone == nil, Calendar.milliseconds(parts.local, as: .date) != nil
    else { return .unmet(rule) }
    return parts.zone != nil ? .met : .unmet(rule, saying: context.sentences(.unknownZone))
  }

  /// Only the person's zone has to be named beside a date, to know which day it is there.
  func depends(on timeZone: Field.TimeZone) -> Bool { timeZone == .person }

  /// `2025-01-31`
  var limits: Limits { Limits(lengths: timeZone == nil ? (10, 10) : (0, 200)) }
  func schema(of texts: RawTextContext) -> JSON? {
    timeZone == nil || texts.areAnswers ? texts.matching(Calendar.date) : nil
  }
}

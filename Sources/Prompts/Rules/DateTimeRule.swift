/// `dateTime`: HTML's valid local date and time string, `2025-01-31T09:30`. In a time zone it must occur there; see
/// `ZonedTime`.
struct DateTimeRule: ZonedCondition {
  static let name = "dateTime"
  static let arguments = [Argument("timeZone", \Self.timeZone)]

  var timeZone: Field.TimeZone?

  func judge(_ input: Input, of rule: Rule, in context: JudgingContext) -> Finding {
    guard case .text(let text) = input else { return .unmet(rule) }
    guard let timeZone else { return Quantity(text, form: .dateTime) != nil ? .met : .unmet(rule) }
    do {
      return try ZonedTime(text, in: timeZone).hasYear ? .met : .unmet(rule)
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

  /// `2025-01-31T09:30` to `2025-01-31T09:30:15.250`
  var limits: Limits { Limits(lengths: timeZone == nil ? (16, 23) : (0, 200)) }

  func schema(of texts: RawTextContext) -> JSON? {
    if timeZone != nil { return texts.areAnswers ? .keyword("format", .string("date-time")) : nil }
    return texts.matching(Calendar.dateTime)
  }
}

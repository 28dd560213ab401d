internal import Pattern
internal import StrictJSON

/// `all`: every rule of a list; the first that fails gives name and message.
struct AllRule: Combinator {
  static let name = "all"
  static var saysInnerMessages: Bool { true }
  var rules: [Rule] = []

  /// That of the first rule that has one.
  var shape: PatternSyntax? { rules.lazy.compactMap(\.condition.shape).first }

  func narrow(_ premise: inout Premise) { for rule in rules { rule.condition.narrow(&premise) } }

  func judge(_ input: Input, of rule: Rule, in context: JudgingContext) -> Finding {
    rules.judge(input, in: context)
  }

  /// Never shown: the message always comes from an inner rule.
  func sentence(for reader: Audience) -> Sentence { .pattern }

  func schema(of texts: RawTextContext) -> JSON? { schema("allOf", of: texts) }
}

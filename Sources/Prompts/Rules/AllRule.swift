/// `all`: every rule of a list; the first that fails gives name and message.
struct AllRule: Combinator {
  static let name = "all"
  static var saysInnerMessages: Bool { true }
  var rules: [Rule] = []

  var limits: Limits {
    rules.map(\.condition.limits).reduce(into: Limits()) { all, each in
      all.lengths = (max(all.lengths.min, each.lengths.min), min(all.lengths.max, each.lengths.max))
      all.shape = each.shape ?? all.shape
    }
  }

  func judge(_ input: Input, of rule: Rule, in context: JudgingContext) -> Finding {
    rules.judge(input, in: context)
  }

  /// Never shown: the message always comes from an inner rule.
  func sentence(for reader: Audience) -> Sentence { .pattern }

  func schema(of texts: RawTextContext) -> JSON? { schema("allOf", of: texts) }
}

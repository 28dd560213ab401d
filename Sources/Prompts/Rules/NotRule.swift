/// `not`: its rule (a list is read as `all` of it) is not met.
struct NotRule: Combinator {
  static let name = "not"
  var rules: [Rule] = []

  func judge(_ input: Input, of rule: Rule, in context: JudgingContext) -> Finding {
    switch rules.judge(input, in: context) {
    case .met: .unmet(rule)
    case .unmet, .unmetOnLine, .malformed: .met
    case .unchecked: .unchecked
    case .pending(let question): .pending(question)
    }
  }

  func sentence(for reader: Audience) -> Sentence {
    (rules.first?.condition.limits.pattern).flatMap { SchemaReader.sentences[$0.source] } ?? .not
  }

  func schema(of texts: RawTextContext) -> JSON? { schema("allOf", of: texts).map { .keyword("not", $0) } }
}

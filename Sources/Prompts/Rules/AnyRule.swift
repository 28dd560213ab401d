/// `any`: at least one rule of a list.
struct AnyRule: Combinator {
  static let name = "any"
  static var judgesEach: Bool { true }
  var rules: [Rule] = []

  func judge(_ input: Input, of rule: Rule, in context: JudgingContext) -> Finding {
    var open: Finding?
    for rule in rules {
      switch rule.judge(input, in: context) {
      case .met: return .met
      case .unmet, .unmetOnLine, .malformed: break
      case .pending(let question): open = .pending(question)
      case .unchecked: open = open ?? .unchecked
      }
    }
    return open ?? .unmet(rule)
  }

  /// Two rules may say the same.
  func sentence(for reader: Audience) -> Sentence {
    .any(
      rules.map { $0.message(for: reader) }.reduce(into: []) { messages, message in
        if !messages.contains(message) { messages.append(message) }
      })
  }

  func schema(of texts: RawTextContext) -> JSON? { schema("anyOf", of: texts) }
}

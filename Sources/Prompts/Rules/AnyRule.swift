internal import Pattern
internal import StrictJSON

/// `any`: at least one rule of a list.
struct AnyRule: Combinator {
  static let name = "any"
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

  func write(to json: inout JSONWriter, for reader: Audience) {
    json.member("rules") { $0.array(rules) { $1.write(to: &$0, for: reader) } }
  }

  func decidedBy(on premise: Premise) -> DecidedBy {
    rules.contains { $0.condition.decidedBy(on: premise) == .server } ? .server : .everywhere
  }

  /// Two rules may say the same.
  func sentence(for reader: Audience) -> Sentence {
    .any(
      rules.map { $0.message(for: reader) }.reduce(into: []) { messages, message in
        if !messages.contains(message) { messages.append(message) }
      })
  }

  func schema(of texts: RawTextContext) -> JSON? { schema("anyOf", of: texts, isEachJudged: true) }
}

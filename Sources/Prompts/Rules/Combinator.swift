internal import Pattern
internal import StrictJSON

/// A condition on the results of other rules. Its only argument is a list of rules, or a single rule.
protocol Combinator: Condition {
  var rules: [Rule] { get set }
}

extension Combinator {
  static var arguments: [Argument<Self>] {
    [
      Argument(
        "rules", \Self.rules, isShorthand: true,
        needs: ("rules", "write it like `\(name): [{email: true}]`"),
        check: { $0.isEmpty ? .noInnerRules(name) : nil })
    ]
  }
  static var judgesChoices: Bool { true }

  init(rules: [Rule]) {
    self.init()
    self.rules = rules
  }

  var inner: [Rule] { rules }
  func mapInner(_ change: (Rule) -> Rule) -> Self { Self(rules: rules.map(change)) }
  func inTimeZone(_ timeZone: Field.TimeZone) -> Self? { mapInner { $0.inTimeZone(timeZone) } }

  func work(on size: InputSize) -> Int { rules.reduce(2_000) { $0 + $1.condition.work(on: size) } }

  func decidedBy(on premise: Premise) -> DecidedBy {
    Rule.decidedBy(rules, on: premise).contains(.server) ? .server : .everywhere
  }

  func schema(_ keyword: String, of texts: RawTextContext, isEachJudged: Bool = false) -> JSON? {
    let parts = Rule.schemas(of: rules, texts, isEachJudged: isEachJudged)
    return parts.unsaid.isEmpty ? .keyword(keyword, .array(parts.said.map(\.schema))) : nil
  }
}

extension [Rule]: ArgumentValue {
  /// A list, or one rule by itself.
  static func read(_ node: Node, _ key: String, _ reading: inout Reading) -> Self? {
    guard case .sequence = node.content else { return Rule(node, &reading).map { [$0] } }
    return Rule.list(node, key, &reading)
  }

  func write(as key: String, to json: inout JSONWriter, for reader: Audience) {
    json.member(key) { $0.rules(self, for: reader) }
  }
}

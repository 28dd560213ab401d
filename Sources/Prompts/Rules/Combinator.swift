/// A condition on the results of other rules. Its only argument is a list of rules, or a single rule.
protocol Combinator: Condition {
  var rules: [Rule] { get set }
  /// True if the message for a failure is always that of one of these rules.
  static var saysInnerMessages: Bool { get }
  /// True if each rule is judged even if those before it are not met.
  static var judgesEach: Bool { get }
}

extension Combinator {
  static var saysInnerMessages: Bool { false }
  static var judgesEach: Bool { false }
  static var arguments: [Argument<Self>] {
    var argument = Argument(
      "rules", \Self.rules, isShorthand: true, needs: ("rules", FaultRow("write-rules-of", ["name": name])),
      check: { $0.isEmpty ? FaultRow("no-inner-rules", ["rule": name]) : nil })
    if judgesEach {
      argument.write = { each, json, reader in
        json.member("rules") { $0.array(each.rules) { $1.write(to: &$0, for: reader) } }
      }
    }
    return [argument]
  }

  init(rules: [Rule]) {
    self.init()
    self.rules = rules
  }

  func mapInner(_ change: (Rule) -> Rule) -> Self { Self(rules: rules.map(change)) }

  func work(on size: InputSize) -> Int { rules.reduce(2_000) { $0 + $1.condition.work(on: size) } }

  func decidedBy(on premise: Premise) -> DecidedBy {
    let judges =
      Self.judgesEach ? rules.map { $0.condition.decidedBy(on: premise) } : Rule.decidedBy(rules, on: premise)
    return judges.contains(.server) ? .server : .everywhere
  }

  func schema(_ keyword: String, of texts: RawTextContext) -> JSON? {
    let parts = Rule.schemas(of: rules, texts, isEachJudged: Self.judgesEach)
    return parts.unexpressed.isEmpty ? .keyword(keyword, .array(parts.expressed.map(\.schema))) : nil
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

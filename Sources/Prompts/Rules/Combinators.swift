internal import Pattern
internal import StrictJSON

/// A condition on the results of other rules. Its only argument is a list of rules, or a single rule.
protocol Combinator: Condition {
  var rules: [Rule] { get set }
}

extension Condition {
  /// The rules inside this one.
  var inner: [Rule] { (self as? any Combinator)?.rules ?? [] }

  /// True if the message for a failure is always that of a rule inside this one.
  var saysInnerMessages: Bool { self is AllRule || self is ItemsRule }
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

  func work(on size: InputSize) -> Int { rules.reduce(2_000) { $0 + $1.condition.work(on: size) } }

  func decidedBy(on premise: Premise) -> DecidedBy {
    Rule.decidedBy(rules, on: premise).contains(.server) ? .server : .everywhere
  }

  /// Rules without a message of their own say the list's.
  func inheriting(_ message: String) -> Self {
    Self(rules: rules.map { $0.message == nil ? $0.saying(message) : $0 })
  }

  fileprivate func schema(_ keyword: String, of texts: RawTextContext, isEachJudged: Bool = false) -> JSON? {
    let parts = Rule.schemas(of: rules, texts, isEachJudged: isEachJudged)
    return parts.unsaid.isEmpty ? .keyword(keyword, .array(parts.said.map(\.schema))) : nil
  }
}

/// `all`: every rule of a list; the first that fails gives name and message.
struct AllRule: Combinator {
  static let name = "all"
  var rules: [Rule] = []

  /// That of the first rule that has one.
  var shape: PatternSyntax? { rules.lazy.compactMap(\.condition.shape).first }

  func narrow(_ premise: inout Premise) { for rule in rules { rule.condition.narrow(&premise) } }

  func judge(_ input: Input, of rule: Rule, in context: Context) -> Finding {
    rules.judge(input, in: context)
  }

  /// Never shown: the message always comes from an inner rule.
  func sentence(for reader: Audience) -> Sentence { .pattern }

  func schema(of texts: RawTextContext) -> JSON? { schema("allOf", of: texts) }
}

/// `any`: at least one rule of a list.
struct AnyRule: Combinator {
  static let name = "any"
  var rules: [Rule] = []

  /// That of any of its rules.
  var shape: PatternSyntax? {
    let shapes = rules.compactMap(\.condition.shape)
    return shapes.count == rules.count ? .choice(shapes) : nil
  }

  func judge(_ input: Input, of rule: Rule, in context: Context) -> Finding {
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

  func sentence(for reader: Audience) -> Sentence { .any(rules.map { $0.message(for: reader) }) }

  func schema(of texts: RawTextContext) -> JSON? { schema("anyOf", of: texts, isEachJudged: true) }
}

/// `not`: its rule (a list is read as `all` of it) is not met.
struct NotRule: Combinator {
  static let name = "not"
  var rules: [Rule] = []

  func judge(_ input: Input, of rule: Rule, in context: Context) -> Finding {
    switch rules.judge(input, in: context) {
    case .met: .unmet(rule)
    case .unmet, .unmetOnLine, .malformed: .met
    case .unchecked: .unchecked
    case .pending(let question): .pending(question)
    }
  }

  func sentence(for reader: Audience) -> Sentence {
    (rules.first?.condition as? PatternRule).flatMap { SchemaReader.sentences[$0.pattern.source] } ?? .not
  }

  func schema(of texts: RawTextContext) -> JSON? { schema("allOf", of: texts).map { .keyword("not", $0) } }
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

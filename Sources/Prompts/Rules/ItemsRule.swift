/// `items`: each item of a list meets these rules, as a text by itself. The first that does not gives rule and message,
/// and the message names its line.
struct ItemsRule: Combinator {
  static let name = "items"
  static var saysInnerMessages: Bool { true }
  var rules: [Rule] = []

  func judge(_ input: Input, of rule: Rule, in context: JudgingContext) -> Finding {
    guard case .choices(let items) = input else { return .unmet(rule) }
    for (index, item) in items.enumerated() {
      let finding = rules.judge(.text(item), in: context)
      switch finding {
      case .met: continue
      case .unmet:
        let sent = context.field.flatMap { context.inputs[$0.name] } ?? input
        return .unmetOnLine(sent.line(ofItem: index), finding)
      default: return finding
      }
    }
    return .met
  }

  func work(on size: InputSize) -> Int {
    let (all, nothing) = (InputSize(texts: 1, bytes: size.bytes), InputSize(texts: 1, bytes: 0))
    return rules.reduce(2_000) { work, rule in
      work + rule.condition.work(on: all) + size.texts * rule.condition.work(on: nothing)
    }
  }

  /// Only shown if `any` names it among others: otherwise the message comes from an inner rule.
  func sentence(for reader: Audience) -> Sentence { rules.first?.condition.sentence(for: reader) ?? .pattern }

  func schema(of texts: RawTextContext) -> JSON? {
    let item = RawTextContext(kind: .text, trim: texts.trim, areAnswers: texts.areAnswers)
    let parts = Rule.schemas(of: rules, item)
    return texts.readsNumbers || !parts.unexpressed.isEmpty
      ? nil : .keyword("items", .all(parts.expressed.map(\.schema)))
  }

}

extension Rule {
  /// The faults of this rule for each item of a list.
  ///
  /// - Parameter item: asks for one item.
  func faults(ofItem item: Field) -> [FaultRow] {
    let unfit = flattened.first { $0.condition.dependency != nil || [Count.name, ItemsRule.name].contains($0.name) }
    return unfit.map { [FaultRow("rule-of-items", ["rule": $0.name])] } ?? faults(in: item, of: [item])
  }
}

extension Field {
  /// The most items that a list can have.
  static let itemLimit = 1_000

  /// The rules for each item of a list.
  var items: [Rule] { rules.filter { $0.name == ItemsRule.name }.flatMap(\.inner) }

  /// A field that asks for one item of this list.
  var item: Field {
    let isInteger = items.contains { $0.name == IntegerRule.name }
    return Field(name, label: label, kind: isInteger ? .integer : readsNumbers ? .number : .text, rules: items) {
      $0.trim = trim
      $0.answer.type = answer.type
    }
  }
}

/// A condition under which a field or an action button applies: another field meets rules.
///
/// ```swift
/// Field("company", when: [.field("kind", is: .oneOf(["company"]))])
/// ```
///
/// A field that does not apply is not shown and not judged, and has no value. What is sent for it is dropped.
public struct When: Sendable {
  /// The name of the other field.
  public let field: String
  /// The rules that its text must meet, all of them; of choices, `oneOf` means that one of them is chosen.
  public let rules: [Rule]
  /// The condition in words, or `nil` to derive the words from `oneOf` or `nonEmpty`.
  public let message: String?

  /// The field of this name meets a rule.
  ///
  /// - Parameters:
  ///   - rule: any that browsers decide too, except `sameAs`, `compare` and predicates. Of choices, `oneOf` means that one
  ///     of them is chosen.
  ///   - message: says when this is so, for pages without JavaScript; `nil` only for `oneOf` and `nonEmpty`, which say it themselves.
  public static func field(_ name: String, is rule: Rule, saying message: String? = nil) -> When {
    When(field: name, rules: [rule], message: message)
  }

  /// The same with another message, if there is one.
  func saying(_ message: String?) -> When { When(field: field, rules: rules, message: message ?? self.message) }

  /// Its rules and all inside them.
  var allRules: [Rule] { rules.flatMap(\.flattened) }

  /// The values that its only rule lists, or `nil` if it has others.
  var values: [String]? {
    rules.count == 1 ? rules[0].condition.limits.texts : nil
  }

  /// True if its only rule is that the field is not empty.
  private var isNonEmpty: Bool { rules.count == 1 && rules[0].name == NonEmpty.name }

  /// When this is so, for a page that cannot hide what does not apply.
  package func sentence(among fields: [Field], in sentences: Sentences) -> String {
    if let message { return message.revealed }
    guard let field = fields.named(field) else { return "" }
    guard let values else { return isNonEmpty ? sentences(.onlyIfFilled(field.label)) : "" }
    let titles = values.map { value in field.options.first { isSame($0.value, value) }?.title ?? value }
    switch field.kind {
    case .choices: return sentences(.onlyIfChosen(field.label, titles))
    case .boolean where values.count == 1:
      return sentences(isSame(values[0], "true") ? .onlyIfOn(field.label) : .onlyIfOff(field.label))
    default: return sentences(.onlyIf(field.label, titles))
    }
  }
}

// MARK: Definitions

extension When {
  private static let keys = ["field", "rules", "message"]
  private static let example = FaultRow("write-condition")

  /// Reads `when`: one condition, or a list of them that must all hold.
  static func list(_ node: Node?, _ reading: inout Reading) -> [(when: When, place: Node.Place)] {
    guard let node else { return [] }
    guard case .sequence(let elements) = node.content else {
      return When(node, &reading).map { [($0, node.place)] } ?? []
    }
    if elements.isEmpty { reading.report("no-conditions", at: node.place) }
    return elements.compactMap { element in When(element, &reading).map { ($0, element.place) } }
  }

  /// Reads conditions as the rules JSON has them.
  package static func list(served json: JSON?, _ reading: inout Reading) -> [When] {
    list(json.map { Node($0) }, &reading).map(\.when)
  }

  /// Reads a field's name with a rule beside it or, as the server writes it, with its `rules`.
  private init?(_ node: Node, _ reading: inout Reading) {
    guard let map = reading.mapping(node, as: "a condition", keys: Self.keys + Rule.names, remedy: Self.example) else {
      return nil
    }
    let name = reading.string("field", in: map, of: "a condition", remedy: Self.example)
    let message = reading.text(map["message"], "message", as: .lines, limit: 1_000)
    let written = map.entries.filter { !Self.keys.contains($0.key) }
    var rules: [Rule]?
    switch (map["rules"], written.count) {
    case (nil, 1): rules = Rule(Node(written, standingFor: map.place), &reading).map { [$0] }
    case (let list?, 0): rules = Rule.list(list, "rules", &reading)
    case (nil, 0):
      // A key that is no rule has been reported.
      if case .mapping(let entries) = node.content, entries.count == map.entries.count {
        reading.report("condition-without-rule", ["remedy": Self.example], at: map.place)
      }
    default: reading.report("condition-with-rules", at: written[0].keyPlace)
    }
    guard let name, let rules, !rules.isEmpty else { return nil }
    self.init(field: name, rules: rules, message: message)
  }

  /// The faults of this condition in a prompt of these fields.
  ///
  /// - Parameters:
  ///   - owner: the name of the field that has it, or `nil` for a button.
  ///   - isKindKnown: false if the kind of the field that it names could not be read.
  func faults(of owner: String?, among fields: [Field], isKindKnown: Bool) -> [FaultRow] {
    if let owner, isSame(owner, field) { return [FaultRow("rule-on-own-field", ["rule": "when", "field": field])] }
    guard let named = fields.named(field) else {
      return [
        FaultRow(
          "condition-on-no-field",
          ["field": field, "nearest": Nearest(to: field, among: fields.map(\.name).filter { $0 != owner })])
      ]
    }
    guard isKindKnown else { return [] }
    let unfit = allRules.compactMap { Self.fault(of: $0, inTimeZone: named.timeZone != nil) }
    if !unfit.isEmpty { return unfit }
    let faults = rules.flatMap { $0.faults(in: named, of: fields) } + unknownOptions(of: named)
    if !faults.isEmpty { return faults }
    if Rule.decidedBy(rules, on: named.premise).contains(.server) {
      let isLengthMissing = rules.allSatisfy { $0.isDecidedByBrowsers(upTo: 200) }
      return [isLengthMissing ? FaultRow("condition-of-server.length") : FaultRow("condition-of-server")]
    }
    return message == nil && values == nil && !isNonEmpty ? [FaultRow("condition-without-message")] : []
  }

  /// The reason a rule cannot stand in a condition, or `nil`.
  private static func fault(of rule: Rule, inTimeZone: Bool) -> FaultRow? {
    switch rule.condition.dependency {
    // Only the server knows which moment a text is.
    case _ where inTimeZone && rule.name != NonEmpty.name && rule.inner.isEmpty: FaultRow("moment-in-condition")
    case .field?: FaultRow("other-field-in-condition", ["rule": rule.name])
    case .time(let isRelative, let lacksZone)? where isRelative || !lacksZone: FaultRow("time-in-condition")
    case .predicate?: FaultRow("predicate-in-condition")
    default: rule.message == nil ? nil : FaultRow("message-in-condition", ["rule": rule.name])
    }
  }

  /// Values that the field can never have.
  private func unknownOptions(of field: Field) -> [FaultRow] {
    let options = field.kind == .boolean ? ["true", "false"] : field.options.map(\.value)
    guard !options.isEmpty else { return [] }
    return allRules.compactMap(\.condition.limits.texts).flatMap(\.self)
      // The empty text says that nothing is chosen.
      .filter { value in !value.isEmpty && !options.contains { isSame($0, value) } }
      .map {
        FaultRow("impossible-option", ["field": field.name, "value": $0, "nearest": Nearest(to: $0, among: options)])
      }
  }

  /// Writes it as served: the rules without messages, since a condition that is not met shows none.
  ///
  /// - Parameter isDefinition: whether to write the message too, which only definitions have.
  func write(to json: inout JSONWriter, for reader: Audience, isDefinition: Bool = false) {
    var reader = reader
    reader.includesMessages = false
    reader.premise = reader.fields.named(field)?.premise ?? Premise()
    json.object { json in
      json.member("field", field)
      json.member("rules") { $0.rules(rules, for: reader) }
      if isDefinition { json.member("message", ifPresent: message) }
    }
  }
}

extension [When] {
  func write(to json: inout JSONWriter, for reader: Audience, isDefinition: Bool = false) {
    if isEmpty { return }
    json.array("when", self) { $1.write(to: &$0, for: reader, isDefinition: isDefinition) }
  }
}

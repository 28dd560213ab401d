internal import StrictJSON

/// What a schema says of fields that apply only under conditions: `if`, `then` they are required, `else` absent.
struct ConditionSchemas {
  private let fields: [Field]
  /// Of each conditional field what says that it applies, or `nil` if no schema can.
  private var schemas: [String: JSON?] = [:]

  init(_ fields: [Field]) {
    self.fields = fields
    for field in fields where !field.when.isEmpty { _ = schema(of: field) }
  }

  /// Whether the schema does not say when this field applies.
  func leavesOut(_ field: Field) -> Bool { !field.when.isEmpty && said(of: field) == nil }

  private func said(of field: Field) -> JSON? { schemas[field.name] ?? nil }

  /// Writes `$defs` with each condition, and `allOf` that uses them.
  func write(to json: inout JSONWriter) {
    let conditional = fields.compactMap { field in said(of: field).map { (field, $0) } }
    if conditional.isEmpty { return }
    json.member("$defs", JSON.object(conditional.map { JSON.Member(Self.name($0), $1) }))
    json.member("allOf") { $0.array(conditional) { $0.value(Self.consequence(of: $1.0)) } }
  }

  private static func consequence(of field: Field) -> JSON {
    var members: [JSON.Member] = [.init("if", reference(to: field))]
    if field.mustBeSent { members.append(.init("then", .keyword("required", .array([.string(field.name)])))) }
    members.append(.init("else", .keyword("properties", .keyword(field.name, .bool(false)))))
    return .object(members)
  }

  /// What says that a field applies, or `nil` if that cannot be said exactly of every text.
  private mutating func schema(of field: Field) -> JSON? {
    if let known = schemas[field.name] { return known }
    // Until it is known, so that a circle, which no definition has, would end.
    schemas[field.name] = .some(nil)
    var parts: [JSON] = []
    for when in field.when {
      guard let other = fields.named(when.field), let values = Self.schema(of: when, in: other) else { return nil }
      parts.append(values)
      if other.when.isEmpty { continue }
      guard schema(of: other) != nil else { return nil }
      parts.append(Self.reference(to: other))
    }
    let schema = JSON.all(parts)
    schemas[field.name] = schema
    return schema
  }

  /// That the other field's value meets the rules.
  private static func schema(of when: When, in field: Field) -> JSON? {
    guard let values = values(of: when, in: field) else { return nil }
    let holds: JSON = .keyword("properties", .keyword(field.name, values))
    // A field that is left out is empty.
    if isMetByEmpty(when, in: field) { return holds }
    return .all([.keyword("required", .array([.string(field.name)])), holds])
  }

  /// The values that meet the rules.
  private static func values(of when: When, in field: Field) -> JSON? {
    // A number may be written in many ways, and each is another text.
    if field.kind.quantity == .number || field.kind == .boolean && field.trim { return nil }
    let null: [JSON] = isMetByEmpty(when, in: field) ? [.null] : []
    let options = field.options.map(\.value)
    func met(_ texts: [String]) -> [String] { texts.filter { isMet(when, by: .text($0), in: field) } }
    switch (field.kind, field.answer.type) {
    case (.boolean, _):
      return .keyword("enum", .array(met(["true", "false"]).flatMap { [.bool($0 == "true"), .string($0)] } + null))
    case (.choice, .number?): return .keyword("enum", .array(met(options).map(JSON.number) + null))
    case (.choice, .boolean?): return .keyword("enum", .array(met(options).map { .bool($0 == "true") } + null))
    default: break
    }
    let said = Rule.schemas(of: when.rules, RawTextContext(kind: field.kind, trim: field.trim, isCondition: true))
    guard said.unsaid.isEmpty else { return nil }
    let text = JSON.all(
      [.keyword("type", .string(field.kind == .choices ? "array" : "string"))] + said.said.map(\.schema))
    return null.isEmpty ? text : .keyword("anyOf", .array([text, .keyword("type", .string("null"))]))
  }

  private static func isMetByEmpty(_ when: When, in field: Field) -> Bool {
    isMet(when, by: field.kind.emptyInput, in: field)
  }

  private static func isMet(_ when: When, by input: Input, in field: Field) -> Bool {
    var applying = Applying(
      [Field(field.name, kind: field.kind) { $0.trim = field.trim }], Inputs([(field.name, input)]))
    return applying.isMet([when])
  }

  private static func name(_ field: Field) -> String { "\(field.name)Applies" }
  private static func reference(to field: Field) -> JSON {
    .keyword("$ref", .string("#/$defs/\(name(field))"))
  }
}

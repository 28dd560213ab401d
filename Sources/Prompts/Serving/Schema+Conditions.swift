extension [Field] {
  /// The schemas that say that a field applies, by the field's name. Only fields whose conditions a schema can express
  /// exactly, for every text, have one. They go into `$defs`.
  var conditionSchemas: [String: JSON] {
    var (schemas, count) = ([String: JSON](), -1)
    // A condition may need that of a later field.
    while schemas.count > count {
      count = schemas.count
      for field in self where !field.when.isEmpty && schemas[field.name] == nil {
        let parts = field.when.compactMap { when -> [JSON]? in
          guard let other = named(when.field), other.when.isEmpty || schemas[other.name] != nil,
            let holds = other.schema(meeting: when)
          else { return nil }
          return other.when.isEmpty ? [holds] : [holds, other.reference]
        }
        if parts.count == field.when.count { schemas[field.name] = .all(parts.flatMap(\.self)) }
      }
    }
    return schemas
  }
}

extension Field {
  /// The name of its condition.
  var applies: String { "\(name)Applies" }
  fileprivate var reference: JSON { ["$ref": .string("#/$defs/\(applies)")] }

  /// It is required if it applies, and otherwise absent.
  ///
  /// - Parameter schema: its own, if another field's value may stand in the same place.
  func consequence(sharing schema: JSON?) -> JSON {
    if let schema {
      let then: JSON = ["properties": .keyword(path[0], schema), "required": mustBeSent ? [.string(path[0])] : nil]
      return ["if": reference, "then": then]
    }
    return [
      "if": reference, "then": mustBeSent ? ["required": [.string(path[0])]] : nil,
      "else": ["properties": .keyword(path[0], false)],
    ]
  }

  /// The schema of an object in which this field's value meets the rules of another field's condition.
  fileprivate func schema(meeting when: When) -> JSON? {
    guard let values = values(meeting: when) else { return nil }
    let holds: JSON = ["properties": .keyword(path[0], values)]
    // A field that is left out is empty.
    return meets(when, with: kind.emptyInput) ? holds : .all([["required": [.string(path[0])]], holds])
  }

  /// The values that meet the rules.
  private func values(meeting when: When) -> JSON? {
    // A number may be written in many ways, and each is another text.
    if readsNumbers || kind == .list || kind == .boolean && trim { return nil }
    let null: [JSON] = meets(when, with: kind.emptyInput) ? [.null] : []
    let values = kind == .boolean ? ["true", "false"] : options.map(\.value)
    let met = values.filter { meets(when, with: .text($0)) }
    if kind == .boolean { return ["enum": .array(met.flatMap { [.bool($0 == "true"), .string($0)] } + null)] }
    if kind == .choice, let literals = literals(met) { return ["enum": .array(literals + null)] }
    let said = Rule.schemas(of: when.rules, RawTextContext(kind: kind, trim: trim, isCondition: true))
    guard said.unexpressed.isEmpty else { return nil }
    let text = JSON.all([["type": kind.isList ? "array" : "string"]] + said.expressed.map(\.schema))
    return null.isEmpty ? text : ["anyOf": [text, ["type": "null"]]]
  }

  private func meets(_ when: When, with input: Input) -> Bool {
    var applying = Applying([Field(name, kind: kind) { $0.trim = trim }], Inputs([(name, input)]))
    return applying.isMet([when])
  }
}

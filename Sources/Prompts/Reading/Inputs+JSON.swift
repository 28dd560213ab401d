extension Inputs {
  /// Reads the inputs of a prompt from an object, and reports every fault.
  ///
  /// Texts are strings; numbers, true and false count as they are written; null is empty.
  ///
  /// - Parameter node: from strict JSON, in which no key appears twice.
  package init(_ node: Node, of fields: [Field], _ reading: inout Reading) {
    self.init()
    guard case .mapping(let entries) = node.content else {
      reading.report(
        .notAMap("`values`", node.kindInWords, remedy: #"write them like `{"field": "text"}`"#), at: node.place)
      return
    }
    for entry in entries {
      guard let field = fields.named(entry.key) else {
        reading.report(.noSuchField(entry.key, among: fields.map(\.name)), at: entry.keyPlace)
        continue
      }
      if let input = reading.input(entry.value, of: field) { append(field.name, input) }
    }
  }
}

extension Reading {
  fileprivate mutating func input(_ node: Node, of field: Field) -> Input? {
    switch node.content {
    case .null: return field.kind.emptyInput
    case _ where field.kind == .choices: return list(node, field.name).flatMap { choices($0, field.name) }
    // A value that is always a number is the same however it is written: 5.0 is an integer.
    case .number(let literal) where field.answer.type == .number:
      return .text(ExactNumber(literal)?.exactLiteral ?? literal)
    case .illFormed: return .illFormed
    default: return string(node, field.name, orLiteral: true).map { .text($0) }
    }
  }

  /// What somebody entered: a text, or a list of chosen values.
  package mutating func input(_ node: Node, _ key: String) -> Input? {
    switch node.content {
    case .illFormed: .illFormed
    case .sequence(let elements): choices(elements, key)
    default: string(node, key).map { .text($0) }
    }
  }

  private mutating func choices(_ elements: [Node], _ key: String) -> Input? {
    if elements.contains(where: { if case .illFormed = $0.content { true } else { false } }) { return .illFormed }
    let texts = elements.compactMap { string($0, key) }
    return texts.count == elements.count ? .choices(texts) : nil
  }
}

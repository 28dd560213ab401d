internal import Prompts

extension Reading {
  /// A field's initial value. It need not be valid, but of the sort that the field holds.
  mutating func input(_ node: Node?, for kind: Field.Kind) -> Input? {
    guard let node else { return nil }
    switch kind {
    case .choices:
      guard let texts = strings(node, "value") else { return nil }
      return texts.allSatisfy({ isUsable($0, at: node.place, kind) }) ? .choices(texts) : nil
    case .boolean:
      // The text is how a boolean travels, and how a definition is written back.
      if case .string(let text) = node.content, text == "true" || text == "false" { return .text(text) }
      return bool(node, "value").map { .text(String($0)) }
    case .number, .integer, .slider, .choice, .date, .time, .dateTime:
      guard let text = string(node, "value", orLiteral: true) else { return nil }
      return isUsable(text, at: node.place, kind) ? .text(text) : nil
    case .text, .multiline, .email, .url, .tel, .password, .search:
      guard let text = string(node, "value") else { return nil }
      return isUsable(text, at: node.place, kind) ? .text(text) : nil
    }
  }

  private mutating func isUsable(_ text: String, at place: Node.Place, _ kind: Field.Kind) -> Bool {
    if text.utf8.count > TextRule.limit {
      report("`value` has \(text.utf8.count) bytes", "keep to \(TextRule.limit)", at: place)
      return false
    }
    return isUsable(text, "value", as: kind.isMultiline ? .lines : .line, limit: .max, at: place)
  }
}

extension ValuePath {
  /// The most names that a pointer may have.
  static let limit = 8
  /// Names that JavaScript gives a meaning of its own.
  private static let reserved = ["__proto__", "constructor", "prototype"]

  fileprivate static func fault(of pointer: String) -> FaultRow? {
    guard let members = members(of: pointer), !members.contains("") else {
      return FaultRow("no-pointer", ["text": pointer])
    }
    if members.count > limit || pointer.utf8.count > 1_000 { return FaultRow("pointer-too-long", ["limit": limit]) }
    return members.first(where: reserved.contains).map { FaultRow("reserved-member", ["name": $0]) }
  }
}

extension Reading {
  /// A JSON pointer to a member of an answer.
  mutating func pointer(_ node: Node, _ key: String) -> String? {
    guard let text = string(node, key, remedy: FaultRow("no-pointer", ["text": ""])) else { return nil }
    return ValuePath.fault(of: text).map { refuse($0, at: node.place) } ?? text
  }
}

extension FieldDraft {
  /// Reports values that stand in the same place, or inside another.
  static func reportPlaces(of drafts: [FieldDraft], _ reading: inout Reading) {
    let fields = drafts.map(\.field)
    // Most prompts say of no field where its value stands.
    guard fields.contains(where: { $0.path.count > 1 || !isSame($0.path[0], $0.name) }) else { return }
    for (index, draft) in drafts.enumerated() {
      let field = draft.field
      for (other, one) in fields.enumerated()
      where other != index && !isSame(field.name, one.name) && ValuePath.isIn(field.path, one.path) {
        if field.path.count == one.path.count {
          let areAlike = (field.answer.type == .object) == (one.answer.type == .object)
          if other < index, !areAlike || !fields.exclude(field, one) {
            reading.report("same-place", ["one": one.name, "other": field.name], at: draft.atPlace)
          }
        } else if one.answer.type != .object {
          reading.report("value-in-value", ["inner": field.name, "outer": one.name], at: draft.atPlace)
        }
      }
    }
  }
}

extension Prompt {
  /// Reads `objects`: each inside those before it.
  static func objects(_ node: Node?, among drafts: [FieldDraft], _ reading: inout Reading) -> [[String]] {
    guard let node, let elements = reading.list(node, "objects") else { return [] }
    return elements.compactMap { element -> [String]? in
      guard let pointer = reading.pointer(element, "objects"), let path = ValuePath.members(of: pointer) else {
        return nil
      }
      for draft in drafts where draft.field.answer.type != .object && ValuePath.isIn(path, draft.field.path) {
        reading.report("value-in-value", ["inner": pointer, "outer": draft.field.name], at: element.place)
      }
      return path
    }.sorted { $0.count < $1.count }
  }
}

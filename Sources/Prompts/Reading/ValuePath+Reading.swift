/// A fault in where the values of fields stand in an answer.
private enum ValuePathFault: FaultCase {
  case noPointer(String), tooLong, reserved(String), samePlace(String, String), inside(String, String)

  var sentence: FaultSentence {
    switch self {
    case .noPointer(let text):
      .init(
        "no-pointer", "`\(text)` is no JSON pointer to a member of the answer",
        "write the names that lead to it, each after a slash, like `/address/city`")
    case .tooLong:
      .init(
        "pointer-too-long", "this pointer has more than \(ValuePath.limit) names or 1,000 bytes",
        "put the value less deep")
    case .reserved(let name):
      .init("reserved-member", "an answer cannot have the member `\(name)`", "choose another name")
    case .samePlace(let one, let other):
      .init("same-place", "the values of `\(one)` and `\(other)` stand in the same place", "change `at` of one of them")
    case .inside(let inner, let outer):
      .init("value-in-value", "the value of `\(inner)` stands inside that of `\(outer)`", "change `at` of one of them")
    }
  }
}

extension ValuePath {
  /// The most names that a pointer may have.
  static let limit = 8
  /// Names that JavaScript gives a meaning of its own.
  private static let reserved = ["__proto__", "constructor", "prototype"]

  fileprivate static func fault(of pointer: String) -> ValuePathFault? {
    guard let members = members(of: pointer), !members.contains("") else { return .noPointer(pointer) }
    if members.count > limit || pointer.utf8.count > 1_000 { return .tooLong }
    return members.first(where: reserved.contains).map { .reserved($0) }
  }
}

extension Reading {
  /// A JSON pointer to a member of an answer.
  mutating func pointer(_ node: Node, _ key: String) -> String? {
    guard let text = string(node, key) else { return nil }
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
          if other < index { reading.report(ValuePathFault.samePlace(one.name, field.name), at: draft.atPlace) }
        } else if one.answer.type != .object {
          reading.report(ValuePathFault.inside(field.name, one.name), at: draft.atPlace)
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
        reading.report(ValuePathFault.inside(pointer, draft.field.name), at: element.place)
      }
      return path
    }.sorted { $0.count < $1.count }
  }
}

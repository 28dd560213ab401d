internal import Prompts

extension Reading {
  /// Options in a field.
  private static let optionLimit = 1_000

  /// The options of a `choice` or `choices` field; a fault where another kind has some.
  mutating func options(_ map: Mapping, for kind: Field.Kind) -> [Field.Option] {
    guard let node = map["options"] else {
      if kind.offersOptions {
        reportMissing(
          "options", of: "\(kind.withArticle) field", "list them like `options: [small, large]`", at: map.place)
      }
      return []
    }
    guard kind.offersOptions else {
      report(
        "\(kind.withArticle) field offers no options", "make the kind `choice` or `choices`, or use the rule `oneOf`",
        at: node.place)
      return []
    }
    guard let elements = list(node, "options") else { return [] }
    if elements.isEmpty { report("`options` is empty", "list at least one", at: node.place) }
    if elements.count > Self.optionLimit {
      report(
        "a field with \(elements.count) options is no choice", "keep to \(Self.optionLimit)",
        at: elements[Self.optionLimit].place)
      return []
    }
    // Not a Set of strings: it would join texts that differ in code points alone.
    var seen = Set<[UInt8]>()
    return elements.compactMap { element in
      guard let option = option(element) else { return nil }
      if seen.insert(Array(option.value.utf8)).inserted { return option }
      report(
        "two options have the value `\(option.value)`", "remove one, or give it a value of its own", at: element.place)
      return nil
    }
  }

  private mutating func option(_ node: Node) -> Field.Option? {
    guard case .mapping = node.content else { return optionValue(node, "options").map { Field.Option($0) } }
    guard let map = mapping(node, as: "an option", keys: ["value", "title"]) else { return nil }
    if map["value"] == nil {
      reportMissing("value", of: "an option", "write what a program gets, like `value: small`", at: map.place)
    }
    let title = text(map["title"], "title", as: .title, limit: 200)
    return optionValue(map["value"], "value").map { Field.Option($0, title: title) }
  }

  private mutating func optionValue(_ node: Node?, _ key: String) -> String? {
    guard let node, let value = string(node, key, orLiteral: true) else { return nil }
    if value.isEmpty {
      report("the value of an option is empty", "remove the option and make the field `optional: true`", at: node.place)
      return nil
    }
    return isUsable(value, key, as: .title, limit: 1_000, at: node.place) ? value : nil
  }
}

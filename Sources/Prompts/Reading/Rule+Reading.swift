extension Rule {
  /// Reads a rule of a definition or a request.
  ///
  /// It may be a word (`nonEmpty`), a map with one rule as a key and perhaps a `message`
  /// (`{length: {min: 3}, message: …}`), or flat, as the server writes it (`{rule: length, min: 3}`).
  package convenience init?(_ node: Node, _ reading: inout Reading) {
    guard reading.takesRule(at: node.place) else { return nil }
    switch node.content {
    case .string(let name): self.init(word: name, at: node.place, &reading)
    case .mapping(let entries) where entries.contains(where: { isSame($0.key, "rule") }):
      self.init(flat: node, entries, &reading)
    case .mapping(let entries): self.init(keyed: node, entries, &reading)
    default:
      reading.report(.notARule(node.kindInWords), at: node.place)
      return nil
    }
  }

  /// Reads a list of rules.
  package static func list(_ node: Node?, _ key: String, _ reading: inout Reading) -> [Rule]? {
    guard let elements = reading.list(node, key) else { return nil }
    let rules = elements.compactMap { Rule($0, &reading) }
    return rules.count == elements.count ? rules : nil
  }

  /// Reads a rule that is written as a key of a map with other keys, as in `when: {field: kind, oneOf: [company]}`.
  convenience init?(_ entry: Node.Entry, in place: Node.Place, _ reading: inout Reading) {
    guard reading.takesRule(at: place), let kind = Self.kind(named: entry.key),
      let arguments = Self.arguments(kind, entry, &reading)
    else { return nil }
    self.init(kind, arguments, message: nil, &reading)
  }

  private convenience init?(word name: String, at place: Node.Place, _ reading: inout Reading) {
    guard let kind = Self.kind(named: name) else {
      reading.report(.noSuchRule(name), at: place)
      return nil
    }
    guard !kind.needsArguments else {
      reading.report(.ruleWithoutArguments(name, remedy: Self.example(of: kind)), at: place)
      return nil
    }
    self.init(kind, Mapping(place: place, entries: []), message: nil, &reading)
  }

  private convenience init?(keyed node: Node, _ entries: [Node.Entry], _ reading: inout Reading) {
    let rules = entries.filter { Self.kind(named: $0.key) != nil }
    guard let entry = rules.first, let kind = Self.kind(named: entry.key) else {
      let unknown = entries.first { !Self.common.contains($0.key) }
      reading.report(unknown.map { .noSuchRule($0.key) } ?? .noRule, at: unknown?.keyPlace ?? node.place)
      return nil
    }
    if rules.count > 1, !isSame(rules[1].key, entry.key) {
      reading.report(.twoRules(entry.key, rules[1].key), at: rules[1].keyPlace)
      return nil
    }
    // An argument next to its rule is the most likely mistake: say where it belongs.
    for extra in entries where kind.keys.contains(extra.key) && !isSame(extra.key, entry.key) {
      reading.report(.argumentBesideRule(extra.key, rule: entry.key, keys: kind.keys), at: extra.keyPlace)
      return nil
    }
    guard let map = reading.mapping(node, as: "a rule", keys: [entry.key] + Self.common),
      let arguments = Self.arguments(kind, entry, &reading)
    else { return nil }
    self.init(kind, arguments, message: Self.message(map, &reading), &reading)
  }

  private convenience init?(flat node: Node, _ entries: [Node.Entry], _ reading: inout Reading) {
    guard let entry = entries.first(where: { isSame($0.key, "rule") }),
      let name = reading.string(entry.value, "rule")
    else { return nil }
    guard let kind = Self.kind(named: name) else {
      reading.report(.noSuchRule(name), at: entry.value.place)
      return nil
    }
    guard let map = reading.mapping(node, as: "the rule `\(name)`", keys: ["rule"] + kind.keys + Self.common)
    else { return nil }
    self.init(kind, map, message: Self.message(map, &reading), &reading)
  }

  private convenience init?(
    _ kind: any Condition.Type, _ arguments: Mapping, message: String?, _ reading: inout Reading
  ) {
    guard let condition = kind.init(arguments, &reading) else { return nil }
    self.init(condition, message: message)
  }

  /// Keys that any rule may have. `decidedBy` stands in rules as the server writes them; here it is read and ignored.
  private static let common = ["message", "decidedBy"]

  private static func message(_ map: Mapping, _ reading: inout Reading) -> String? {
    if let node = map["decidedBy"], let word = reading.string(node, "decidedBy"), DecidedBy(rawValue: word) == nil {
      reading.report(.decidedBy(word), at: node.place)
    }
    guard let node = map["message"], let message = reading.string(node, "message") else { return nil }
    if message.unicodeScalars.allSatisfy(\.isWhiteSpace) {
      reading.report(.blankMessage, at: node.place)
    } else if message.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A }) {
      reading.report(.controlCharacterInMessage, at: node.place)
    }
    return message
  }

  private static func example(of kind: any Condition.Type) -> String {
    "write it like `\(kind.name): \(kind.shorthand == nil ? "{\(kind.keys[0]): ...}" : "...")`"
  }

  /// The arguments after the rule's key: `true`, the shorthand, or a map.
  private static func arguments(_ kind: any Condition.Type, _ entry: Node.Entry, _ reading: inout Reading) -> Mapping? {
    let node = entry.value
    if !kind.needsArguments, case .bool(true) = node.content { return Mapping(place: node.place, entries: []) }
    if kind.keys.isEmpty {
      reading.report(.argumentsOfPlainRule(kind.name), at: node.place)
      return nil
    }
    if case .mapping(let entries) = node.content,
      kind.shorthand != "rules" || entries.contains(where: { $0.key == "rules" })
    {
      return reading.mapping(node, as: "the rule `\(kind.name)`", keys: kind.keys)
    }
    guard let shorthand = kind.shorthand else {
      let remedy = kind.needsArguments ? example(of: kind) : "write `\(kind.name): true`, or remove the rule"
      return reading.mapping(node, as: "the rule `\(kind.name)`", keys: kind.keys, remedy: remedy)
    }
    return Mapping(place: node.place, entries: [Node.Entry(key: shorthand, keyPlace: entry.keyPlace, value: node)])
  }
}

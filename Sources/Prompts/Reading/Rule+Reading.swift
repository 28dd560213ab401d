package extension Rule {
  /// Reads a rule of a definition or a request.
  ///
  /// It may be a word (`nonEmpty`), a map with one rule as a key and perhaps a `message`
  /// (`{length: {min: 3}, message: …}`), or flat, as the server writes it (`{rule: length, min: 3}`).
  convenience init?(_ node: Node, _ reading: inout Reading) {
    guard reading.takesRule(at: node.place), let parts = Self.parts(of: node, &reading),
      let condition = parts.kind.init(parts.arguments, &reading)
    else { return nil }
    self.init(condition, message: parts.message)
  }

  /// Reads a list of rules.
  static func list(_ node: Node?, _ key: String, _ reading: inout Reading) -> [Rule]? {
    guard let elements = reading.list(node, key) else { return nil }
    let rules = elements.compactMap { Rule($0, &reading) }
    return rules.count == elements.count ? rules : nil
  }

  private typealias Parts = (kind: any Condition.Type, arguments: Mapping, message: String?)

  private static func parts(of node: Node, _ reading: inout Reading) -> Parts? {
    switch node.content {
    case .string(let name):
      guard let kind = kind(named: name) else {
        return reading.refuse(
          "no-such-rule", ["name": name, "nearest": Nearest(to: name, among: Rule.names)], at: node.place)
      }
      if kind.needsArguments {
        return reading.refuse("rule-without-arguments", ["name": name, "remedy": example(of: kind)], at: node.place)
      }
      return (kind, Mapping(place: node.place, entries: []), nil)
    case .mapping(let entries):
      let flat = entries.first { isSame($0.key, "rule") }
      return flat.map { parts(flat: node, $0.value, &reading) } ?? parts(keyed: node, entries, &reading)
    default: return reading.refuse("not-a-rule", ["found": node.kindInWords], at: node.place)
    }
  }

  private static func parts(keyed node: Node, _ entries: [Node.Entry], _ reading: inout Reading) -> Parts? {
    let rules = entries.filter { kind(named: $0.key) != nil }
    guard let entry = rules.first, let kind = kind(named: entry.key) else {
      let unknown = entries.first { !common.contains($0.key) }
      return reading.refuse(
        unknown.map { FaultRow("no-such-rule", ["name": $0.key, "nearest": Nearest(to: $0.key, among: Rule.names)]) }
          ?? FaultRow("no-rule"), at: unknown?.keyPlace ?? node.place)
    }
    if rules.count > 1, !isSame(rules[1].key, entry.key) {
      return reading.refuse("two-rules", ["one": entry.key, "other": rules[1].key], at: rules[1].keyPlace)
    }
    // An argument next to its rule is the most likely mistake: say where it belongs.
    if let extra = entries.first(where: { kind.keys.contains($0.key) && !isSame($0.key, entry.key) }) {
      return reading.refuse(
        "argument-beside-rule",
        [
          "key": extra.key, "rule": entry.key, "arguments": kind.keys.map { "\($0): ..." }.joined(separator: ", "),
          "members": kind.keys.map { "\"\($0)\": ..." }.joined(separator: ", "),
        ], at: extra.keyPlace)
    }
    let example = FaultRow("write-rule", ["name": kind.name])
    guard let map = reading.mapping(node, as: "a rule", keys: [entry.key] + common, remedy: example),
      let arguments = arguments(kind, entry, &reading)
    else { return nil }
    return (kind, arguments, message(map, &reading))
  }

  private static func parts(flat node: Node, _ value: Node, _ reading: inout Reading) -> Parts? {
    guard let name = reading.string(value, "rule") else { return nil }
    guard let kind = kind(named: name) else {
      return reading.refuse(
        "no-such-rule", ["name": name, "nearest": Nearest(to: name, among: Rule.names)], at: value.place)
    }
    let map = reading.mapping(
      node, as: "the rule `\(name)`", keys: ["rule"] + kind.keys + common,
      remedy: FaultRow("write-rule", ["name": kind.name]))
    return map.map { (kind, $0, message($0, &reading)) }
  }

  /// Keys that any rule may have. `decidedBy` stands in rules as the server writes them; here it is read and ignored.
  private static let common = ["message", "decidedBy"]

  private static func message(_ map: Mapping, _ reading: inout Reading) -> String? {
    if let node = map["decidedBy"], let word = reading.string(node, "decidedBy"), DecidedBy(rawValue: word) == nil {
      reading.report("decided-by", ["word": word], at: node.place)
    }
    guard let node = map["message"], let message = reading.string(node, "message") else { return nil }
    if Reading.isBlank(message) {
      reading.report("blank-message", at: node.place)
    } else if message.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A }) {
      reading.report("control-character-in-message", at: node.place)
    }
    return message
  }

  private static func example(of kind: any Condition.Type) -> FaultRow {
    kind.shorthand == nil
      ? FaultRow("write-rule-map", ["name": kind.name, "key": kind.keys[0]])
      : FaultRow("write-rule", ["name": kind.name])
  }

  /// The arguments after the rule's key: `true`, the shorthand, or a map.
  private static func arguments(_ kind: any Condition.Type, _ entry: Node.Entry, _ reading: inout Reading) -> Mapping? {
    let node = entry.value
    if !kind.needsArguments, case .bool(true) = node.content { return Mapping(place: node.place, entries: []) }
    if kind.keys.isEmpty { return reading.refuse("arguments-of-plain-rule", ["name": kind.name], at: node.place) }
    if case .mapping(let entries) = node.content,
      kind.shorthand != "rules" || entries.contains(where: { $0.key == "rules" })
    {
      return reading.mapping(node, as: "the rule `\(kind.name)`", keys: kind.keys, remedy: example(of: kind))
    }
    guard let shorthand = kind.shorthand else {
      let remedy = kind.needsArguments ? example(of: kind) : FaultRow("write-rule-true", ["name": kind.name])
      return reading.mapping(node, as: "the rule `\(kind.name)`", keys: kind.keys, remedy: remedy)
    }
    return Mapping(place: node.place, entries: [Node.Entry(key: shorthand, keyPlace: entry.keyPlace, value: node)])
  }
}

internal import StrictJSON

/// A value of an argument.
protocol ArgumentValue: SendableMetatype {
  /// Reads it; `nil` if a fault was reported.
  static func read(_ node: Node, _ key: String, _ reading: inout Reading) -> Self?
  /// Writes it as a member, unless it is the default.
  func write(as key: String, to json: inout JSONWriter, for reader: Audience)
}

extension Optional: ArgumentValue where Wrapped: ArgumentValue {
  static func read(_ node: Node, _ key: String, _ reading: inout Reading) -> Self? {
    Wrapped.read(node, key, &reading).map(Optional.some)
  }
  func write(as key: String, to json: inout JSONWriter, for reader: Audience) {
    self?.write(as: key, to: &json, for: reader)
  }
}

extension Bool: ArgumentValue {
  static func read(_ node: Node, _ key: String, _ reading: inout Reading) -> Bool? { reading.bool(node, key) }
  func write(as key: String, to json: inout JSONWriter, for reader: Audience) { if self { json.member(key, true) } }
}

extension Int: ArgumentValue {
  static func read(_ node: Node, _ key: String, _ reading: inout Reading) -> Int? { reading.count(node, key) }
  func write(as key: String, to json: inout JSONWriter, for reader: Audience) { json.member(key, self) }
}

extension String: ArgumentValue {
  static func read(_ node: Node, _ key: String, _ reading: inout Reading) -> String? { reading.string(node, key) }
  func write(as key: String, to json: inout JSONWriter, for reader: Audience) { json.member(key, self) }
}

extension Rule.Order: ArgumentValue {
  static func read(_ node: Node, _ key: String, _ reading: inout Reading) -> Self? { reading.word(node, key) }
  func write(as key: String, to json: inout JSONWriter, for reader: Audience) { json.member(key, rawValue) }
}

extension Field.TimeZone: ArgumentValue {
  static func read(_ node: Node, _ key: String, _ reading: inout Reading) -> Self? { reading.timeZone(node) }
  func write(as key: String, to json: inout JSONWriter, for reader: Audience) { json.member(key, word) }
}

extension ExactNumber: ArgumentValue {
  static func read(_ node: Node, _ key: String, _ reading: inout Reading) -> Self? {
    guard let text = reading.string(node, key, orLiteral: true) else { return nil }
    return ExactNumber(text) ?? reading.refuse(.notANumber(text, key: key), at: node.place)
  }
  func write(as key: String, to json: inout JSONWriter, for reader: Audience) { json.member(key, text) }
}

extension Quantity: ArgumentValue {
  static func read(_ node: Node, _ key: String, _ reading: inout Reading) -> Self? {
    guard let text = reading.string(node, key, orLiteral: true) else { return nil }
    if let quantity = try? Quantity(text) { return quantity }
    return reading.refuse(
      RelativeBound.isMeant(by: text) ? .noMoment(text, key: key) : .noQuantity(text, key: key), at: node.place)
  }
  func write(as key: String, to json: inout JSONWriter, for reader: Audience) { json.member(key, text) }
}

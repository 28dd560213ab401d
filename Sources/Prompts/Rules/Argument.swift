internal import StrictJSON

/// An argument of a rule: its name, how it is read into the rule's condition and how it is written.
///
/// What reads and writes rules walks a condition's table of these, `Condition.arguments`.
struct Argument<Rule: Condition>: Sendable {
  let name: String
  /// What is wrong if it is missing, or `nil` if it may be: `needs a list`.
  var needs: (what: String, remedy: String)?
  /// Whether it may be given without its key, as in `pattern: '…'`.
  var isShorthand = false
  /// Sets it, or reports a fault and returns false. `nil` if the condition reads it itself, with others.
  var read: (@Sendable (inout Rule, Node, inout Reading) -> Bool)?
  let write: @Sendable (Rule, inout JSONWriter, Audience) -> Void

  var faultIfMissing: FaultReason? { needs.map { .ruleNeeds(Rule.name, $0.what, remedy: $0.remedy) } }
}

extension Argument {
  /// An argument that a property holds.
  ///
  /// - Parameter check: what is wrong with a value that could be read, or `nil`.
  init<Value: ArgumentValue>(
    _ name: String, _ path: any WritableKeyPath<Rule, Value> & Sendable, isShorthand: Bool = false,
    needs: (what: String, remedy: String)? = nil, check: @escaping @Sendable (Value) -> FaultReason? = { _ in nil }
  ) {
    self.init(
      name: name, needs: needs, isShorthand: isShorthand,
      read: { rule, node, reading in
        guard let value = Value.read(node, name, &reading) else { return false }
        rule[keyPath: path] = value
        guard let fault = check(value) else { return true }
        reading.report(fault, at: node.place)
        return false
      }, write: { $0[keyPath: path].write(as: name, to: &$1, for: $2) })
  }
}

/// What an argument can be.
protocol ArgumentValue: SendableMetatype {
  /// Reads it; `nil` if a fault was reported.
  static func read(_ node: Node, _ key: String, _ reading: inout Reading) -> Self?
  /// Writes it as a member, unless it is what is meant without it.
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
    if let number = ExactNumber(text) { return number }
    reading.report(.notANumber(text, key: key), at: node.place)
    return nil
  }
  func write(as key: String, to json: inout JSONWriter, for reader: Audience) { json.member(key, text) }
}

extension Quantity: ArgumentValue {
  static func read(_ node: Node, _ key: String, _ reading: inout Reading) -> Self? {
    guard let text = reading.string(node, key, orLiteral: true) else { return nil }
    if let quantity = Quantity(text) { return quantity }
    reading.report(
      RelativeBound.isMeant(by: text) ? .noMoment(text, key: key) : .noQuantity(text, key: key), at: node.place)
    return nil
  }
  func write(as key: String, to json: inout JSONWriter, for reader: Audience) { json.member(key, text) }
}

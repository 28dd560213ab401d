/// An argument of a rule: its name, how it is read into the rule's condition and how it is written.
///
/// The code that reads and writes rules goes through `Condition.arguments`, a condition's table of its arguments.
struct Argument<Rule: Condition>: Sendable {
  let name: String
  /// The fault if it is missing, such as `needs a list`; or `nil` if it is optional.
  var needs: (what: String, remedy: SentenceTable.Fact)?
  /// True if it may be given without its key, as in `pattern: '…'`.
  var isShorthand = false
  /// Reads it from the arguments, if it is given, into the condition; or reports a fault and returns false.
  let read: @Sendable (inout Rule, Mapping, inout Reading) -> Bool
  var write: @Sendable (Rule, inout JSONWriter, Audience) -> Void

  var faultIfMissing: FaultRow? {
    needs.map { FaultRow("rule-needs", ["rule": Rule.name, "what": $0.what, "remedy": $0.remedy]) }
  }
}

extension Argument {
  /// An argument that a property holds.
  ///
  /// - Parameter check: what is wrong with a value that could be read, or `nil`.
  init<Value: ArgumentValue>(
    _ name: String, _ path: any WritableKeyPath<Rule, Value> & Sendable, isShorthand: Bool = false,
    needs: (what: String, remedy: SentenceTable.Fact)? = nil,
    check: @escaping @Sendable (Value) -> FaultRow? = { _ in nil }
  ) {
    self.init(
      name: name, needs: needs, isShorthand: isShorthand,
      read: { rule, arguments, reading in
        guard let node = arguments[name], let value = Value.read(node, name, &reading) else { return false }
        rule[keyPath: path] = value
        guard let fault = check(value) else { return true }
        reading.report(fault, at: node.place)
        return false
      }, write: { $0[keyPath: path].write(as: name, to: &$1, for: $2) })
  }
}

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
    return ExactNumber(text) ?? reading.refuse("not-a-number", ["key": key, "text": text], at: node.place)
  }
  func write(as key: String, to json: inout JSONWriter, for reader: Audience) { json.member(key, text) }
}

extension Quantity: ArgumentValue {
  static func read(_ node: Node, _ key: String, _ reading: inout Reading) -> Self? {
    guard let text = reading.string(node, key, orLiteral: true) else { return nil }
    if let quantity = try? Quantity(text) { return quantity }
    return reading.refuse(
      RelativeBound.isMeant(by: text)
        ? FaultRow("no-moment", ["key": key, "text": text]) : FaultRow("no-quantity", ["key": key, "text": text]),
      at: node.place)
  }
  func write(as key: String, to json: inout JSONWriter, for reader: Audience) { json.member(key, text) }
}

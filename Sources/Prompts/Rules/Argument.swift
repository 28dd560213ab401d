internal import StrictJSON

/// An argument of a rule: its name, how it is read into the rule's condition and how it is written.
///
/// The code that reads and writes rules goes through `Condition.arguments`, a condition's table of its arguments.
struct Argument<Rule: Condition>: Sendable {
  let name: String
  /// The fault if it is missing, such as `needs a list`; or `nil` if it is optional.
  var needs: (what: String, remedy: String)?
  /// True if it may be given without its key, as in `pattern: '…'`.
  var isShorthand = false
  /// Reads it from the arguments, if it is given, into the condition; or reports a fault and returns false.
  let read: @Sendable (inout Rule, Mapping, inout Reading) -> Bool
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
      read: { rule, arguments, reading in
        guard let node = arguments[name], let value = Value.read(node, name, &reading) else { return false }
        rule[keyPath: path] = value
        guard let fault = check(value) else { return true }
        reading.report(fault, at: node.place)
        return false
      }, write: { $0[keyPath: path].write(as: name, to: &$1, for: $2) })
  }
}

internal import StrictJSON

/// `step`: a whole number of steps from a start, exactly: 0.3 is a step of 0.1.
struct StepRule: TextCondition {
  static let name = "step"
  static var keys: [String] { ["of", "from"] }
  static var shorthand: String? { "of" }

  let of: ExactNumber
  /// nil: 0.
  let from: ExactNumber?

  init(of: ExactNumber, from: ExactNumber?) { (self.of, self.from) = (of, from) }

  init?(_ arguments: Mapping, _ reading: inout Reading) {
    guard let node = arguments["of"] else {
      reading.report("`step` needs `of`", "write it like `step: {of: 0.5}`", at: arguments.place)
      return nil
    }
    let (of, from) = (Self.number(node, "of", &reading), Self.number(arguments["from"], "from", &reading))
    if of == nil || arguments["from"] != nil && from == nil { return nil }
    guard let of, of.sign > 0 else {
      reading.report("a step must be greater than 0", "write it like `step: {of: 0.5}`", at: node.place)
      return nil
    }
    (self.of, self.from) = (of, from)
  }

  private static func number(_ node: Node?, _ key: String, _ reading: inout Reading) -> ExactNumber? {
    guard let node, let text = reading.string(node, key, orLiteral: true) else { return nil }
    if let number = ExactNumber(text) { return number }
    reading.report("`\(key)` `\(text)` is not a number", "write it like 1, 0.5 or 1e3", at: node.place)
    return nil
  }

  func isMet(by text: String) -> Bool {
    guard let value = ExactNumber(text) else { return false }
    return value.isWholeNumber(of: of, from: from ?? .zero)
  }

  func write(to json: inout JSONWriter, for reader: Audience) {
    json.member("of", of.text)
    json.member("from", ifPresent: from?.text)
  }

  func sentence(for reader: Audience) -> Sentence {
    .step(of: of.text, from: from.flatMap { $0.sign == 0 ? nil : $0.text })
  }
}

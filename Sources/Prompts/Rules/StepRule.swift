/// `step`: a whole number of steps from a start, exactly: 0.3 is a step of 0.1.
struct StepRule: TextCondition {
  static let name = "step"
  static let arguments = [
    Argument(
      "of", \Self.of, isShorthand: true, needs: ("`of`", FaultRow("write-step")),
      check: { $0.sign > 0 ? nil : FaultRow("step-not-positive") }),
    Argument("from", \Self.from),
  ]

  var of = ExactNumber.zero
  /// The value from which steps are counted, or `nil` for 0.
  var from: ExactNumber?

  var limits: Limits { Limits(step: self) }

  func isMet(by text: String) -> Bool {
    guard let value = ExactNumber(text) else { return false }
    return value.isWholeNumber(of: of, from: from ?? .zero)
  }

  func sentence(for reader: Audience) -> Sentence {
    .step(of: of.text, from: from.flatMap { $0.sign == 0 ? nil : $0.text })
  }
}

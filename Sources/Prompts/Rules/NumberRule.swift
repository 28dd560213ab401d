extension TextCondition {
  /// As usual, but a comma that could also group thousands gets a message that says both ways to write the number.
  func judge(number input: Input, of rule: Rule, in context: JudgingContext) -> Finding {
    guard case .text(let text) = input else { return .unmet(rule) }
    if isMet(by: text) { return .met }
    guard let numeral = Numeral(text), numeral.isAmbiguous else { return .unmet(rule) }
    return .unmet(rule, saying: context.sentences(.grouped(numeral.ungrouped, numeral.plain)))
  }
}

/// `number`: a decimal number (see `ExactNumber` for the grammar).
struct NumberRule: TextCondition {
  static let name = "number"

  func isMet(by text: String) -> Bool { ExactNumber(text) != nil }
  var limits: Limits { Limits(lengths: (1, .max)) }

  func judge(_ input: Input, of rule: Rule, in context: JudgingContext) -> Finding {
    judge(number: input, of: rule, in: context)
  }

  func schema(of texts: RawTextContext) -> JSON? {
    // `form` allows any number of digits, so also refuse a text that begins with 35 of them.
    .all([texts.matching(ExactNumber.form), texts.notBeginning(with: #"-?(?:\.?[0-9]){35}"#)])
  }
}

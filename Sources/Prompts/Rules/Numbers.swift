internal import StrictJSON

/// `integer`: `-?[0-9]+`, at most 34 digits.
struct IntegerRule: TextCondition {
  static let name = "integer"

  init() {}
  init?(_ arguments: Mapping, _ reading: inout Reading) {}

  func isMet(by text: String) -> Bool { NumberReader.read(text) { $0.isInteger() } }
  /// A sign and 34 digits.
  func narrow(_ premise: inout Premise) { premise.limit(to: 35) }

  func sentence(for reader: Audience) -> Sentence { .integer }
  func schema(of texts: SentTexts) -> JSON? { texts.matching("-?[0-9]{1,34}") }
}

/// `number`: a decimal number (see `ExactNumber` for the grammar).
struct NumberRule: TextCondition {
  static let name = "number"

  init() {}
  init?(_ arguments: Mapping, _ reading: inout Reading) {}

  func isMet(by text: String) -> Bool { ExactNumber(text) != nil }
  func sentence(for reader: Audience) -> Sentence { .number }

  func schema(of texts: SentTexts) -> JSON? {
    let number = texts.matching(
      #"-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?0*(?:[0-9]{1,2}|[12][0-9]{2}|30[0-8]))?"#)
    // It begins with a digit too many.
    return RuleSchema.all([number, texts.notBeginning(with: #"-?(?:\.?[0-9]){35}"#)])
  }
}

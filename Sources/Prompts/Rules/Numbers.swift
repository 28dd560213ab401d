/// `integer`: `-?[0-9]+`, at most 34 digits.
struct IntegerRule: TextCondition {
  static let name = "integer"

  init() {}
  init?(_ arguments: Mapping, _ reading: inout Reading) {}

  func isMet(by text: String) -> Bool {
    var reader = NumberReader(text)
    return reader.isInteger()
  }

  func sentence(for reader: Audience) -> Sentence { .integer }
}

/// `number`: a decimal number (see `ExactNumber` for the grammar).
struct NumberRule: TextCondition {
  static let name = "number"

  init() {}
  init?(_ arguments: Mapping, _ reading: inout Reading) {}

  func isMet(by text: String) -> Bool { ExactNumber(text) != nil }
  func sentence(for reader: Audience) -> Sentence { .number }
}

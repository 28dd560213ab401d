/// `integer`: `-?[0-9]+`, at most 34 digits.
struct IntegerRule: TextCondition {
  static let name = "integer"

  func isMet(by text: String) -> Bool {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    return (1...ExactNumber.maximumDigits).contains(digits.count) && digits.allSatisfy(ASCII.isDigit)
  }

  func judge(_ input: Input, of rule: Rule, in context: JudgingContext) -> Finding {
    judge(number: input, of: rule, in: context)
  }

  /// A sign and 34 digits.
  var limits: Limits { Limits(lengths: (1, 35)) }

  func schema(of texts: RawTextContext) -> JSON? { texts.matching("-?[0-9]{1,34}") }
}

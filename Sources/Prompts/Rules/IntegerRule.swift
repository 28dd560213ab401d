internal import Base
internal import Pattern
internal import StrictJSON

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
  func narrow(_ premise: inout Premise) { premise.limit(to: 35) }
  var lengths: (min: Int, max: Int) { (1, 35) }
  var shape: PatternSyntax? { Self.form.syntax }
  var core: PatternSyntax? { shape }
  private static let form = try! Pattern("-?[0-9]{1,34}")

  func schema(of texts: RawTextContext) -> JSON? { texts.matching(Self.form.source) }
}

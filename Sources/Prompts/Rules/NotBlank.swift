internal import Pattern
internal import StrictJSON

/// `notBlank`: at least one code point that is not white space (ECMA-262, `\s`).
struct NotBlank: TextCondition {
  static let name = "notBlank"
  /// True if it stands for a field's `required`: then it says what `nonEmpty` says.
  var isRequired = false

  func sentence(for reader: Audience) -> Sentence { isRequired ? .nonEmpty : "notBlank" }
  func isMet(by text: String) -> Bool { text.unicodeScalars.contains { !$0.isWhiteSpace } }
  var limits: Limits { Limits(lengths: (1, .max)) }
  func schema(of texts: RawTextContext) -> JSON? { .keyword("pattern", .string(PatternPrinter.notWhiteSpace)) }
}

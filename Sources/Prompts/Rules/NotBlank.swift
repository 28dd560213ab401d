internal import StrictJSON

/// `notBlank`: at least one code point that is not white space (ECMA-262, `\s`).
struct NotBlank: TextCondition {
  static let name = "notBlank"

  init() {}
  init?(_ arguments: Mapping, _ reading: inout Reading) {}

  func isMet(by text: String) -> Bool { text.unicodeScalars.contains { !$0.isWhiteSpace } }
  func sentence(for reader: Audience) -> Sentence { .notBlank }
  func schema(of texts: SentTexts) -> JSON? { RuleSchema.keyword("pattern", .string(PortablePattern.notWhiteSpace)) }
}

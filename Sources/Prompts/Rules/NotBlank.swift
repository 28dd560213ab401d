internal import StrictJSON

/// `notBlank`: at least one code point that is not white space (ECMA-262, `\s`).
struct NotBlank: TextCondition {
  static let name = "notBlank"

  init() {}
  init?(_ arguments: Mapping, _ reading: inout Reading) {}

  func isMet(by text: String) -> Bool { text.unicodeScalars.contains { !$0.isWhiteSpace } }
  func sentence(for reader: Audience) -> Sentence { .notBlank }
  func schema(of kind: Field.Kind) -> JSON? { RuleSchema.keyword("pattern", .string(Self.somethingElse)) }

  private static let somethingElse =
    #"[^\u0009-\u000d\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]"#
}

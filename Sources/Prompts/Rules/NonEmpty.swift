internal import StrictJSON

/// `nonEmpty`: at least one code point; of choices, at least one chosen.
struct NonEmpty: Condition {
  static let name = "nonEmpty"
  static var judgesChoices: Bool { true }

  init() {}
  init?(_ arguments: Mapping, _ reading: inout Reading) {}

  func judge(_ input: Input, in context: Context) -> Finding { input.isEmpty ? .unmet(nil) : .met }

  var addressesReader: Bool { true }
  func sentence(for reader: Audience) -> Sentence {
    reader.field?.kind.offersOptions == true ? .chooseOption : .nonEmpty
  }

  func schema(of texts: SentTexts) -> JSON? {
    if texts.kind != .choices, texts.trim { return NotBlank().schema(of: texts) }
    return RuleSchema.keyword(texts.kind == .choices ? "minItems" : "minLength", .number("1"))
  }
}

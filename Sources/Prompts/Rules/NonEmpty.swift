/// `nonEmpty`: at least one code point; of choices, at least one chosen.
struct NonEmpty: Condition {
  static let name = "nonEmpty"

  func judge(_ input: Input, of rule: Rule, in context: JudgingContext) -> Finding {
    input.isEmpty ? .unmet(rule) : .met
  }

  var limits: Limits { Limits(lengths: (1, .max), counts: (1, .max)) }

  func sentence(for reader: Audience) -> Sentence {
    reader.kind?.offersOptions == true ? .chooseOption : .nonEmpty
  }

  func schema(of texts: RawTextContext) -> JSON? {
    if !texts.kind.isList, texts.trim { return .keyword("pattern", .string(PatternPrinter.notWhiteSpace)) }
    return .keyword(texts.kind.isList ? "minItems" : "minLength", .integer(1))
  }
}

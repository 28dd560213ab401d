/// `notBlank`: at least one visible code point.
struct NotBlank: TextCondition {
  static let name = "notBlank"
  /// True if it stands for a field's `required`: then it says what `nonEmpty` says.
  var isRequired = false

  func sentence(for reader: Audience) -> Sentence { isRequired ? .nonEmpty : "notBlank" }
  func isMet(by text: String) -> Bool { text.unicodeScalars.contains { !$0.isBlank } }

  /// Nobody has entered spaces in a field that is left empty.
  func judge(_ input: Input, of rule: Rule, in context: JudgingContext) -> Finding {
    guard case .text(let text) = input, !isMet(by: text) else { return input.text == nil ? .unmet(rule) : .met }
    return text.isEmpty && rule.message == nil ? .unmet(rule, saying: context.sentences(.nonEmpty)) : .unmet(rule)
  }

  var limits: Limits { Limits(lengths: (1, .max)) }
  private static let visible =
    PatternPrinter().print(.codePoint(CodePointSet.whiteSpace.union(Hidden.hidden).complement)) ?? ""

  func schema(of texts: RawTextContext) -> JSON? { .keyword("pattern", .string(Self.visible)) }
}

internal import StrictJSON

/// `none`: always met.
struct NoneRule: TextCondition {
  static let name = "none"
  static var judgesChoices: Bool { true }

  init() {}
  init?(_ arguments: Mapping, _ reading: inout Reading) {}

  func judge(_ input: Input, in context: Context) -> Finding { .met }
  func isMet(by text: String) -> Bool { true }
  func sentence(for reader: Audience) -> Sentence { .nonEmpty }
  func schema(of texts: SentTexts) -> JSON? { .object([]) }
}

/// `none`: always met.
struct NoneRule: Condition {
  static let name = "none"

  func judge(_ input: Input, of rule: Rule, in context: JudgingContext) -> Finding { .met }
  func sentence(for reader: Audience) -> Sentence { .nonEmpty }
  func schema(of texts: RawTextContext) -> JSON? { .object([]) }
}

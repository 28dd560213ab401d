/// `sameAs`: equal to another field's text, code point by code point.
struct SameAs: Condition {
  static let name = "sameAs"
  static let arguments = [
    Argument(
      "field", \Self.field, isShorthand: true, needs: ("the name of a field", FaultRow("write-same-as")))
  ]

  var field = ""
  var dependency: Dependency? { .field(field) }

  func judge(_ input: Input, of rule: Rule, in context: JudgingContext) -> Finding {
    guard case .text(let text) = input, case .text(let other)? = context.input(of: field) else { return .unmet(rule) }
    return isSame(text, other) ? .met : .unmet(rule)
  }

  func sentence(for reader: Audience) -> Sentence { .sameAs(reader.label(of: field)) }

  func fault(in field: Field, of fields: [Field]) -> FaultRow? {
    fields.named(self.field)?.kind.isList == true ? FaultRow("same-as-list", ["field": self.field]) : nil
  }
}

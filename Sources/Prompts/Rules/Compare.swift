/// `compare`: less or greater than another field's value, by kind.
///
/// If the other field holds no value of its kind, there is nothing to compare with and the rule is met: that field's own
/// rules report it.
struct Compare: ZonedCondition {
  static let name = "compare"
  static let arguments = [
    Argument(
      "field", \Self.field,
      needs: ("the name of a field", FaultRow("write-compare"))),
    Argument(
      "is", \Self.order, needs: ("`is`", Nearest(to: "", among: Rule.Order.allCases.map(\.rawValue)))),
    Argument("timeZone", \Self.timeZone),
  ]

  var field = ""
  var order = Rule.Order.less
  var dependency: Dependency? { .field(field) }
  var timeZone: Field.TimeZone?

  func judge(_ input: Input, of rule: Rule, in context: JudgingContext) -> Finding {
    guard case .text(let text) = input, let value = context.field?.quantity(text) else {
      return .unmet(rule)
    }
    guard case .text(let otherText)? = context.input(of: field),
      let other = context.fields.named(field)?.quantity(otherText)
    else { return .met }
    return order.holds(value.compared(to: other)) ? .met : .unmet(rule)
  }

  func sentence(for reader: Audience) -> Sentence {
    .compare(order, reader.label(of: field), reader.kind?.quantity ?? .number)
  }

  func fault(in field: Field, of fields: [Field]) -> FaultRow? {
    guard let quantity = field.kind.quantity else { return FaultRow("no-order", ["kind": field.kind.withArticle]) }
    let other = fields.named(self.field)
    guard let other, other.kind.quantity == quantity else {
      return FaultRow(
        "other-order", ["kind": field.kind.withArticle, "other": other?.kind.rawValue ?? "", "field": self.field])
    }
    if quantity == .dateTime, (other.timeZone == nil) != (field.timeZone == nil) {
      return FaultRow("one-time-zone", ["other": self.field])
    }
    return field.faultOfTimeZone(timeZone, in: Self.name)
  }
}

extension Rule.Order {
  /// - Parameter comparison: -1, 0 or 1.
  func holds(_ comparison: Int) -> Bool {
    switch self {
    case .less: comparison < 0
    case .lessOrEqual: comparison <= 0
    case .greater: comparison > 0
    case .greaterOrEqual: comparison >= 0
    }
  }
}

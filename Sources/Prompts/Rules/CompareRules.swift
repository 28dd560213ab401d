internal import StrictJSON

/// `sameAs`: equal to another field's text, code point by code point.
struct SameAs: FieldCondition {
  static let name = "sameAs"
  static var keys: [String] { ["field"] }
  static var shorthand: String? { "field" }

  let field: String

  init(field: String) { self.field = field }

  init?(_ arguments: Mapping, _ reading: inout Reading) {
    guard let field = reading.fieldName(of: Self.name, arguments) else { return nil }
    self.field = field
  }

  func judge(_ input: Input, of rule: Rule, in context: Context) -> Finding {
    guard case .text(let text) = input, case .text(let other)? = context.input(of: field) else { return .unmet(rule) }
    return isSame(text, other) ? .met : .unmet(rule)
  }

  func write(to json: inout JSONWriter, for reader: Audience) { json.member("field", field) }
  var dependsOnField: Bool { true }
  func sentence(for reader: Audience) -> Sentence { .sameAs(reader.label(of: field)) }

  func fault(in field: Field, of fields: [Field]) -> (what: String, remedy: String)? {
    fields.contains { isSame($0.name, self.field) && $0.kind == .choices }
      ? ("`sameAs` compares texts, but `\(self.field)` answers a list", "name a text field") : nil
  }
}

/// `compare`: less or greater than another field's value, by kind.
///
/// If the other field holds no value of its kind, there is nothing to compare with and the rule is met: that field's own
/// rules report it.
struct Compare: FieldCondition, ZonedCondition {
  static let name = "compare"
  static var keys: [String] { ["field", "is", "timeZone"] }

  let field: String
  let order: Rule.Order
  /// `nil` if texts are compared as they are.
  let timeZone: Field.TimeZone?

  init(field: String, order: Rule.Order, timeZone: Field.TimeZone? = nil) {
    (self.field, self.order, self.timeZone) = (field, order, timeZone)
  }

  init?(_ arguments: Mapping, _ reading: inout Reading) {
    let field = reading.fieldName(of: Self.name, arguments)
    if arguments["is"] == nil {
      reading.report(
        "`compare` needs `is`", Nearest.remedy(for: "", among: Rule.Order.allCases.map(\.rawValue)), at: arguments.place
      )
    }
    let order: Rule.Order? = reading.word(arguments["is"], "is")
    let timeZone = reading.timeZone(arguments["timeZone"])
    guard let field, let order, (arguments["timeZone"] == nil) == (timeZone == nil) else { return nil }
    (self.field, self.order, self.timeZone) = (field, order, timeZone)
  }

  func judge(_ input: Input, of rule: Rule, in context: Context) -> Finding {
    guard case .text(let text) = input, let value = context.field?.quantity(text) else {
      return .unmet(rule)
    }
    guard case .text(let otherText)? = context.input(of: field),
      let other = context.fields.named(field)?.quantity(otherText)
    else { return .met }
    return order.holds(value.compared(to: other)) ? .met : .unmet(rule)
  }

  func write(to json: inout JSONWriter, for reader: Audience) {
    json.member("field", field)
    json.member("is", order.rawValue)
    json.member("timeZone", ifPresent: timeZone?.word)
  }

  func inTimeZone(_ timeZone: Field.TimeZone) -> Compare { Compare(field: field, order: order, timeZone: timeZone) }

  var dependsOnField: Bool { true }
  func sentence(for reader: Audience) -> Sentence {
    .compare(order, reader.label(of: field), reader.field?.kind.quantity ?? .number)
  }

  func fault(in field: Field, of fields: [Field]) -> (what: String, remedy: String)? {
    guard let own = field.kind.quantity else {
      return (
        "`compare` needs an order, and \(field.kind.withArticle) field has none", "use it on a number, date or time"
      )
    }
    let other = fields.named(self.field)
    guard other?.kind.quantity == own else {
      return (
        "`compare` cannot compare \(field.kind.withArticle) with the `\(other?.kind.rawValue ?? "")` of `\(self.field)`",
        "compare fields of the same kind"
      )
    }
    if own == .dateTime, (other?.timeZone == nil) != (field.timeZone == nil) {
      return (
        "of this field and `\(self.field)` only one has a time zone, and local times are no moments",
        "give both a `timeZone`, or neither"
      )
    }
    return field.faultOfTimeZone(timeZone, in: Self.name)
  }
}

extension Rule.Order {
  /// - Parameter comparison: -1, 0 or 1.
  fileprivate func holds(_ comparison: Int) -> Bool {
    switch self {
    case .less: comparison < 0
    case .lessOrEqual: comparison <= 0
    case .greater: comparison > 0
    case .greaterOrEqual: comparison >= 0
    }
  }
}

extension Reading {
  /// The `field` argument of rules that look at another field.
  fileprivate mutating func fieldName(of rule: String, _ arguments: Mapping) -> String? {
    if let node = arguments["field"] { return string(node, "field") }
    report(
      "`\(rule)` needs the name of a field",
      "write it like `\(rule): \(rule == "sameAs" ? "password" : "{field: start, is: greater}")`", at: arguments.place)
    return nil
  }
}

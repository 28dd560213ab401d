internal import StrictJSON

/// `sameAs`: equal to another field's text, code point by code point.
struct SameAs: Condition {
  static let name = "sameAs"
  static var keys: [String] { ["field"] }
  static var shorthand: String? { "field" }

  let field: String

  init(field: String) { self.field = field }

  init?(_ arguments: Mapping, _ reading: inout Reading) {
    guard let field = reading.fieldName(of: Self.name, arguments) else { return nil }
    self.field = field
  }

  var reference: String? { field }

  func judge(_ input: Input, in context: Context) -> Finding {
    guard case .text(let text) = input, case .text(let other)? = context.input(of: field) else { return .unmet(nil) }
    return isSame(text, other) ? .met : .unmet(nil)
  }

  func write(to json: inout JSONWriter, for reader: Audience) { json.member("field", field) }
  var addressesReader: Bool { true }
  func sentence(for reader: Audience) -> Sentence { .sameAs(reader.label(of: field)) }

  func fault(in field: Field, of fields: [Field]) -> (what: String, remedy: String)? {
    fields.contains { isSame($0.name, self.field) && $0.kind == .choices }
      ? ("`sameAs` compares texts, but `\(self.field)` answers a list", "name a text field") : nil
  }
}

extension Reading {
  /// The `field` argument of rules that look at another field.
  mutating func fieldName(of rule: String, _ arguments: Mapping) -> String? {
    if let node = arguments["field"] { return string(node, "field") }
    report(
      "`\(rule)` needs the name of a field",
      "write it like `\(rule): \(rule == "sameAs" ? "password" : "{field: start, is: greater}")`", at: arguments.place)
    return nil
  }
}

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

  func judge(_ input: Input, in context: Context) -> Finding {
    guard case .text(let text) = input, case .text(let other)? = context.input(of: field) else { return .unmet(nil) }
    return isSame(text, other) ? .met : .unmet(nil)
  }

  func write(to json: inout JSONWriter, for reader: Audience) { json.member("field", field) }
  func sentence(for reader: Audience) -> Sentence { .sameAs(reader.label(of: field)) }

  func fault(in field: Field, of fields: [Field]) -> (what: String, remedy: String)? {
    missingField(self.field, besides: field, of: fields)
      ?? (fields.contains { isSame($0.name, self.field) && $0.kind == .choices }
        ? ("`sameAs` compares texts, but `\(self.field)` answers a list", "name a text field") : nil)
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

extension Condition {
  /// A fault if no other field of the prompt has this name.
  func missingField(_ name: String, besides field: Field, of fields: [Field]) -> (what: String, remedy: String)? {
    let others = fields.map(\.name).filter { !isSame($0, field.name) }
    if others.contains(where: { isSame($0, name) }) { return nil }
    return isSame(name, field.name)
      ? ("`\(Self.name)` names its own field `\(name)`", "name another field")
      : (
        "`\(Self.name)` names no field of this prompt: `\(name)`",
        others.isEmpty ? "add the field, or remove the rule" : Nearest.remedy(for: name, among: others)
      )
  }
}

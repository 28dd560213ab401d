internal import Mustache

/// The names a template can use, each with its value.
///
/// A name without a value is stored as `false`, for two reasons: a template then never finds the name of an outer level
/// instead, and no section is drawn for it. An empty text counts as no value, because to Mustache `""` is true, and it
/// prints `nil` for nil.
struct TemplateValues: MustacheParent {
  private var values: [String: any Sendable] = [:]

  subscript(name: String) -> String? {
    get { values[name] as? String }
    set { values[name] = newValue.flatMap { $0.isEmpty ? nil : $0 } ?? false }
  }

  mutating func set(_ name: String, _ flag: Bool) { values[name] = flag }
  mutating func set(_ name: String, _ list: [TemplateValues]) { values[name] = list }
  mutating func set(_ name: String, _ list: [String]) { values[name] = list }
  mutating func set(_ name: String, _ nested: TemplateValues) { values[name] = nested }

  func child(named name: String) -> Any? { values[name] }
}

internal import Mustache
internal import Prompts

/// The names a template can use, each with its value.
///
/// A name without a value is stored as `Nothing`: a template then never finds the name of an outer level instead, and no
/// section is drawn for it. An empty text counts as no value, because to Mustache `""` is true. Texts are written so that
/// nothing in them is hidden, except those that are `Raw`.
struct TemplateValues: MustacheParent, TemplateValue, ExpressibleByDictionaryLiteral {
  private var values: [String: any TemplateValue] = [:]

  init(dictionaryLiteral values: (String, (any TemplateValue)?)...) {
    for (name, value) in values { setRevealed(name, to: value) }
  }

  /// Sets the value of a name; in a text of it, what is hidden is written out.
  mutating func setRevealed(_ name: String, to value: (any TemplateValue)?) {
    switch value {
    case let text as String: values[name] = text.isEmpty ? Nothing() : text.revealed
    case let texts as [String]: values[name] = texts.map(\.revealed)
    case let raw as Raw: values[name] = raw.text.isEmpty ? Nothing() : raw.text
    default: values[name] = value ?? Nothing()
    }
  }

  /// The same with more names, or other values for them.
  func merging(_ more: TemplateValues) -> TemplateValues {
    var merged = self
    merged.values.merge(more.values) { $1 }
    return merged
  }

  func child(named name: String) -> Any? { values[name] }
}

/// The value of a template's name: a text, a flag for a section, values of its own, or a list.
protocol TemplateValue: Sendable {}

/// No value: no section is drawn for it, and nothing is printed. Mustache prints `false` and `nil` as words.
struct Nothing: TemplateValue, MustacheCustomRenderable {
  var renderText: String { "" }
  var isNull: Bool { true }
}

/// A text that stays as it is: what a control holds, or a sentence of our own, in which only values from outside are
/// written out and which may have marks of direction.
struct Raw: TemplateValue {
  let text: String

  init?(_ text: String?) {
    guard let text else { return nil }
    self.text = text
  }
}

extension String: TemplateValue {}
extension Bool: TemplateValue {}
extension Array: TemplateValue where Element: TemplateValue {}

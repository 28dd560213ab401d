internal import StrictJSON

/// A key of a field in a definition: what it says about a `Field`, and which kinds take it.
///
/// What reads and writes definitions, translates them or puts them into a JSON Schema walks this table.
struct FieldKey: Sendable {
  let name: String
  /// Sets what the key says, or `nil` if `FieldDraft` does, since that needs other keys or places too.
  var read: (@Sendable (inout Field, Node, inout Reading) -> Void)?
  /// Writes the key, unless it says nothing; or `nil` if what it says depends on the reader.
  var write: (@Sendable (Field, inout JSONWriter) -> Void)?
  /// Which kinds take it, and what is wrong with it in others; or `nil` if all take it.
  var fit: Fit?
  /// Whether a translation has it too.
  var isTranslated = false
  /// Whether a JSON Schema has no word for it, so that it stands in `x-okcancel`.
  var isExtra = false

  struct Fit: Sendable {
    let takes: @Sendable (Field.Kind) -> Bool
    /// Said of the kind, or `nil` for the usual sentence.
    var what: String?
    var remedy = "remove it"
    /// Whether the fault is in the value and not in the key.
    var isInValue = false

    static let typed = Fit { $0.isTyped }
    // Dates and times take keys too, and a browser can fill in a birthday.
    static let keys = Fit { $0.isTyped || [.date, .time, .dateTime].contains($0) }
  }

  /// In the order in which they are written. A time zone is read before the rules that are in it.
  static let all: [FieldKey] = [
    FieldKey(name: "name", write: { $1.member("name", $0.name) }),
    FieldKey(
      name: "label",
      read: { field, node, reading in
        if let text = reading.text(node, "label", as: .title, limit: 200) { field.label = text }
      }, write: { $1.member("label", $0.label) }, isTranslated: true),
    FieldKey(name: "kind", write: { $1.member("kind", $0.kind.rawValue) }, isExtra: true),
    .text(
      "placeholder", \.placeholder, as: .line, limit: 200,
      Fit(
        takes: { $0.isTyped }, what: "has no place for a placeholder", remedy: "write it as `help`, or remove it",
        isInValue: true), isExtra: true),
    .text("help", \.help, as: .lines, limit: 1_000),
    FieldKey(name: "value"),
    .flag("optional", \.optional, isAlwaysWritten: true),
    .flag("trim", \.trim, isAlwaysWritten: true, isExtra: true),
    .flag(
      "international", \.international,
      Fit(takes: { $0 == .email }, remedy: "remove it, or make the kind `email`", isInValue: true)),
    FieldKey(
      name: "timeZone",
      // One that could not be read stands for another, so that rules that need one have no second fault.
      read: { field, node, reading in field.timeZone = reading.timeZone(node) ?? .named("UTC") },
      write: { $1.member("timeZone", ifPresent: $0.timeZone?.word) }, isExtra: true),
    FieldKey(name: "when", isTranslated: true),
    FieldKey(
      name: "validate", read: { field, node, reading in field.validate = reading.moments(node) },
      write: { $0.writeMoments(to: &$1) }, isExtra: true),
    FieldKey(name: "allow", isExtra: true),
    FieldKey(name: "rules", isExtra: true),
    FieldKey(
      name: "options",
      write: { field, json in
        guard !field.options.isEmpty else { return }
        json.member("options") { json in
          json.array(field.options) { json, option in
            json.object { json in
              json.member("value", option.value)
              json.member("title", option.title)
            }
          }
        }
      }, isTranslated: true),
    .word("keyboard", \.typing.keyboard, .typed, isExtra: true),
    .word("capitalize", \.typing.capitalize, .typed, isExtra: true),
    FieldKey(
      name: "autocomplete",
      read: { field, node, reading in
        field.typing.autocomplete = reading.autocomplete(node) ?? field.typing.autocomplete
      },
      write: { $1.member("autocomplete", ifPresent: $0.typing.autocomplete) }, fit: .keys, isExtra: true),
    .word("enterKey", \.typing.enterKey, .keys, isExtra: true),
    FieldKey(
      name: "spellcheck",
      read: { field, node, reading in
        field.typing.spellcheck = reading.bool(node, "spellcheck") ?? field.typing.spellcheck
      },
      write: { field, json in if let isOn = field.typing.spellcheck { json.member("spellcheck", isOn) } }, fit: .typed,
      isExtra: true),
    .word("valueType", \.answer.type),
    .flag("omitEmpty", \.answer.omitsEmpty),
    .flag("nullable", \.answer.isNullable),
  ]

  /// As messages list them: what a field is, and then when it is asked for.
  static let names = all.map(\.name).filter { $0 != "when" } + ["when"]

  // MARK: Types

  private typealias Path<Value> = any WritableKeyPath<Field, Value> & Sendable

  private static func text(
    _ name: String, _ path: Path<String?>, as form: Reading.TextForm, limit: Int,
    _ fit: Fit? = nil, isExtra: Bool = false
  ) -> FieldKey {
    FieldKey(
      name: name,
      read: { field, node, reading in field[keyPath: path] = reading.text(node, name, as: form, limit: limit) },
      write: { $1.member(name, ifPresent: $0[keyPath: path]) }, fit: fit, isTranslated: true, isExtra: isExtra)
  }

  private static func flag(
    _ name: String, _ path: Path<Bool>, _ fit: Fit? = nil, isAlwaysWritten: Bool = false,
    isExtra: Bool = false
  ) -> FieldKey {
    FieldKey(
      name: name,
      read: { field, node, reading in field[keyPath: path] = reading.bool(node, name) ?? field[keyPath: path] },
      write: { field, json in
        if isAlwaysWritten || field[keyPath: path] { json.member(name, field[keyPath: path]) }
      }, fit: fit, isExtra: isExtra)
  }

  private static func word<Word: RawRepresentable<String> & CaseIterable & SendableMetatype>(
    _ name: String, _ path: Path<Word?>, _ fit: Fit? = nil, isExtra: Bool = false
  ) -> FieldKey {
    FieldKey(
      name: name,
      read: { field, node, reading in field[keyPath: path] = reading.word(node, name) ?? field[keyPath: path] },
      write: { $1.member(name, ifPresent: $0[keyPath: path]?.rawValue) }, fit: fit, isExtra: isExtra)
  }
}

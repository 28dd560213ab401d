internal import StrictJSON

/// A key of a field in a definition: what it says about a `Field`, and which kinds take it.
///
/// What reads and writes definitions, translates them or puts them into a JSON Schema walks this table.
struct FieldKey: Sendable {
  let name: String
  /// Sets what the key says, or `nil` if `FieldDraft` does, since that needs places too.
  var read: (@Sendable (inout Field, Node, inout Reading) -> Void)?
  /// Writes the key, unless it says nothing.
  let write: @Sendable (Field, inout JSONWriter, Audience) -> Void
  /// Which kinds take it, and what is wrong with it in others; or `nil` if all take it.
  var fit: Fit?
  /// Whether it means nothing as long as the kind is not known.
  var needsKind = false
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
    FieldKey(name: "name", write: { field, json, _ in json.member("name", field.name) }),
    FieldKey(
      name: "label",
      read: { field, node, reading in
        if let text = reading.text(node, "label", as: .title, limit: 200) { field.label = text }
      }, write: { field, json, _ in json.member("label", field.label) }, isTranslated: true),
    FieldKey(name: "kind", write: { field, json, _ in json.member("kind", field.kind.rawValue) }, isExtra: true),
    .text(
      "placeholder", \.placeholder, as: .line, limit: 200,
      Fit(
        takes: { $0.isTyped }, what: "has no place for a placeholder", remedy: "write it as `help`, or remove it",
        isInValue: true), isExtra: true),
    .text("help", \.help, as: .lines, limit: 1_000),
    FieldKey(
      name: "value",
      read: { field, node, reading in field.value = reading.input(node, for: field.kind) ?? field.value },
      write: { field, json, _ in if !field.value.isEmpty { json.member("value") { $0.value(field.value) } } },
      needsKind: true),
    .flag("required", \.required),
    .flag("optional", \.optional, isAlwaysWritten: true),
    .flag("trim", \.trim, isAlwaysWritten: true, isExtra: true),
    .flag(
      "international", \.international,
      Fit(takes: { $0 == .email }, remedy: "remove it, or make the kind `email`", isInValue: true)),
    FieldKey(
      name: "timeZone",
      // One that could not be read stands for another, so that rules that need one have no second fault.
      read: { field, node, reading in field.timeZone = reading.timeZone(node) ?? .named("UTC") },
      write: { field, json, _ in json.member("timeZone", ifPresent: field.timeZone?.word) }, isExtra: true),
    FieldKey(name: "when", write: { $0.when.write(to: &$1, for: $2, isDefinition: true) }, isTranslated: true),
    FieldKey(
      name: "validate", read: { field, node, reading in field.validate = reading.moments(node) },
      write: { field, json, _ in field.writeMoments(to: &json) }, isExtra: true),
    FieldKey(
      name: "allow",
      write: { field, json, reader in
        if !field.allow.isEmpty { json.array("allow", field.allow) { $1.write(to: &$0, for: reader) } }
      }, isExtra: true),
    FieldKey(
      name: "rules",
      write: { field, json, reader in
        json.array("rules", reader.isAuthor ? field.writtenRules : field.rules) { $1.write(to: &$0, for: reader) }
      }, isExtra: true),
    FieldKey(
      name: "options",
      read: { field, node, reading in if field.kind.offersOptions { field.options = reading.options(node) } },
      write: { field, json, _ in
        guard !field.options.isEmpty else { return }
        json.array("options", field.options) { $0.value(["value": .string($1.value), "title": .string($1.title)]) }
      },
      fit: Fit(
        takes: { $0.offersOptions }, what: "offers no options",
        remedy: "make the kind `choice` or `choices`, or use the rule `oneOf`", isInValue: true), isTranslated: true),
    .word("keyboard", \.typing.keyboard, .typed, isExtra: true),
    .word("capitalize", \.typing.capitalize, .typed, isExtra: true),
    FieldKey(
      name: "autocomplete",
      read: { field, node, reading in
        field.typing.autocomplete = reading.autocomplete(node) ?? field.typing.autocomplete
      },
      write: { field, json, _ in json.member("autocomplete", ifPresent: field.typing.autocomplete) }, fit: .keys,
      isExtra: true),
    .word("enterKey", \.typing.enterKey, .keys, isExtra: true),
    FieldKey(
      name: "spellcheck",
      read: { field, node, reading in
        field.typing.spellcheck = reading.bool(node, "spellcheck") ?? field.typing.spellcheck
      },
      write: { field, json, _ in if let isOn = field.typing.spellcheck { json.member("spellcheck", isOn) } },
      fit: .typed, isExtra: true),
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
      write: { field, json, _ in json.member(name, ifPresent: field[keyPath: path]) }, fit: fit, isTranslated: true,
      isExtra: isExtra)
  }

  private static func flag(
    _ name: String, _ path: Path<Bool>, _ fit: Fit? = nil, isAlwaysWritten: Bool = false,
    isExtra: Bool = false
  ) -> FieldKey {
    FieldKey(
      name: name,
      read: { field, node, reading in field[keyPath: path] = reading.bool(node, name) ?? field[keyPath: path] },
      write: { field, json, _ in
        if isAlwaysWritten || field[keyPath: path] { json.member(name, field[keyPath: path]) }
      }, fit: fit, isExtra: isExtra)
  }

  private static func word<Word: RawRepresentable<String> & CaseIterable & SendableMetatype>(
    _ name: String, _ path: Path<Word?>, _ fit: Fit? = nil, isExtra: Bool = false
  ) -> FieldKey {
    FieldKey(
      name: name,
      read: { field, node, reading in field[keyPath: path] = reading.word(node, name) ?? field[keyPath: path] },
      write: { field, json, _ in json.member(name, ifPresent: field[keyPath: path]?.rawValue) }, fit: fit,
      isExtra: isExtra)
  }
}

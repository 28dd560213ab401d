/// A key of a field in a definition: what it says about a `Field`, and which kinds take it.
///
/// The code that reads, writes and translates definitions and reads `x-okcancel` in a JSON Schema uses this table.
struct FieldKey: Sendable {
  let name: String
  /// Reads the key's value into the field, or `nil` if `FieldDraft` reads it because it also needs places.
  var read: (@Sendable (inout Field, Node, inout Reading) -> Void)?
  /// Writes the key, unless it says nothing.
  let write: @Sendable (Field, inout JSONWriter, Audience) -> Void
  /// The kinds that accept it, and the fault of it in others; or `nil` if all accept it.
  var fit: Fit?
  /// True if it means nothing as long as the kind is not known.
  var needsKind = false
  /// True if a translation has it too.
  var isTranslated = false
  /// The text that it is, or `nil` if it is something else.
  var words: Words?
  /// True if JSON Schema has no keyword for it, so that a schema puts it in `x-okcancel`.
  var isExtra = false

  struct Fit: Sendable {
    let takes: @Sendable (Field.Kind) -> Bool
    /// The row of `faults.txt` about a field of another kind, whose facts are the kind and the key.
    var fault = "unfit"
    /// True if the fault is in the value and not in the key.
    var isInValue = false

    static let typed = Fit { $0.isTyped }
    // Dates and times take keys too, and a browser can fill in a birthday.
    static let keys = Fit { $0.isTyped || [.date, .time, .dateTime].contains($0) }
  }

  /// A text that people read.
  struct Words: Sendable {
    let path: Path<String?>
    let form: Reading.TextForm
    /// Code points.
    let limit: Int
  }

  /// In the order in which they are written. A time zone is read before the rules that are in it.
  static let all: [FieldKey] = [
    FieldKey(name: "name", write: { field, json, _ in json.member("name", field.name) }),
    FieldKey(
      name: "at", read: { field, node, reading in field.at = reading.pointer(node, "at") ?? field.at },
      write: { field, json, _ in if !isSame(field.at, JSONPointer.text([field.name])) { json.member("at", field.at) } }
    ),
    .text("label", \.writtenLabel, as: .title, limit: 200),
    FieldKey(name: "kind", write: { field, json, _ in json.member("kind", field.kind.rawValue) }, isExtra: true),
    .text(
      "placeholder", \.placeholder, as: .line, limit: 200,
      Fit(
        takes: { $0.isTyped }, fault: "unfit.placeholder",
        isInValue: true), isExtra: true),
    .text("help", \.help, as: .lines, limit: Field.helpLimit),
    .text(
      "unit", \.unit, as: .title, limit: 16,
      Fit(takes: { $0.quantity == .number }, fault: "unfit.number"), isExtra: true),
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
      Fit(takes: { $0 == .email }, fault: "unfit.email", isInValue: true)),
    // If the time zone cannot be read, UTC takes its place, so that rules that need one report no second fault.
    .value(
      "timeZone", \.timeZone, isExtra: true, read: { $1.timeZone($0) ?? .named("UTC") },
      json: { $0.map { .string($0.word) } }),
    FieldKey(name: "when", write: { $0.when.write(to: &$1, for: $2, isDefinition: true) }, isTranslated: true),
    FieldKey(
      name: "validate", read: { field, node, reading in field.validate = reading.moments(node) },
      write: { field, json, _ in field.writeMoments(to: &json) }, isExtra: true),
    FieldKey(
      name: "allow",
      write: { field, json, reader in
        if !field.allow.isEmpty { json.member("allow") { $0.rules(field.allow, for: reader) } }
      }, isExtra: true),
    FieldKey(
      name: "rules",
      write: { field, json, reader in
        field.write(reader.isAuthor ? field.writtenRules : field.rules, to: &json, for: reader)
      }, isExtra: true),
    // Read and written as the last of the rules.
    FieldKey(
      name: "items", write: { _, _, _ in },
      fit: Fit(takes: { $0 == .list }, fault: "unfit.list", isInValue: true)),
    FieldKey(
      name: "options",
      read: { field, node, reading in if field.kind.offersOptions { field.options = reading.options(node) } },
      write: { field, json, _ in
        guard !field.options.isEmpty else { return }
        json.array("options", field.options) { json, option in
          json.value([
            "value": .string(option.value), "title": .string(option.title), "help": option.help.map(JSON.string),
          ])
        }
      },
      fit: Fit(
        takes: { $0.offersOptions }, fault: "unfit.options", isInValue: true), isTranslated: true),
    .word("keyboard", \.typing.keyboard, .typed, isExtra: true),
    .word("capitalize", \.typing.capitalize, .typed, isExtra: true),
    .value(
      "autocomplete", \.typing.autocomplete, .keys, isExtra: true, read: { $1.autocomplete($0) },
      json: { $0.map(JSON.string) }),
    .word("enterKey", \.typing.enterKey, .keys, isExtra: true),
    .value(
      "spellcheck", \.typing.spellcheck, .typed, isExtra: true, read: { $1.bool($0, "spellcheck") },
      json: { $0.map(JSON.bool) }),
    .word("valueType", \.answer.type),
    FieldKey(
      name: "valueTypes",
      read: { field, node, reading in
        field.answer.types = (reading.list(node, "valueTypes") ?? []).compactMap { reading.word($0, "valueTypes") }
      },
      write: { field, json, _ in
        let types = field.answer.types
        if types.count > 1 { json.member("valueTypes") { $0.array(types.map(\.rawValue)) } }
      }),
    .flag("omitEmpty", \.answer.omitsEmpty),
    .flag("nullable", \.answer.isNullable),
  ]

  /// The texts of the section that begins with a field: keys of its translation only.
  static let ofSection: [FieldKey] = [
    .text("section", \.section, as: .title, limit: 200),
    .text("sectionHelp", \.sectionHelp, as: .lines, limit: Field.helpLimit),
  ]

  /// The keys in the order in which messages list them: `when` comes last.
  static let names = all.map(\.name).filter { $0 != "when" } + ["when"]

  /// The fault of a key that other formats use for a field, or write beside one; or `nil` for any other.
  static func fault(of key: String) -> FaultRow? {
    let keys = [
      "type": "kind", "enum": "options", "choices": "options", "default": "value", "initial": "value", "title": "label",
      "description": "help", "hint": "help",
    ]
    if let meant = keys[key] { return FaultRow("no-such-key.meant", ["key": key, "meant": meant]) }
    return switch key {
    case "min", "minimum": FaultRow("no-such-key.min", ["key": key])
    case "max", "maximum": FaultRow("no-such-key.max", ["key": key])
    case "minLength": FaultRow("no-such-key.min-length", ["key": key])
    case "maxLength": FaultRow("no-such-key.max-length", ["key": key])
    case "regex": FaultRow("no-such-key.regex", ["key": key])
    default: Rule.names.contains(key) ? FaultRow("no-such-key.rule", ["key": key]) : nil
    }
  }

  // MARK: Types

  typealias Path<Value> = any WritableKeyPath<Field, Value> & Sendable

  /// A key with a value that a property of the field holds; `read` and `json` are `nil` for nothing.
  private static func value<Value>(
    _ name: String, _ path: Path<Value>, _ fit: Fit? = nil, isExtra: Bool = false,
    read: @escaping @Sendable (Node, inout Reading) -> Value?, json: @escaping @Sendable (Value) -> JSON?
  ) -> FieldKey {
    FieldKey(
      name: name, read: { field, node, reading in field[keyPath: path] = read(node, &reading) ?? field[keyPath: path] },
      write: { field, writer, _ in if let value = json(field[keyPath: path]) { writer.member(name, value) } },
      fit: fit, isExtra: isExtra)
  }

  private static func text(
    _ name: String, _ path: Path<String?>, as form: Reading.TextForm, limit: Int,
    _ fit: Fit? = nil, isExtra: Bool = false
  ) -> FieldKey {
    var key = value(
      name, path, fit, isExtra: isExtra,
      read: { $1.text($0, name, as: form, limit: limit) }, json: { $0.map(JSON.string) })
    key.isTranslated = true
    key.words = Words(path: path, form: form, limit: limit)
    return key
  }

  private static func flag(
    _ name: String, _ path: Path<Bool>, _ fit: Fit? = nil, isAlwaysWritten: Bool = false, isExtra: Bool = false
  ) -> FieldKey {
    value(
      name, path, fit, isExtra: isExtra, read: { $1.bool($0, name) }, json: { isAlwaysWritten || $0 ? .bool($0) : nil })
  }

  private static func word<Word: RawRepresentable<String> & CaseIterable & SendableMetatype>(
    _ name: String, _ path: Path<Word?>, _ fit: Fit? = nil, isExtra: Bool = false
  ) -> FieldKey {
    value(
      name, path, fit, isExtra: isExtra, read: { $1.word($0, name) }, json: { $0.map { .string($0.rawValue) } })
  }
}

extension Field {
  /// The most code points of a hint: descriptions in the schemas of tools are written for models, too.
  static let helpLimit = 4_096

  /// Its label; to have none changes nothing.
  fileprivate var writtenLabel: String? {
    get { label }
    set { label = newValue ?? label }
  }
}

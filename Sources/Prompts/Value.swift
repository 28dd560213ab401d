/// The value of a field whose input is valid.
///
/// Its properties read it as what the program expects: `values["age"]?.integer`. `Values.decode` reads all at once.
public enum Value: Sendable, CustomStringConvertible {
  /// An optional field left empty.
  case null
  /// A text; a date and a time too.
  case text(String)
  /// The state of a `boolean` field: true if it is on.
  case boolean(Bool)
  /// A JSON literal.
  ///
  /// Numbers that no double holds exactly as written, such as 9007199254740993, are texts, unless the prompt was made of a
  /// JSON Schema.
  case number(String)
  /// The chosen options of a `choices` field, or the texts of a `list`.
  case choices([String])
  /// The items of a `list` of numbers.
  case list([Value])
  /// The values of fields that stand in an object, as `Field.at` says.
  case object(Values)

  /// The value of a valid input to a field, or `nil` if the answer leaves it out.
  init?(_ input: Input, of field: Field) {
    if field.optional && input.isEmpty {
      if field.answer.omitsEmpty { return nil }
      self = .null
      return
    }
    if field.answer.type == .object, input.text != "true" {
      if field.answer.omitsEmpty || !field.optional { return nil }
      self = .null
      return
    }
    switch input {
    case .choices(let texts) where field.kind == .list && field.readsNumbers && field.answer.type != .string:
      self = .list(texts.map { Value($0, .number, as: field.answer.type) })
    case .choices(let texts): self = .choices(texts)
    case .illFormed: self = .null
    case .text(let text):
      self = Value(
        field.timeZone.map { field.answer(to: text, in: $0) } ?? text, field.kind, as: field.valueType(of: text))
    }
  }

  private init(_ text: String, _ kind: Field.Kind, as type: Field.ValueType?) {
    switch type {
    case .string?: self = .text(text)
    case .boolean?: self = .boolean(text == "true")
    case .object?: self = .object([:])
    case .number?: self = ExactNumber(text).map { .number($0.exactLiteral) } ?? .text(text)
    case nil where kind == .boolean: self = .boolean(text == "true")
    case nil where kind.quantity == .number: self = ExactNumber(text)?.jsonLiteral.map(Value.number) ?? .text(text)
    case nil: self = .text(text)
    }
  }

  init(json: JSON) {
    switch json {
    case .bool(let bool): self = .boolean(bool)
    case .number(let literal): self = .number(literal)
    case .string(let text): self = .text(text)
    case .array(let elements):
      let texts = elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
      self = texts.count == elements.count ? .choices(texts) : .list(elements.map(Value.init(json:)))
    case .object: self = .object(Values(json: json))
    case .null, .illFormedString: self = .null
    }
  }

  /// The text, or a number as JSON writes it; `nil` for every other value.
  public var text: String? {
    switch self {
    case .text(let text), .number(let text): text
    case .null, .boolean, .choices, .list, .object: nil
    }
  }

  /// The value of a `boolean` field; `nil` for every other value.
  public var bool: Bool? { if case .boolean(let bool) = self { bool } else { nil } }

  /// The exact whole number, also one that no double holds; or `nil` if it is not whole or does not fit.
  public var integer: Int? { text.flatMap { ExactNumber($0) }?.integer }

  /// The nearest double, or `nil` if this is not a number.
  public var double: Double? { text.flatMap { ExactNumber($0) }.flatMap { Double($0.text) } }

  /// The chosen options of a `choices` field, or the items of a `list`, numbers as JSON writes them; `nil` for every
  /// other value.
  public var list: [String]? {
    switch self {
    case .choices(let texts): texts
    case .list(let values): values.map(\.description)
    case .null, .text, .boolean, .number, .object: nil
    }
  }

  /// The values in an object; `nil` for every other value.
  public var object: Values? { if case .object(let values) = self { values } else { nil } }

  /// The value of a member of an object, or `nil` if there is none: `values["address"]?["city"]`.
  public subscript(name: String) -> Value? { object?[name] }

  /// The value as a shell wants it: no quotes, each choice on its own line, nothing for null, an object as JSON.
  public var description: String {
    switch self {
    case .null: ""
    case .text(let text): text
    case .boolean(let bool): String(bool)
    case .number(let literal): literal
    case .choices, .list: (list ?? []).joined(separator: "\n")
    case .object: String(decoding: written, as: UTF8.self)
    }
  }
}

// The compiler names what these are called here.
extension Value {
  /// It is called `bool`.
  @available(*, unavailable, renamed: "bool") public var boolean: Bool? { bool }
  /// It is called `double`.
  @available(*, unavailable, renamed: "double") public var number: Double? { double }
  /// It is called `list`.
  @available(*, unavailable, renamed: "list") public var choices: [String]? { list }
  /// It is called `text`.
  @available(*, unavailable, renamed: "text") public var string: String? { text }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByNilLiteral
{
  /// A text.
  public init(stringLiteral text: String) { self = .text(text) }
  /// A whole number.
  public init(integerLiteral number: Int) { self = .number(String(number)) }
  /// The shortest decimal that this double is nearest to.
  public init(floatLiteral number: Double) { self = .number(number) }
  /// The state of a `boolean` field: true if it is on.
  public init(booleanLiteral isOn: Bool) { self = .boolean(isOn) }
  /// The chosen options of a `choices` field.
  public init(arrayLiteral choices: String...) { self = .choices(choices) }
  /// An optional field left empty.
  public init(nilLiteral: ()) { self = .null }
}

// MARK: Comparing and coding

extension Value: Equatable, Codable {
  /// Numbers are equal if they are the same number, however it is written; texts, byte by byte.
  public static func == (one: Value, other: Value) -> Bool { one.written == other.written }

  /// As JSON, a number always in the same way, and an object in the order of its names.
  private var written: [UInt8] {
    var json = JSONWriter()
    if case .number(let literal) = self, let number = ExactNumber(literal) {
      json.literal(number.exactLiteral)
    } else if case .object(let values) = self {
      json.object { json in
        for entry in values.entries.sorted(by: { $0.name < $1.name }) {
          json.member(entry.name) { $0.literal(entry.value.written) }
        }
      }
    } else {
      json.value(self)
    }
    return json.bytes
  }

  /// Reads null, a text, true or false, a number, a list, or an object of these.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let json = try decoder.singleValueContainer()
    if json.decodeNil() {
      self = .null
    } else if let flag = try? json.decode(Bool.self) {
      self = .boolean(flag)
    } else if let text = try? json.decode(String.self) {
      self = .text(text)
    } else if let texts = try? json.decode([String].self) {
      self = .choices(texts)
    } else if let values = try? json.decode([Value].self) {
      self = .list(values)
    } else if let values = try? json.decode(Values.self) {
      self = .object(values)
    } else if let integer = try? json.decode(Int128.self) {
      self = .number("\(integer)")
    } else {
      self = .number("\(try json.decode(Double.self))")
    }
  }

  /// - Throws: `EncodingError`, also for a fraction that no double holds, which only the answers to a JSON Schema have.
  public func encode(to encoder: any Encoder) throws {
    var json = encoder.singleValueContainer()
    switch self {
    case .null: try json.encodeNil()
    case .text(let text): try json.encode(text)
    case .boolean(let flag): try json.encode(flag)
    case .choices(let texts): try json.encode(texts)
    case .list(let values): try json.encode(values)
    case .object(let values): try json.encode(values)
    case .number(let literal):
      if let double = Double(literal), .number("\(double)") == self { return try json.encode(double) }
      guard let integer = Int128(literal) else {
        throw EncodingError.invalidValue(
          literal, .init(codingPath: encoder.codingPath, debugDescription: "no double is \(literal)"))
      }
      try json.encode(integer)
    }
  }
}

package extension JSONWriter {
  mutating func value(_ values: Values) { value(values.json) }

  mutating func value(_ value: Value) { self.value(value.json) }
}

extension Value {
  /// Numbers as numbers if a double holds them exactly, true and false, lists, null.
  fileprivate var json: JSON {
    switch self {
    case .null: .null
    case .text(let text): .string(text)
    case .boolean(let bool): .bool(bool)
    case .number(let literal): .number(literal)
    case .choices(let texts): .strings(texts)
    case .list(let values): .array(values.map(\.json))
    case .object(let values): values.json
    }
  }
}

/// The values of a dialog, by field name, in the fields' order. They are equal in any order.
///
/// The value of a field with `at` stands where that says: `values["address"]?["city"]`.
///
/// As JSON they are an object. A `JSONDecoder` does not tell its order; decoded values are in the order of their names.
public struct Values: Sendable, Equatable, Codable, ExpressibleByDictionaryLiteral {
  /// The name and the value of each field that has one.
  public let entries: [(name: String, value: Prompts.Value)]

  package init(_ entries: [(name: String, value: Prompts.Value)]) { self.entries = entries }

  /// Reads a JSON object.
  init(json: JSON) { self.init(json.members.map { ($0.key, Prompts.Value(json: $0.value)) }) }

  /// The same as a JSON object.
  package var json: JSON { .object(entries.map { JSON.Member($0.name, $0.value.json) }) }

  /// Values for a test, or of your own: `["email": address, "guests": 3]`.
  public init(dictionaryLiteral entries: (String, (any ValueConvertible)?)...) {
    self.init(entries.map { (name: $0, value: $1?.asValue ?? .null) })
  }

  /// The same of a dictionary, in the order of its names.
  public init(_ values: [String: Prompts.Value]) {
    self.init(values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }

  /// A field's value, or `nil` if there is none: the prompt has no such field, or it did not apply.
  public subscript(name: String) -> Prompts.Value? { entries.first { isSame($0.name, name) }?.value }

  private var byName: [String: Prompts.Value] { Dictionary(entries.map { ($0.name, $0.value) }) { $1 } }

  /// True if both have the same names with the same values.
  public static func == (one: Values, other: Values) -> Bool { one.byName == other.byName }

  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    self.init(try [String: Prompts.Value](from: decoder))
  }

  /// - Throws: `EncodingError`.
  public func encode(to encoder: any Encoder) throws { try byName.encode(to: encoder) }
}

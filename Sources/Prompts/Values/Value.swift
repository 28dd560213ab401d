internal import StrictJSON

/// What a field answers once its input is valid.
public enum Value: Sendable {
  /// An optional field left empty, or a field that is not there.
  case null
  case text(String)
  case boolean(Bool)
  /// A JSON literal whose nearest double has the same decimal value.
  case number(String)
  case choices([String])

  /// The value of a valid input to a field of that kind.
  ///
  /// Numbers that no double holds exactly as written, such as 9007199254740993, stay texts.
  init(_ input: Input, kind: Field.Kind, optional: Bool) {
    switch input {
    case .choices(let texts): self = optional && texts.isEmpty ? .null : .choices(texts)
    case .illFormed: self = .null
    case .text(let text):
      if optional && text.isEmpty {
        self = .null
        return
      }
      switch kind {
      case .boolean: self = .boolean(text == "true")
      case .number, .integer, .slider:
        self = ExactNumber(text)?.jsonLiteral.map(Value.number) ?? .text(text)
      default: self = .text(text)
      }
    }
  }
}

extension Value: CustomStringConvertible {
  /// The value alone, as a shell wants it: no quotes; choices a line each; nothing for null.
  public var description: String {
    switch self {
    case .null: ""
    case .text(let text): text
    case .boolean(let bool): String(bool)
    case .number(let literal): literal
    case .choices(let texts): texts.joined(separator: "\n")
    }
  }
}

/// The answers of a dialog, by field, in the fields' order.
public struct Values: Sendable {
  public let entries: [(name: String, value: Value)]

  public init(_ entries: [(name: String, value: Value)]) { self.entries = entries }

  /// A field's value; `null` where there is no such field.
  public subscript(name: String) -> Value {
    entries.first { isSame($0.name, name) }?.value ?? .null
  }
}

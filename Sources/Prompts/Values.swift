package import StrictJSON

/// The values of a dialog, by field name, in the fields' order. They are equal in any order.
///
/// The value of a field with `at` stands where that says: `values["address"]?["city"]`.
///
/// As JSON they are an object. A `JSONDecoder` does not tell its order; decoded values are in the order of their names.
public struct Values: Sendable, Equatable, Codable, ExpressibleByDictionaryLiteral {
  /// The name and the value of each field that has one.
  public let entries: [(name: String, value: Value)]

  package init(_ entries: [(name: String, value: Value)]) { self.entries = entries }

  /// Reads a JSON object.
  package init(json: JSON) { self.init(json.members.map { ($0.key, Value(json: $0.value)) }) }

  /// Values for a test, or of your own: `["email": .text("ann@example.com")]`.
  public init(dictionaryLiteral entries: (String, Value)...) { self.init(entries.map { (name: $0, value: $1) }) }

  /// The same of a dictionary, in the order of its names.
  public init(_ values: [String: Value]) { self.init(values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }) }

  /// A field's value, or `nil` if there is none: the prompt has no such field, or it did not apply.
  public subscript(name: String) -> Value? { entries.first { isSame($0.name, name) }?.value }

  private var byName: [String: Value] { Dictionary(entries.map { ($0.name, $0.value) }) { $1 } }

  /// True if both have the same names with the same values.
  public static func == (one: Values, other: Values) -> Bool { one.byName == other.byName }

  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    self.init(try [String: Value](from: decoder))
  }

  /// - Throws: `EncodingError`.
  public func encode(to encoder: any Encoder) throws { try byName.encode(to: encoder) }
}

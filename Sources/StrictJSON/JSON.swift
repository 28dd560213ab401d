/// A JSON value (RFC 8259) as it stood in the text: numbers keep their literal, objects their order.
public enum JSON: Sendable {
  case null
  case bool(Bool)
  /// The literal as written, such as `1e3`; nothing is rounded.
  case number(String)
  case string(String)
  /// A string with a `\u` escape of half a surrogate pair, which no Swift string can hold.
  case illFormedString
  case array([JSON])
  /// Members in the order of the text; the parser refuses duplicate keys.
  case object([Member])

  /// A name and its value in an object.
  public struct Member: Sendable {
    public let key: String
    public let value: JSON

    public init(_ key: String, _ value: JSON) {
      self.key = key
      self.value = value
    }
  }

  /// The value of an object's member; nil where there is none or this is no object.
  ///
  /// Keys are compared byte by byte: `é` and `e` with a combining accent are two keys.
  public subscript(key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
  }

  /// What kind of value this is, in a reader's words: `a text`, `a number` ….
  public var kindInWords: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string, .illFormedString: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSON {
  /// Reads one JSON value.
  ///
  /// The same as `JSONParser<JSON>.parse`, compiled for this tree alone: what a server does for every request.
  ///
  /// - Throws: `JSONFault` with the byte offset of the first fault.
  public init(parsing bytes: [UInt8], limits: JSONLimits = .request) throws(JSONFault) {
    self = try JSONParser<JSON>.parse(bytes, limits: limits)
  }
}

extension JSON: JSONTree {
  public static func null(at place: JSONPlace) -> JSON { .null }
  public static func bool(_ value: Bool, at place: JSONPlace) -> JSON { .bool(value) }
  public static func number(_ literal: String, at place: JSONPlace) -> JSON { .number(literal) }
  public static func string(_ value: String?, at place: JSONPlace) -> JSON {
    value.map(JSON.string) ?? .illFormedString
  }
  public static func array(_ elements: [JSON], at place: JSONPlace) -> JSON { .array(elements) }
  public static func object(_ members: [JSONMember<JSON>], at place: JSONPlace) -> JSON {
    .object(members.map { Member($0.key, $0.value) })
  }
}

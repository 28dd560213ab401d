/// A JSON value (RFC 8259) as it stood in the text: numbers keep their literal, objects their order.
package enum JSON: Sendable {
  case null
  case bool(Bool)
  /// The literal as written, such as `1e3`; nothing is rounded.
  case number(String)
  case string(String)
  /// A string with a `\u` escape of half a surrogate pair, which no Swift string can hold.
  case illFormedString
  case array([JSON])
  /// Members in the order of the text. No key appears twice, unless the parser was told to keep duplicates.
  case object([Member])

  /// A name and its value in an object.
  package struct Member: Sendable {
    package let key: String
    package let value: JSON

    package init(_ key: String, _ value: JSON) {
      self.key = key
      self.value = value
    }
  }

  /// The value of an object's member, or `nil` if there is none or this is not an object.
  ///
  /// Keys are compared byte by byte: `é` and `e` with a combining accent are two keys.
  package subscript(key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { isSame($0.key, key) }?.value
  }

  /// The text of an object's member, or `nil` if it has none.
  package func text(_ key: String) -> String? { if case .string(let text)? = self[key] { text } else { nil } }

  /// The texts in an array that is an object's member; none if it has no such member.
  package func texts(_ key: String) -> [String] {
    guard case .array(let elements)? = self[key] else { return [] }
    return elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  /// As it is written.
  package var bytes: [UInt8] {
    var writer = JSONWriter()
    writer.value(self)
    return writer.bytes
  }

  /// An object's members; none of anything else.
  package var members: [Member] { if case .object(let members) = self { members } else { [] } }

  /// An object with the members of both.
  package static func + (one: JSON, other: JSON) -> JSON { .object(one.members + other.members) }

  package static func strings(_ texts: [String]) -> JSON { .array(texts.map(JSON.string)) }

  /// The kind of this value in a reader's words: `a string`, `a number` ….
  package var kindInWords: String {
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
  /// Bytes of the strings at a path of keys, those in arrays on the way too.
  package func bytes(at path: ArraySlice<String>) -> Int {
    switch self {
    case .string(let text): path.isEmpty ? text.utf8.count : 0
    case .array(let elements): elements.reduce(0) { $0 + $1.bytes(at: path) }
    case .object: path.first.flatMap { self[$0]?.bytes(at: path.dropFirst()) } ?? 0
    default: 0
    }
  }
}

// MARK: Reading

extension JSON {
  /// Reads one JSON value.
  ///
  /// It refuses whatever two parsers could read differently: duplicate keys, a byte order mark, bytes that are not
  /// UTF-8, anything after the value.
  ///
  /// - Throws: `JSONFault` with the byte offset of the first fault.
  package init(parsing bytes: [UInt8], limits: JSONLimits = .request) throws(JSONFault) {
    var parser = JSONParser(bytes, limits)
    self = try parser.document()
  }

  /// Reads a file, for callers that report duplicate keys themselves, among other faults.
  ///
  /// - Returns: the value, and the byte offsets of all keys and values in the order of the text.
  static func file(_ bytes: [UInt8]) throws(JSONFault) -> (json: JSON, offsets: [Int]) {
    var parser = JSONParser(bytes, .file, isFile: true)
    return (try parser.document(), parser.offsets)
  }

  /// An array's elements; none of anything else.
  package var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }
}

/// JSON is written in Swift as Swift's own literals. A member that is `nil` is left out.
extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral
{
  package init(dictionaryLiteral members: (String, JSON?)...) {
    self = .object(members.compactMap { key, value in value.map { Member(key, $0) } })
  }
  package init(arrayLiteral elements: JSON...) { self = .array(elements) }
  package init(stringLiteral text: String) { self = .string(text) }
  package init(booleanLiteral flag: Bool) { self = .bool(flag) }
  package init(integerLiteral number: Int) { self = .number(String(number)) }
}

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
    return members.first { $0.key.isSame(as: key) }?.value
  }

  /// What kind of value this is, in a reader's words: `a string`, `a number` ….
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

/// How much a JSON text may hold before it is refused.
package struct JSONLimits: Sendable {
  /// Levels of objects and arrays.
  package var depth: Int
  /// Keys in one object.
  package var keys: Int
  /// Bytes of UTF-8 in one key.
  package var key: Int
  /// Bytes of UTF-8 in one string that is not a key.
  package var string: Int

  /// - Parameter key: or `nil` for as many as a string.
  package init(depth: Int, keys: Int, string: Int, key: Int? = nil) {
    self.depth = depth
    self.keys = keys
    self.string = string
    self.key = key ?? string
  }

  /// For what a stranger sends: 32 levels, 256 keys an object, strings of 16 KiB.
  package static let request = JSONLimits(depth: 32, keys: 256, string: 16 * 1024)

  /// For what the operator wrote: 64 levels, ten thousand keys an object, strings of 1 MiB.
  package static let file = JSONLimits(depth: 64, keys: 10_000, string: 1 << 20)
}

// MARK: Reading

extension JSON {
  /// Reads one JSON value.
  ///
  /// It refuses whatever two parsers could read differently: duplicate keys, a byte order mark, bytes that are not
  /// UTF-8, anything after the value.
  ///
  /// - Parameter keepingDuplicateKeys: for callers that report duplicate keys themselves, among other faults.
  /// - Throws: `JSONFault` with the byte offset of the first fault.
  package init(
    parsing bytes: [UInt8], limits: JSONLimits = .request, keepingDuplicateKeys: Bool = false
  ) throws(JSONFault) {
    var parser = JSONParser(bytes, limits, keepsDuplicateKeys: keepingDuplicateKeys)
    self = try parser.document()
  }
}

extension String {
  /// Compares byte by byte. Most keys differ in length, which costs nothing to see.
  func isSame(as other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }
}

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
    return members.first { $0.key.utf8.elementsEqual(key.utf8) }?.value
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

/// The limits of a JSON text; one that exceeds them is refused.
package struct JSONLimits: Sendable {
  /// Levels of objects and arrays.
  package var depth: Int
  /// Keys in one object.
  package var keys: Int
  /// Bytes of UTF-8 in one key.
  package var key: Int
  /// Bytes of UTF-8 in one string that is not a key.
  package var string: Int
  /// Bytes of a picture's string, if that is more.
  package var image = 0
  /// The paths of keys at which pictures are; elements of arrays have none of their own.
  package var imagePaths: [[String]] = []

  /// - Parameter string: bytes in one key too.
  package init(depth: Int, keys: Int, string: Int) {
    self.depth = depth
    self.keys = keys
    self.string = string
    key = string
  }

  /// For what a stranger sends: 32 levels, 256 keys an object, strings of 16 KiB.
  package static let request = JSONLimits(depth: 32, keys: 256, string: 16 * 1024)

  /// For what the operator wrote: 64 levels, ten thousand keys an object, strings of 1 MiB.
  package static let file = JSONLimits(depth: 64, keys: 10_000, string: 1 << 20)

  /// For what was read by the limits of files and written again: a rule in a rule may then be two levels deeper.
  package static let kept = JSONLimits(depth: 192, keys: 10_000, string: 1 << 20)
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
  package static func file(_ bytes: [UInt8]) throws(JSONFault) -> (json: JSON, offsets: [Int]) {
    var parser = JSONParser(bytes, .file, isFile: true)
    return (try parser.document(), parser.offsets)
  }
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

// MARK: Faults

/// A fault of a text that was refused as JSON, and its place.
package struct JSONFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reasons for which a JSON text is refused.
  package enum Reason: Hashable, Sendable {
    case empty
    case byteOrderMark
    case invalidUTF8
    case unexpected(found: String, expected: String)
    case unexpectedEnd
    case trailing
    case badEscape
    case controlCharacter
    case badNumber
    case loneSurrogateInKey
    case duplicateKey(String)
    case tooDeep(limit: Int)
    case tooManyKeys(limit: Int)
    case stringTooLong(limit: Int)
  }

  package let reason: Reason
  /// Byte offset in the text, from 0.
  package let offset: Int
  /// The place of a value that is too large, as a JSON pointer (RFC 6901); empty for other faults.
  package var pointer: String

  package init(_ reason: Reason, at offset: Int, _ pointer: String = "") {
    self.reason = reason
    self.offset = offset
    self.pointer = pointer
  }

  /// The same, seen from the object or array that holds the value at this key or index.
  func inside(_ key: String) -> JSONFault {
    guard pointsAtValue else { return self }
    let token = key.prefix(64).replacing("~", with: "~0").replacing("/", with: "~1")
    return JSONFault(reason, at: offset, "/\(token)\(pointer)")
  }

  /// The fault and its remedy in words, without the place.
  package var words: (what: String, remedy: String) {
    switch reason {
    case .empty: ("there is no JSON here", "send a value")
    case .byteOrderMark: ("the text begins with a byte order mark", "send UTF-8 without one")
    case .invalidUTF8: ("these bytes are not UTF-8", "encode the text as UTF-8")
    case .unexpected(let found, let expected): ("found \(found) where \(expected) was expected", Self.remedy(found))
    case .unexpectedEnd: ("the text ends too early", "close every string, array and object")
    case .trailing: ("there is more after the end of the value", "send one value")
    case .badEscape: ("unknown escape", #"use \" \\ \/ \b \f \n \r \t or \u and four hex digits"#)
    case .controlCharacter: ("a control character in a string", #"write it as an escape, such as \n"#)
    case .badNumber: ("not a JSON number", "write it like -12, 0.5 or 1e3")
    case .loneSurrogateInKey: ("half a surrogate pair in a key", "write both halves")
    case .duplicateKey(let key): ("the key \"\(key)\" appears twice", "keep one")
    case .tooDeep(let limit): ("nested too deeply", "at most \(limit) levels are read")
    case .tooManyKeys(let limit): ("too many keys\(place)", "at most \(limit) are read")
    case .stringTooLong(let limit): ("a string is too long\(place)", "at most \(limit) bytes are read")
    }
  }

  /// `what is wrong; what to do`
  package var sentence: String { "\(words.what); \(words.remedy)" }

  private var pointsAtValue: Bool {
    switch reason {
    case .tooManyKeys, .stringTooLong: true
    default: false
    }
  }

  private var place: String { pointer.isEmpty ? "" : " at \(pointer)" }

  private static func remedy(_ found: String) -> String {
    if ["“]”", "“}”"].contains(found) { return "write it here, or remove the comma before the bracket" }
    let isWord =
      found.unicodeScalars.dropFirst().first?.properties.isAlphabetic == true && found.unicodeScalars.count == 3
    return isWord ? "put strings in double quotes" : "write it here"
  }

  package var description: String { "\(sentence) (byte \(offset))" }
}

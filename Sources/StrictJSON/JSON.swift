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
  /// Members in the order of the text; the parser refuses duplicate keys.
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

  /// The value of an object's member; nil where there is none or this is no object.
  ///
  /// Keys are compared byte by byte: `é` and `e` with a combining accent are two keys.
  package subscript(key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key.isSame(as: key) }?.value
  }

  /// What kind of value this is, in a reader's words: `a text`, `a number` ….
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
  /// Reads one JSON value.
  ///
  /// The same as `JSONParser<JSON>.parse`, compiled for this tree alone: what a server does for every request.
  ///
  /// - Throws: `JSONFault` with the byte offset of the first fault.
  package init(parsing bytes: [UInt8], limits: JSONLimits = .request) throws(JSONFault) {
    self = try JSONParser<JSON>.parse(bytes, limits: limits)
  }
}

extension JSON: JSONTree {
  package static func null(at place: JSONPlace) -> JSON { .null }
  package static func bool(_ value: Bool, at place: JSONPlace) -> JSON { .bool(value) }
  package static func number(_ literal: String, at place: JSONPlace) -> JSON { .number(literal) }
  package static func string(_ value: String?, at place: JSONPlace) -> JSON {
    value.map(JSON.string) ?? .illFormedString
  }
  package static func array(_ elements: [JSON], at place: JSONPlace) -> JSON { .array(elements) }
  package static func member(_ key: String, at keyPlace: JSONPlace, _ value: JSON) -> Member { Member(key, value) }
  package static func object(_ members: [Member], at place: JSONPlace) -> JSON { .object(members) }

  package static func hasMember(_ key: String, among members: [Member]) -> Bool {
    let members = members.span
    for index in members.indices where members[index].key.isSame(as: key) { return true }
    return false
  }
}

extension String {
  /// Byte by byte. Most keys differ in length, which costs nothing to see.
  fileprivate func isSame(as other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
  }
}

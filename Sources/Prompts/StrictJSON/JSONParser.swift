/// Reads one JSON value (RFC 8259); `JSON.init(parsing:)` says what it refuses.
struct JSONParser {
  private let bytes: [UInt8]
  private let limits: JSONLimits
  /// True if duplicate keys are kept, and `offsets` too.
  private let isFile: Bool
  /// The offsets at which the keys and values of a file begin, in its order.
  private(set) var offsets: [Int] = []
  /// The offset of the next byte.
  private var position = 0
  private var depth = 0
  /// The bytes of wanted members that may still be read.
  private var room: Int
  /// The keys that lead to the next value, if some strings may be longer than others.
  private var path: [String] = []

  init(_ bytes: [UInt8], _ limits: JSONLimits, isFile: Bool = false) {
    self.bytes = bytes
    self.limits = limits
    self.isFile = isFile
    room = limits.string
  }

  /// The value that is the whole text.
  mutating func document() throws(JSONFault) -> JSON {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw JSONFault(.byteOrderMark, at: 0) }
    skipWhiteSpace()
    if position == bytes.count { throw JSONFault(.empty, at: position) }
    let isRead = limits.members == nil || bytes[position] == UInt8(ascii: "{")
    let value = try isRead ? value() : skipped()
    skipWhiteSpace()
    if position < bytes.count { throw JSONFault(.trailing, at: position) }
    return value
  }

  // MARK: Values

  private mutating func value() throws(JSONFault) -> JSON {
    if isFile { offsets.append(position) }
    switch try peek() {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""):
      let limit = limits.imagePaths.contains(path) ? max(limits.string, limits.image) : limits.string
      return try string(limit: limit).map(JSON.string) ?? .illFormedString
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    default: throw unexpected("a value")
    }
  }

  /// - Parameter key: where the value is in its object or array.
  private mutating func value(at key: @autoclosure () -> String) throws(JSONFault) -> JSON {
    do { return try value() } catch { throw error.inside(key()) }
  }

  private mutating func object() throws(JSONFault) -> JSON {
    var members: [JSON.Member] = []
    try eachElement(closing: UInt8(ascii: "}")) { (parser) throws(JSONFault) in
      let place = parser.position
      let key = try parser.key()
      if members.count == parser.limits.keys { throw JSONFault(.tooManyKeys(limit: members.count), at: place) }
      if parser.isFile {
        parser.offsets.append(place)
      } else if members.contains(where: { $0.key.utf8.elementsEqual(key.utf8) }) {
        throw JSONFault(.duplicateKey(key), at: place)
      }
      parser.skipWhiteSpace()
      if try parser.peek() != UInt8(ascii: ":") { throw parser.unexpected("a colon") }
      parser.position += 1
      parser.skipWhiteSpace()
      if !parser.limits.imagePaths.isEmpty { parser.path.append(key) }
      members.append(JSON.Member(key, try parser.member(key)))
      if !parser.limits.imagePaths.isEmpty { parser.path.removeLast() }
    }
    return .object(members)
  }

  /// The value of a member of an object; `null` if nobody wants it, or if it is longer than what is left to be read.
  private mutating func member(_ key: String) throws(JSONFault) -> JSON {
    guard depth == 1, let members = limits.members else { return try value(at: key) }
    let start = position
    let skipped = try skipped()
    guard members.contains(key), position - start <= room else { return skipped }
    room -= position - start
    position = start
    return try value(at: key)
  }

  /// Steps over the value that begins here. Its strings and brackets are checked, and what stands between them is not.
  private mutating func skipped() throws(JSONFault) -> JSON {
    let start = position
    var closing: [UInt8] = []
    repeat {
      switch try peek() {
      case UInt8(ascii: "{"): closing.append(UInt8(ascii: "}"))
      case UInt8(ascii: "["): closing.append(UInt8(ascii: "]"))
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard closing.popLast() == bytes[position] else { throw unexpected("a value or another bracket") }
      case UInt8(ascii: "\""): try skipString()
      default:
        guard !closing.isEmpty else {
          _ = try value()
          return .null
        }
      }
      position += 1
    } while !closing.isEmpty
    do { _ = try UTF8Span(validating: bytes.span.extracting(start..<position)) } catch {
      throw JSONFault(.invalidUTF8, at: start)
    }
    return .null
  }

  private mutating func key() throws(JSONFault) -> String {
    let place = position
    if try peek() != UInt8(ascii: "\"") { throw unexpected("a key in double quotes") }
    guard let key = try string(limit: limits.key) else { throw JSONFault(.loneSurrogateInKey, at: place) }
    return key
  }

  private mutating func array() throws(JSONFault) -> JSON {
    var elements: [JSON] = []
    try eachElement(closing: UInt8(ascii: "]")) { (parser) throws(JSONFault) in
      elements.append(try parser.value(at: String(elements.count)))
    }
    return .array(elements)
  }

  /// Steps through the object or array whose opening bracket stands here. `body` reads each element.
  private mutating func eachElement(
    closing: UInt8, _ body: (inout JSONParser) throws(JSONFault) -> Void
  ) throws(JSONFault) {
    depth += 1
    defer { depth -= 1 }
    if depth > limits.depth { throw JSONFault(.tooDeep(limit: limits.depth), at: position) }
    position += 1
    skipWhiteSpace()
    var isOpen = try peek() != closing
    while isOpen {
      try body(&self)
      skipWhiteSpace()
      isOpen = try peek() == UInt8(ascii: ",")
      if !isOpen, try peek() != closing { throw unexpected("a comma or the closing bracket") }
      if isOpen {
        position += 1
        skipWhiteSpace()
      }
    }
    position += 1
  }

  private mutating func word(_ word: String, _ value: JSON) throws(JSONFault) -> JSON {
    guard bytes[position...].starts(with: word.utf8) else { throw unexpected("a value") }
    position += word.utf8.count
    return value
  }

  /// The literal of the number that begins here.
  private mutating func number() throws(JSONFault) -> String {
    let start = position
    skip(UInt8(ascii: "-"))
    if !skip(UInt8(ascii: "0")) { try digits(from: start) }
    if skip(UInt8(ascii: ".")) { try digits(from: start) }
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      if !skip(UInt8(ascii: "+")) { skip(UInt8(ascii: "-")) }
      try digits(from: start)
    }
    if position < bytes.count, isDigit(bytes[position]) { throw JSONFault(.badNumber, at: start) }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func digits(from start: Int) throws(JSONFault) {
    let first = position
    while position < bytes.count, isDigit(bytes[position]) { position += 1 }
    if position == first { throw JSONFault(.badNumber, at: start) }
  }

  // MARK: Bytes

  private func peek() throws(JSONFault) -> UInt8 {
    if position == bytes.count { throw JSONFault(.unexpectedEnd, at: position) }
    return bytes[position]
  }

  @discardableResult
  private mutating func skip(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipWhiteSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  private func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  private func unexpected(_ expected: String) -> JSONFault {
    if position >= bytes.count { return JSONFault(.unexpectedEnd, at: bytes.count) }
    let byte = bytes[position]
    if byte >= 0x80 {
      // If the bytes are not UTF-8, that is the deeper reason.
      let tail = bytes[position..<min(position + 4, bytes.count)]
      var decoder = UTF8()
      var iterator = tail.makeIterator()
      if case .error = decoder.decode(&iterator) { return JSONFault(.invalidUTF8, at: position) }
    }
    let found = byte > 0x20 && byte < 0x7F ? "“\(Character(Unicode.Scalar(byte)))”" : "a character that is not JSON"
    return JSONFault(.unexpected(found: found, expected: expected), at: position)
  }
}

// MARK: Strings

extension JSONParser {
  /// The string that begins here, or `nil` if it holds half a surrogate pair.
  ///
  /// - Parameter limit: the most bytes of UTF-8 that it may have.
  private mutating func string(limit: Int) throws(JSONFault) -> String? {
    let open = position
    position += 1
    var (text, isWellFormed) = (try plainRun(), true)
    while true {
      if text.utf8.count > limit {
        throw JSONFault(.stringTooLong(limit: limit), at: open + 1)
      }
      if skip(UInt8(ascii: "\"")) { return isWellFormed ? text : nil }
      if let scalar = try escape() { text.unicodeScalars.append(scalar) } else { isWellFormed = false }
      text += try plainRun()
    }
  }

  /// Reads up to the quote or backslash that ends the run of bytes which stand for themselves.
  private mutating func plainRun() throws(JSONFault) -> String {
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "\""), bytes[position] != UInt8(ascii: "\\") {
      if bytes[position] < 0x20 { throw JSONFault(.controlCharacter, at: position) }
      position += 1
    }
    if position == bytes.count { throw JSONFault(.unexpectedEnd, at: position) }
    do { return String(copying: try UTF8Span(validating: bytes.span.extracting(start..<position))) } catch {
      throw JSONFault(.invalidUTF8, at: start)
    }
  }

  /// Steps to the quote at the end of the string that begins here.
  private mutating func skipString() throws(JSONFault) {
    position += 1
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      if bytes[position] < 0x20 { throw JSONFault(.controlCharacter, at: position) }
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    if position >= bytes.count { throw JSONFault(.unexpectedEnd, at: bytes.count) }
  }

  private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
    "\"": "\"", "\\": "\\", "/": "/", "b": "\u{08}", "f": "\u{0C}", "n": "\n", "r": "\r", "t": "\t",
  ]

  /// The code point of the escape that begins here, or `nil` for half a surrogate pair.
  private mutating func escape() throws(JSONFault) -> Unicode.Scalar? {
    let start = position
    guard position + 1 < bytes.count else { throw JSONFault(.unexpectedEnd, at: bytes.count) }
    position += 2
    let letter = Unicode.Scalar(bytes[start + 1])
    if let scalar = Self.escapes[letter] { return scalar }
    if letter != "u" { throw JSONFault(.badEscape, at: start) }
    let unit = try hexUnit(escapeAt: start)
    guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) }
    // A lead surrogate pairs only with an escaped trail right after it.
    let mark = position
    if skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")) {
      let trail = try hexUnit(escapeAt: mark)
      if UTF16.isTrailSurrogate(trail) {
        return Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(trail) - 0xDC00))
      }
    }
    position = mark
    return nil
  }

  private mutating func hexUnit(escapeAt start: Int) throws(JSONFault) -> UInt16 {
    guard position + 4 <= bytes.count else { throw JSONFault(.unexpectedEnd, at: bytes.count) }
    let digits = bytes[position..<position + 4].compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    if digits.count < 4 { throw JSONFault(.badEscape, at: start) }
    position += 4
    return digits.reduce(0) { $0 << 4 | UInt16($1) }
  }
}

/// The limits of a JSON text; one that exceeds them is refused.
package struct JSONLimits: Sendable {
  /// Levels of objects and arrays.
  var depth: Int
  /// Keys in one object.
  var keys: Int
  /// Bytes of UTF-8 in one key.
  package var key: Int
  /// Bytes of UTF-8 in one string that is not a key.
  package var string: Int
  /// Bytes of a picture's string, if that is more.
  package var image = 0
  /// The paths of keys at which pictures are; elements of arrays have none of their own.
  package var imagePaths: [[String]] = []
  /// The members of the outermost object that are read, and have at most as many bytes together as a string may; `nil`
  /// for all. What others hold, or anything but an object, is stepped over and stands as `null`.
  package var members: Set<String>?

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

/// Reads one JSON value (RFC 8259); `JSON.init(parsing:)` says what it refuses.
struct JSONParser {
  let bytes: UnsafeBufferPointer<UInt8>
  let limits: JSONLimits
  var keepsDuplicateKeys = false
  /// The offset of the next byte.
  var position = 0
  private var depth = 0
  /// How many keys the innermost object had so far.
  private var keys = 0

  /// Reads a text that is one value, which `value` reads.
  @inline(__always)
  static func read<Value>(
    _ bytes: [UInt8], _ limits: JSONLimits, _ value: (inout JSONParser) throws(JSONFault) -> Value
  ) throws(JSONFault) -> Value {
    // Closures of the standard library erase typed errors: the result travels as a value.
    try bytes.withUnsafeBufferPointer { buffer in
      Result { () throws(JSONFault) -> Value in
        var parser = JSONParser(bytes: buffer, limits: limits)
        try parser.begin()
        let value = try value(&parser)
        try parser.end()
        return value
      }
    }.get()
  }

  private init(bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  private mutating func begin() throws(JSONFault) {
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { throw JSONFault(.byteOrderMark, at: 0) }
    skipWhiteSpace()
    if position == bytes.count { throw JSONFault(.empty, at: position) }
  }

  private mutating func end() throws(JSONFault) {
    skipWhiteSpace()
    if position < bytes.count { throw JSONFault(.trailing, at: position) }
  }

  // MARK: Values

  mutating func value() throws(JSONFault) -> JSON {
    switch try peek() {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return try string().map(JSON.string) ?? .illFormedString
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(String(ascii: bytes[try number()]))
    default: throw unexpected("a value")
    }
  }

  private mutating func object() throws(JSONFault) -> JSON {
    var members: [JSON.Member] = []
    try eachMember { (parser, place) throws(JSONFault) in
      let key = try parser.key()
      // Most objects are small, and growing costs more than a little room.
      if members.isEmpty { members.reserveCapacity(4) }
      if !parser.keepsDuplicateKeys, Self.hasMember(key, among: members) {
        throw JSONFault(.duplicateKey(key), at: place)
      }
      try parser.skipColon()
      members.append(JSON.Member(key, try parser.value()))
    }
    return .object(members)
  }

  private static func hasMember(_ key: String, among members: [JSON.Member]) -> Bool {
    let members = members.span
    for index in members.indices where members[index].key.isSame(as: key) { return true }
    return false
  }

  /// Steps through the object that begins here. `body` reads each member; it gets the offset of the key.
  @inline(__always)
  mutating func eachMember(
    _ body: (inout JSONParser, _ keyPlace: Int) throws(JSONFault) -> Void
  ) throws(JSONFault) {
    try descend()
    let keysAround = keys
    keys = 0
    skipWhiteSpace()
    if try peek() != UInt8(ascii: "}") {
      repeat {
        if try peek() != UInt8(ascii: "\"") { throw unexpected("a key in double quotes") }
        try body(&self, position)
      } while try anotherElement(closing: UInt8(ascii: "}"))
    } else {
      position += 1
    }
    keys = keysAround
    depth -= 1
  }

  /// The key that begins here.
  mutating func key() throws(JSONFault) -> String {
    let place = position
    guard let key = try string() else { throw JSONFault(.loneSurrogateInKey, at: place) }
    if key.utf8.count > limits.key { throw JSONFault(.stringTooLong(limit: limits.key), at: place + 1) }
    try countKey(at: place)
    return key
  }

  mutating func countKey(at place: Int) throws(JSONFault) {
    keys += 1
    if keys > limits.keys { throw JSONFault(.tooManyKeys(limit: limits.keys), at: place) }
  }

  /// Steps over the colon after a key.
  mutating func skipColon() throws(JSONFault) {
    skipWhiteSpace()
    if try peek() != UInt8(ascii: ":") { throw unexpected("a colon") }
    position += 1
    skipWhiteSpace()
  }

  /// The value that begins here, by its place if that is enough.
  mutating func placedValue() throws(JSONFault) -> JSONValue {
    switch try peek() {
    case UInt8(ascii: "\""): return try placedString()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
    default: return .made(try value())
    }
  }

  private mutating func array() throws(JSONFault) -> JSON {
    try descend()
    var elements: [JSON] = []
    skipWhiteSpace()
    if try peek() != UInt8(ascii: "]") {
      repeat { elements.append(try value()) } while try anotherElement(closing: UInt8(ascii: "]"))
    } else {
      position += 1
    }
    depth -= 1
    return .array(elements)
  }

  /// Steps into an object or array, whose opening bracket stands here.
  private mutating func descend() throws(JSONFault) {
    depth += 1
    if depth > limits.depth { throw JSONFault(.tooDeep(limit: limits.depth), at: position) }
    position += 1
  }

  /// After an element: true past a comma, false past the closing bracket.
  private mutating func anotherElement(closing: UInt8) throws(JSONFault) -> Bool {
    skipWhiteSpace()
    switch try peek() {
    case closing:
      position += 1
      return false
    case UInt8(ascii: ","):
      position += 1
      skipWhiteSpace()
      return true
    default: throw unexpected("a comma or the closing bracket")
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSON) throws(JSONFault) -> JSON {
    for offset in 0..<word.utf8CodeUnitCount {
      guard position + offset < bytes.count, bytes[position + offset] == word.utf8Start[offset]
      else { throw unexpected("a value") }
    }
    position += word.utf8CodeUnitCount
    return value
  }

  /// Steps over the number that begins here.
  private mutating func number() throws(JSONFault) -> Range<Int> {
    let start = position
    skip(UInt8(ascii: "-"))
    if !skip(UInt8(ascii: "0")) { try digits(from: start) }
    if skip(UInt8(ascii: ".")) { try digits(from: start) }
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      if !skip(UInt8(ascii: "+")) { skip(UInt8(ascii: "-")) }
      try digits(from: start)
    }
    if position < bytes.count, isDigit(bytes[position]) { throw JSONFault(.badNumber, at: start) }
    return start..<position
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

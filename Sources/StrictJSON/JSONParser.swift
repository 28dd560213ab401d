/// Reads one JSON value (RFC 8259) and refuses whatever two parsers could read differently:
/// duplicate keys, a byte order mark, bytes that are not UTF-8, anything after the value.
public struct JSONParser<Tree: JSONTree> {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let limits: JSONLimits
  private var position = 0
  private var depth = 0
  private var keys = 0

  /// - Throws: `JSONFault` with the byte offset of the first fault.
  public static func parse(
    _ bytes: [UInt8], limits: JSONLimits = .request, as tree: Tree.Type = Tree.self
  ) throws(JSONFault) -> Tree {
    // Closures of the standard library erase typed errors: the result travels as a value.
    try bytes.withUnsafeBufferPointer { buffer in
      Result { () throws(JSONFault) -> Tree in
        var parser = JSONParser(bytes: buffer, limits: limits)
        return try parser.document()
      }
    }.get()
  }

  private init(bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  private mutating func document() throws(JSONFault) -> Tree {
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { throw JSONFault(.byteOrderMark, at: 0) }
    skipWhiteSpace()
    if position == bytes.count { throw JSONFault(.empty, at: position) }
    let value = try value()
    skipWhiteSpace()
    if position < bytes.count { throw JSONFault(.trailing, at: position) }
    return value
  }

  // MARK: Values

  private mutating func value() throws(JSONFault) -> Tree {
    let start = position
    switch try peek() {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string(), at: start)
    case UInt8(ascii: "t"):
      try word("true")
      return .bool(true, at: start)
    case UInt8(ascii: "f"):
      try word("false")
      return .bool(false, at: start)
    case UInt8(ascii: "n"):
      try word("null")
      return .null(at: start)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return .number(try number(), at: start)
    default: throw unexpected("a value")
    }
  }

  private mutating func object() throws(JSONFault) -> Tree {
    let start = position
    try descend()
    var members: [Tree.Member] = []
    skipWhiteSpace()
    if try peek() != UInt8(ascii: "}") {
      // Most objects are small, and growing costs more than a little room.
      members.reserveCapacity(4)
      while true {
        let keyPlace = position
        if try peek() != UInt8(ascii: "\"") { throw unexpected("a key in double quotes") }
        guard let key = try string() else { throw JSONFault(.loneSurrogateInKey, at: keyPlace) }
        keys += 1
        if keys > limits.keys { throw JSONFault(.tooManyKeys(limit: limits.keys), at: keyPlace) }
        if Tree.hasMember(key, among: members) {
          throw JSONFault(.duplicateKey(key), at: keyPlace)
        }
        skipWhiteSpace()
        if try peek() != UInt8(ascii: ":") { throw unexpected("a colon") }
        position += 1
        skipWhiteSpace()
        members.append(Tree.member(key, at: keyPlace, try value()))
        if try !anotherElement(closing: UInt8(ascii: "}")) { break }
      }
    } else {
      position += 1
    }
    depth -= 1
    return .object(members, at: start)
  }

  private mutating func array() throws(JSONFault) -> Tree {
    let start = position
    try descend()
    var elements: [Tree] = []
    skipWhiteSpace()
    if try peek() != UInt8(ascii: "]") {
      repeat { elements.append(try value()) } while try anotherElement(closing: UInt8(ascii: "]"))
    } else {
      position += 1
    }
    depth -= 1
    return .array(elements, at: start)
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

  private mutating func word(_ word: StaticString) throws(JSONFault) {
    for offset in 0..<word.utf8CodeUnitCount {
      guard position + offset < bytes.count, bytes[position + offset] == word.utf8Start[offset]
      else { throw unexpected("a value") }
    }
    position += word.utf8CodeUnitCount
  }

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

  // MARK: Strings

  /// The string that begins here; nil if it holds half a surrogate pair.
  private mutating func string() throws(JSONFault) -> String? {
    let open = position
    position += 1
    let start = position
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        let text = try text(start..<position)
        position += 1
        return text
      }
      if byte == UInt8(ascii: "\\") { return try escapedString(from: start, open: open) }
      if byte < 0x20 { throw JSONFault(.controlCharacter, at: position) }
      position += 1
    }
    throw JSONFault(.unexpectedEnd, at: bytes.count)
  }

  /// The slow road: the string from `start`, whose first backslash stands here.
  private mutating func escapedString(from start: Int, open: Int) throws(JSONFault) -> String? {
    var out = try text(start..<position)
    var isWellFormed = true
    var run = position
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        out += try text(run..<position)
        if out.utf8.count > limits.string { throw JSONFault(.stringTooLong(limit: limits.string), at: open) }
        position += 1
        return isWellFormed ? out : nil
      }
      if byte < 0x20 { throw JSONFault(.controlCharacter, at: position) }
      guard byte == UInt8(ascii: "\\") else {
        position += 1
        continue
      }
      out += try text(run..<position)
      if let scalar = try escape() { out.unicodeScalars.append(scalar) } else { isWellFormed = false }
      run = position
    }
    throw JSONFault(.unexpectedEnd, at: bytes.count)
  }

  /// The code point of the escape that begins here; nil for half a surrogate pair.
  private mutating func escape() throws(JSONFault) -> Unicode.Scalar? {
    let start = position
    guard position + 1 < bytes.count else { throw JSONFault(.unexpectedEnd, at: bytes.count) }
    position += 2
    switch bytes[start + 1] {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw JSONFault(.badEscape, at: start)
    }
    let unit = try hexUnit(escapeAt: start)
    guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) }
    // A lead surrogate pairs only with an escaped trail right behind it.
    let mark = position
    guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
      bytes[position + 1] == UInt8(ascii: "u")
    else { return nil }
    position += 2
    let trail = try hexUnit(escapeAt: mark)
    guard UTF16.isTrailSurrogate(trail) else {
      position = mark
      return nil
    }
    return Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(trail) - 0xDC00))
  }

  private mutating func hexUnit(escapeAt start: Int) throws(JSONFault) -> UInt16 {
    guard position + 4 <= bytes.count else { throw JSONFault(.unexpectedEnd, at: bytes.count) }
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue else {
        throw JSONFault(.badEscape, at: start)
      }
      unit = unit << 4 | UInt16(digit)
      position += 1
    }
    return unit
  }

  private func text(_ range: Range<Int>) throws(JSONFault) -> String {
    if range.count > limits.string { throw JSONFault(.stringTooLong(limit: limits.string), at: range.lowerBound) }
    let bytes = UnsafeBufferPointer(rebasing: bytes[range])
    // ASCII is UTF-8 as it stands; looking costs less than validating.
    if bytes.isASCII { return String(decoding: bytes, as: UTF8.self) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw JSONFault(.invalidUTF8, at: range.lowerBound)
    }
    return text
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
      // Say “not UTF-8” where that is the deeper reason.
      let tail = bytes[position..<min(position + 4, bytes.count)]
      var decoder = UTF8()
      var iterator = tail.makeIterator()
      if case .error = decoder.decode(&iterator) { return JSONFault(.invalidUTF8, at: position) }
    }
    let found = byte > 0x20 && byte < 0x7F ? "“\(Character(Unicode.Scalar(byte)))”" : "a character that is not JSON"
    return JSONFault(.unexpected(found: found, expected: expected), at: position)
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate var isASCII: Bool {
    // To the end whatever comes, so that many bytes are looked at in one step.
    var bits: UInt8 = 0
    for byte in self { bits |= byte }
    return bits < 0x80
  }
}

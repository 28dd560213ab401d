extension JSONParser {
  /// The string that begins here, or `nil` if it holds half a surrogate pair.
  ///
  /// - Parameter limit: the most bytes of UTF-8 that it may have.
  mutating func string(limit: Int) throws(JSONFault) -> String? {
    let open = position
    position += 1
    var (text, isWellFormed) = ("", true)
    while true {
      text += try plainRun()
      if text.utf8.count > limit { throw JSONFault(.stringTooLong(limit: limit), at: open + 1) }
      if skip(UInt8(ascii: "\"")) { return isWellFormed ? text : nil }
      if let scalar = try escape() { text.unicodeScalars.append(scalar) } else { isWellFormed = false }
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
    guard let text = String(validating: bytes[start..<position], as: UTF8.self) else {
      throw JSONFault(.invalidUTF8, at: start)
    }
    return text
  }

  /// The code point of the escape that begins here, or `nil` for half a surrogate pair.
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
    // A lead surrogate pairs only with an escaped trail right after it.
    let mark = position
    guard skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")) else {
      position = mark
      return nil
    }
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
}

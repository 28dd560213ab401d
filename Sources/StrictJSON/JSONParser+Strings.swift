extension JSONParser {
  /// The string that begins here, or `nil` if it holds half a surrogate pair.
  mutating func string() throws(JSONFault) -> String? {
    let open = position
    position += 1
    let run = try plainRun()
    if bytes[position] == UInt8(ascii: "\\") { return try escapedString(after: run, open: open) }
    let text = try text(run)
    position += 1
    return text
  }

  /// The same as a member's value.
  mutating func placedString() throws(JSONFault) -> JSONValue {
    let open = position
    position += 1
    let run = try plainRun()
    if bytes[position] == UInt8(ascii: "\\") {
      return .made(try escapedString(after: run, open: open).map(JSON.string) ?? .illFormedString)
    }
    // Of ASCII there is nothing more to check.
    if !run.isASCII || run.range.count > limits.string { _ = try text(run) }
    position += 1
    return .string(run.range)
  }

  /// The slow path: the string that begins with this run, and whose first backslash stands here.
  private mutating func escapedString(after run: PlainRun, open: Int) throws(JSONFault) -> String? {
    var out = try text(run)
    var isWellFormed = true
    while bytes[position] == UInt8(ascii: "\\") {
      if let scalar = try escape() { out.unicodeScalars.append(scalar) } else { isWellFormed = false }
      out += try text(try plainRun())
    }
    if out.utf8.count > limits.string { throw JSONFault(.stringTooLong(limit: limits.string), at: open) }
    position += 1
    return isWellFormed ? out : nil
  }

  /// Bytes of a string that stand for themselves.
  private struct PlainRun {
    let range: Range<Int>
    let isASCII: Bool
  }

  /// Reads up to the quote or backslash that ends the run which begins here.
  private mutating func plainRun() throws(JSONFault) -> PlainRun {
    let start = position
    var (end, seen) = (start, UInt64(0))
    while end + 8 <= bytes.count {
      let word = EightBytes(bytes, at: end)
      let plain = word.plainCount
      if plain < 8 {
        seen |= word.first(plain)
        end += plain
        break
      }
      seen |= word.bits
      end += 8
    }
    position = end
    // What stands here ends the run, or fewer than eight bytes are left.
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        return PlainRun(range: start..<position, isASCII: seen & EightBytes.highBits == 0)
      }
      if byte < 0x20 { throw JSONFault(.controlCharacter, at: position) }
      seen |= UInt64(byte)
      position += 1
    }
    throw JSONFault(.unexpectedEnd, at: bytes.count)
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

  private func text(_ run: PlainRun) throws(JSONFault) -> String {
    let start = run.range.lowerBound
    if run.range.count > limits.string { throw JSONFault(.stringTooLong(limit: limits.string), at: start) }
    if run.isASCII { return String(ascii: bytes[run.range]) }
    guard let text = String(validating: UnsafeBufferPointer(rebasing: bytes[run.range]), as: UTF8.self) else {
      throw JSONFault(.invalidUTF8, at: start)
    }
    return text
  }
}

// MARK: Keys for a reader of members

extension JSONParser {
  /// Hands over the key that begins here; false if the reader had it before.
  mutating func handKey(to reader: inout some JSONMemberReader) throws(JSONFault) -> Bool {
    let place = position
    position += 1
    let run = try plainRun()
    if run.isASCII, run.range.count <= limits.key, bytes[position] == UInt8(ascii: "\"") {
      position += 1
      try countKey(at: place)
      return reader.take(key: .plain(run.range))
    }
    position = place
    return reader.take(key: .made(try key()))
  }
}

extension String {
  /// Bytes that are known to be ASCII, which is UTF-8 as it stands.
  init(ascii bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    self.init(copying: UTF8Span(unchecked: UnsafeBufferPointer(rebasing: bytes).span, isKnownASCII: true))
  }
}

/// Eight bytes of a text, looked at in one step.
///
/// The first byte is the lowest of the word. If one is subtracted from each byte of a word, it borrows from the byte
/// above only if it finds what it looks for: a byte may be found wrongly, but never the first one.
private struct EightBytes {
  static let highBits: UInt64 = 0x8080_8080_8080_8080
  private static let lowBits: UInt64 = 0x0101_0101_0101_0101

  let bits: UInt64

  /// - Parameter offset: at least eight bytes follow it.
  init(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) {
    bits = UInt64(littleEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// How many bytes precede the first quote, backslash or control character; 8 if there is none.
  var plainCount: Int {
    let ends = hasZero(bits ^ Self.lowBits &* 0x22) | hasZero(bits ^ Self.lowBits &* 0x5C) | hasControl
    return (ends & Self.highBits).trailingZeroBitCount / 8
  }

  /// The first so many bytes, fewer than eight, and zeros.
  func first(_ count: Int) -> UInt64 { bits & ((1 &<< (count &* 8)) &- 1) }

  /// The high bit of a byte is set if it is less than a space.
  private var hasControl: UInt64 { (bits &- Self.lowBits &* 0x20) & ~bits }

  /// The high bit of a byte is set if it is zero.
  private func hasZero(_ word: UInt64) -> UInt64 { (word &- Self.lowBits) & ~word }
}

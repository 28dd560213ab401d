/// Questions about single bytes of UTF-8.
enum ASCII {
  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
  static func isLower(_ byte: UInt8) -> Bool { byte >= 0x61 && byte <= 0x7A }
  static func isLetter(_ byte: UInt8) -> Bool { isLower(byte | 0x20) }
  static func isHexDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x66)
  }
  /// A digit's value; the caller has checked that it is one.
  static func digit(_ byte: UInt8) -> Int { Int(byte &- 0x30) }
}

extension Unicode.Scalar {
  /// White space as ECMA-262 counts it: the 25 code points that `\s` matches.
  var isWhiteSpace: Bool {
    switch value {
    case 0x09...0x0D, 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF:
      true
    default: false
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// How many code points there are in UTF-8: every byte begins one, except those of the form 10xxxxxx.
  var codePointCount: Int {
    var count = 0
    for byte in self where byte & 0xC0 != 0x80 { count += 1 }
    return count
  }
}

extension String {
  /// Calls `body` with the text's UTF-8.
  func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    var text = self
    return text.withUTF8(body)
  }
}

/// Whether two texts have the same code points. `==` would also join canonical equivalents.
func isSame(_ one: String, _ other: String) -> Bool {
  one.utf8.count == other.utf8.count && one.utf8.elementsEqual(other.utf8)
}

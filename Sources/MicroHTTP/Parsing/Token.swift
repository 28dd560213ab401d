internal import Glibc

/// A set of ASCII characters: one look at a bit for each byte.
struct ASCIISet: Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// - Precondition: all of them are ASCII.
  init(_ characters: String) {
    for byte in characters.utf8 {
      precondition(byte < 128)
      if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
    }
  }

  func contains(_ byte: UInt8) -> Bool {
    byte < 128 && (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 == 1
  }

  /// The characters of a token, `tchar` (RFC 9110, section 5.6.2).
  static let token = ASCIISet("!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

  /// True for a token: one or more of `tchar`.
  static func isToken(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(token.contains) }
}

extension UInt8 {
  /// True for a byte that a header's value may not have: a control other than TAB (RFC 9110, section 5.5).
  var isForbiddenInValue: Bool { (self < 0x20 && self != 0x09) || self == 0x7F }

  /// True for what HTTP's grammar calls white space: a space or a TAB.
  var isBlank: Bool { self == 0x20 || self == 0x09 }

  /// The byte with A to Z in lower case.
  var asciiLowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

  /// The value of this hexadecimal digit, or `nil` if it is none.
  var hexadecimalValue: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x41 + 10
    case 0x61...0x66: self - 0x61 + 10
    default: nil
    }
  }
}

extension Span<UInt8> {
  /// The place of the first such byte from there on.
  func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
    // The one search that takes many bytes, so it takes them many at a time.
    withUnsafeBufferPointer { bytes in
      guard start < count, let base = bytes.baseAddress else { return nil }
      return memchr(base + start, Int32(byte), count - start).map { UnsafeRawPointer($0) - UnsafeRawPointer(base) }
    }
  }

  func allSatisfy(_ isRight: (UInt8) -> Bool) -> Bool {
    for index in indices where !isRight(self[index]) { return false }
    return true
  }

  /// Where the bytes are without white space at both ends.
  var trimmed: Range<Int> {
    var (start, end) = (0, count)
    while start < end, self[start].isBlank { start += 1 }
    while start < end, self[end - 1].isBlank { end -= 1 }
    return start..<end
  }

  /// True for a token: one or more of `tchar`.
  var isToken: Bool { !isEmpty && allSatisfy(ASCIISet.token.contains) }

  /// As UTF-8, with what is not that replaced.
  var text: String { withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }

  func equals(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    for index in indices where self[index] != text.utf8Start[index] { return false }
    return true
  }

  /// The same, but for the case of ASCII letters.
  func equalsIgnoringASCIICase(_ text: Span<UInt8>) -> Bool {
    guard count == text.count else { return false }
    for index in indices where self[index].asciiLowercased != text[index].asciiLowercased { return false }
    return true
  }

  /// The same, but for the case of ASCII letters.
  func equalsIgnoringASCIICase(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    for index in indices where self[index].asciiLowercased != text.utf8Start[index].asciiLowercased { return false }
    return true
  }
}

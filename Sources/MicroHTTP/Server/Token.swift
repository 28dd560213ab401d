internal import Glibc

/// A set of ASCII characters.
struct ASCIISet: Sendable {
  private let members: [Bool]

  init(_ characters: String) {
    let bytes = Set(characters.utf8)
    members = (0...UInt8.max).map(bytes.contains)
  }

  func contains(_ byte: UInt8) -> Bool { members[Int(byte)] }

  static let digitsAndLetters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

  /// The characters of a token, `tchar` (RFC 9110, section 5.6.2).
  static let token = ASCIISet("!#$%&'*+-.^_`|~" + digitsAndLetters)

  /// True for a token: one or more of `tchar`.
  static func isToken(_ bytes: Span<UInt8>) -> Bool { !bytes.isEmpty && bytes.allSatisfy(token.contains) }

  /// True for what a header's value may be.
  static func isValue(_ bytes: Span<UInt8>) -> Bool {
    // Without an early exit or a branch, so that the compiler checks many bytes at a time.
    bytes.indices.reduce(0) { $0 | bytes[$1].forbiddenInValue } == 0
  }
}

extension UInt8 {
  /// 1 for a byte that a header's value may not have, a control other than TAB (RFC 9110, section 5.5); else 0.
  var forbiddenInValue: UInt8 { (self < 0x20 ? 1 : 0) & (self != 0x09 ? 1 : 0) | (self == 0x7F ? 1 : 0) }

  /// True for what HTTP's grammar calls white space: a space or a TAB.
  var isBlank: Bool { self == 0x20 || self == 0x09 }

  /// The byte with A to Z in lower case.
  var asciiLowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

extension ArraySlice<UInt8> {
  /// Without white space at both ends.
  var trimmed: ArraySlice {
    let rest = drop(while: \.isBlank)
    return rest.prefix(upTo: rest.lastIndex { !$0.isBlank }.map { $0 + 1 } ?? rest.startIndex)
  }
}

extension [UInt8] {
  /// Appends all of them at once.
  mutating func append(_ bytes: Span<UInt8>) { bytes.withUnsafeBufferPointer { append(contentsOf: $0) } }
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

  /// The range of the bytes without the white space at both ends.
  var trimmed: Range<Int> {
    var (start, end) = (0, count)
    while start < end, self[start].isBlank { start += 1 }
    while start < end, self[end - 1].isBlank { end -= 1 }
    return start..<end
  }

  /// As UTF-8, with what is not that replaced.
  var text: String { withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }

  package func equals(_ text: String) -> Bool {
    let text = text.utf8.span
    guard count == text.count, count > 0 else { return count == text.count }
    return withUnsafeBytes { one in text.withUnsafeBytes { memcmp(one.baseAddress!, $0.baseAddress!, one.count) == 0 } }
  }

  /// Like `equals`, but ignores the case of ASCII letters.
  package func equalsIgnoringASCIICase(_ text: String) -> Bool {
    let text = text.utf8.span
    guard count == text.count else { return false }
    return indices.allSatisfy { self[$0] == text[$0] || self[$0].asciiLowercased == text[$0].asciiLowercased }
  }
}

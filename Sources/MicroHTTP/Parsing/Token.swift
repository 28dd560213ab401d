internal import Glibc

/// The character classes of HTTP's grammar.
enum Token {
  /// True for a token: one or more of `tchar` (RFC 9110, section 5.6.2).
  static func isToken(_ bytes: some Collection<UInt8>) -> Bool {
    !bytes.isEmpty && tokenCharacters.containsAll(bytes)
  }

  static func isTokenCharacter(_ byte: UInt8) -> Bool { tokenCharacters.contains(byte) }

  private static let tokenCharacters = ASCIISet(
    "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

  /// True where a header's value may not have this byte: a control other than
  /// TAB (RFC 9110, section 5.5).
  static func isForbiddenInValue(_ byte: UInt8) -> Bool {
    (byte < 0x20 && byte != 0x09) || byte == 0x7F
  }

  /// True where no byte of a value is forbidden in it.
  static func isValue(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 8 else { return !bytes.contains(where: isForbiddenInValue) }
    // Eight bytes at a time, the last ones once more: nearly all have no control character, not even a TAB.
    for start in stride(from: 0, to: bytes.count - 8, by: 8)
    where hasControl(bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)) {
      return !bytes.contains(where: isForbiddenInValue)
    }
    return !hasControl(bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self))
      || !bytes.contains(where: isForbiddenInValue)
  }

  /// True where one of the eight bytes is below 0x20 or is 0x7F.
  private static func hasControl(_ bytes: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let deletes = bytes ^ (ones &* 0x7F)
    // A byte that is less than another borrows from its highest bit, unless that was set.
    let small = (bytes &- (ones &* 0x20)) & ~bytes
    let zero = (deletes &- ones) & ~deletes
    return (small | zero) & (ones &* 0x80) != 0
  }

  static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var bits: UInt8 = 0
    for byte in bytes { bits |= byte }
    return bits < 0x80
  }
}

extension UInt8 {
  /// The byte with A to Z in lower case.
  var asciiLowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

  /// What this hexadecimal digit counts; nil when it is none.
  var hexadecimalValue: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x41 + 10
    case 0x61...0x66: self - 0x61 + 10
    default: nil
    }
  }
}

extension UnsafeRawBufferPointer {
  /// True when the bytes are this text. The length is compared first: most texts differ in it.
  func equals(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && (count == 0 || memcmp(baseAddress!, text.utf8Start, count) == 0)
  }

  /// The same, but for the case of ASCII letters. It is soonest told where the case is the same, too.
  func equalsIgnoringASCIICase(_ text: StaticString) -> Bool {
    if equals(text) { return true }
    guard count == text.utf8CodeUnitCount else { return false }
    for index in 0..<count
    where self[index].asciiLowercased != text.utf8Start[index].asciiLowercased {
      return false
    }
    return true
  }
}

/// A set of ASCII characters: one look at a bit for each byte.
struct ASCIISet: Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// - Precondition: all of them are ASCII.
  init(_ characters: StaticString) {
    for byte in UnsafeBufferPointer(start: characters.utf8Start, count: characters.utf8CodeUnitCount) {
      precondition(byte < 128)
      if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
    }
  }

  /// True when every byte is in the set.
  func containsAll(_ bytes: some Sequence<UInt8>) -> Bool { bytes.allSatisfy(contains) }

  func contains(_ byte: UInt8) -> Bool {
    byte < 128 && (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 == 1
  }
}

/// Eight bytes of a text, looked at in one step.
///
/// The first byte is the lowest of the word. Where one is subtracted from each byte of a word, it borrows from the byte
/// above only where it finds what it looks for: a byte may be found wrongly, but never the first one.
struct EightBytes {
  static let highBits: UInt64 = 0x8080_8080_8080_8080
  private static let lowBits: UInt64 = 0x0101_0101_0101_0101

  private let word: UInt64

  /// - Parameter offset: at least eight bytes follow it.
  init(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) {
    word = UInt64(littleEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// How many bytes stand before the first that is a quote, a backslash or a control character; 8: there is none.
  var plainCount: Int {
    let ends = hasZero(word ^ Self.lowBits &* 0x22) | hasZero(word ^ Self.lowBits &* 0x5C) | hasControl
    return (ends & Self.highBits).trailingZeroBitCount / 8
  }

  /// The first so many bytes, and zeros.
  func first(_ count: Int) -> UInt64 { count == 8 ? word : word & (1 << (count * 8) - 1) }

  /// The high bit of a byte is set where it is less than a space.
  private var hasControl: UInt64 { (word &- Self.lowBits &* 0x20) & ~word }

  /// The high bit of a byte is set where it is zero.
  private func hasZero(_ word: UInt64) -> UInt64 { (word &- Self.lowBits) & ~word }
}

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

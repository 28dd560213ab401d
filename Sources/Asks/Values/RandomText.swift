/// 128 bits as 26 characters of Crockford's Base32 in lower case: no character is taken for
/// another, none needs escaping in a URL, and a double click selects all of it.
struct RandomText: Hashable, Sendable {
  let bytes: [UInt8]

  private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

  /// Bits of the system's generator (`getrandom`).
  init() {
    var generator = SystemRandomNumberGenerator()
    // Each call asks the kernel, so few words and not many bytes.
    let (high, low): (UInt64, UInt64) = (generator.next(), generator.next())
    bytes = [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
  }

  /// nil unless this is exactly what `text` writes for some 128 bits.
  init?(_ text: String) {
    var bits: UInt128 = 0
    var count = 0
    for character in text.utf8 {
      guard count < 26, let digit = Self.alphabet.firstIndex(of: character) else { return nil }
      // 26 digits hold 130 bits: the first may only use three of its five.
      if count == 0, digit > 7 { return nil }
      bits = bits << 5 | UInt128(digit)
      count += 1
    }
    guard count == 26 else { return nil }
    bytes = (0..<16).map { UInt8(truncatingIfNeeded: bits >> UInt128(120 - 8 * $0)) }
  }

  var text: String {
    let bits = bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
    let digits = (0..<26).map { Self.alphabet[Int(truncatingIfNeeded: bits >> UInt128(125 - 5 * $0)) & 31] }
    return String(decoding: digits, as: UTF8.self)
  }
}

/// What tells one request from all others, in logs and to whoever reports a fault.
enum RequestID {
  /// The process's own start: requests of two processes do not meet.
  private static let seed = UInt64.random(in: .min ... .max)

  /// 16 hexadecimal digits for a number that is unique in this process.
  static func text(of number: UInt64) -> String {
    // SplitMix64: one to one, so that no two numbers meet, and no count to be read from it.
    var mixed = seed &+ number &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return String(unsafeUninitializedCapacity: 16) { text in
      for place in 0..<16 {
        let digit = UInt8(truncatingIfNeeded: mixed >> UInt64(60 - 4 * place)) & 15
        text[place] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
      }
      return 16
    }
  }
}

internal import StrictJSON

/// `email`: a valid e-mail address as the HTML standard defines it (4.10.5.1.5).
struct EmailRule: TextCondition {
  static let name = "email"

  init() {}
  init?(_ arguments: Mapping, _ reading: inout Reading) {}

  func isMet(by text: String) -> Bool {
    text.withBytes { bytes in
      guard let at = bytes.firstIndex(of: UInt8(ascii: "@")), at > 0, bytes[..<at].allSatisfy(Self.isLocal)
      else { return false }
      var start = at + 1
      while true {
        let end = bytes[start...].firstIndex(of: UInt8(ascii: ".")) ?? bytes.count
        guard Self.isLabel(bytes[start..<end]) else { return false }
        if end == bytes.count { return true }
        start = end + 1
      }
    }
  }

  func sentence(for reader: Audience) -> Sentence { .email }

  func schema(of kind: Field.Kind) -> JSON? {
    let label = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
    return RuleSchema.pattern("[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@\(label)(?:\\.\(label))*")
  }

  private static func isLocal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"),
      UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "/"),
      UInt8(ascii: "="), UInt8(ascii: "?"), UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"),
      UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"), UInt8(ascii: "~"), UInt8(ascii: "-"):
      true
    default: ASCII.isLetter(byte) || ASCII.isDigit(byte)
    }
  }

  /// 1 to 63 letters, digits and hyphens, with a hyphen at neither end.
  private static func isLabel(_ label: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let hyphen = UInt8(ascii: "-")
    return (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
      && label.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == hyphen }
  }
}

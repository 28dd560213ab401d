/// `email`: a valid e-mail address as the HTML standard defines it (4.10.5.1.5); an international one may have a domain
/// outside ASCII.
struct EmailRule: TextCondition {
  static let name = "email"
  static let arguments = [Argument("international", \Self.international)]

  var international = false

  func isMet(by text: String) -> Bool {
    let bytes = text.utf8.span
    guard let at = bytes.indices.first(where: { bytes[$0] == UInt8(ascii: "@") }), at > 0,
      (0..<at).allSatisfy({ Self.isLocal(bytes[$0]) })
    else { return false }
    var start = at + 1
    while start <= bytes.count {
      let end = (start..<bytes.count).first { bytes[$0] == UInt8(ascii: ".") } ?? bytes.count
      guard
        HostLabel.isASCII(bytes.extracting(start..<end))
          || international && HostLabel.isInternational(Array(text.utf8)[start..<end])
      else { return false }
      start = end + 1
    }
    return true
  }

  func work(on size: InputSize) -> Int { 2_000 + 20 * size.bytes }

  /// True if the byte may stand before the `@`: all that is visible in ASCII, with some exceptions.
  private static func isLocal(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "\"", "(", ")", ",", ":", ";", "<", ">", "@", "[", "\\", "]": false
    default: byte > 0x20 && byte < 0x7F
    }
  }

  /// `a@b`
  var limits: Limits { Limits(lengths: (3, .max), shape: Self.shape) }

  /// An address has one `@` and no white space.
  private static let shape: PatternSyntax = {
    let rest = PatternSyntax.repetition(
      .codePoint(CodePointSet(0x40).union(.whiteSpace).complement), min: 1, max: nil)
    return .sequence([rest, .codePoint(CodePointSet(0x40)), rest])
  }()

  func schema(of texts: RawTextContext) -> JSON? {
    if international { return nil }
    let label = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
    return texts.matching("[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@\(label)(?:\\.\(label))*")
  }
}

extension Rule {
  /// The rule `email` as one that takes international domains too; any other as it is.
  var international: Rule {
    name == EmailRule.name ? Rule(EmailRule(international: true), message: message) : self
  }
}

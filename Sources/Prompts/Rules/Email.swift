internal import StrictJSON

/// `email`: a valid e-mail address as the HTML standard defines it (4.10.5.1.5); an international one may have a domain
/// outside ASCII.
struct EmailRule: TextCondition {
  static let name = "email"
  static var keys: [String] { ["international"] }
  static var needsArguments: Bool { false }

  let international: Bool

  init(international: Bool = false) { self.international = international }

  init?(_ arguments: Mapping, _ reading: inout Reading) {
    guard let node = arguments["international"] else {
      international = false
      return
    }
    guard let isInternational = reading.bool(node, "international") else { return nil }
    international = isInternational
  }

  func isMet(by text: String) -> Bool {
    text.withBytes { bytes in
      guard let at = bytes.firstIndex(of: UInt8(ascii: "@")), at > 0, bytes[..<at].allSatisfy(Self.isLocal)
      else { return false }
      var start = at + 1
      while true {
        let end = bytes[start...].firstIndex(of: UInt8(ascii: ".")) ?? bytes.count
        let label = bytes[start..<end]
        guard HostLabel.isASCII(label) || international && HostLabel.isInternational(label) else { return false }
        if end == bytes.count { return true }
        start = end + 1
      }
    }
  }

  func narrow(_ premise: inout Premise) { premise.shape = Self.shape }

  /// An address has one `@` and no white space.
  private static let shape: PatternSyntax = {
    let at = CodePointSet(0x40)
    let rest = PatternSyntax.repetition(
      .codePoint(at.union(.whiteSpace).complement), min: 1, max: nil)
    return .sequence([rest, .codePoint(at), rest])
  }()

  func sentence(for reader: Audience) -> Sentence { .email }

  func write(to json: inout JSONWriter, for reader: Audience) {
    if international { json.member("international", true) }
  }

  func schema(of texts: SentTexts) -> JSON? {
    if international { return nil }
    let label = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
    return texts.matching("[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@\(label)(?:\\.\(label))*")
  }

  private static func isLocal(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case ".", "!", "#", "$", "%", "&", "'", "*", "+", "/", "=", "?", "^", "_", "`", "{", "|", "}", "~", "-": true
    default: ASCII.isLetter(byte) || ASCII.isDigit(byte)
    }
  }
}

extension Rule {
  /// The rule `email` as one that takes international domains too; any other as it is.
  var international: Rule {
    condition is EmailRule ? Rule(EmailRule(international: true), message: message) : self
  }
}

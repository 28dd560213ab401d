internal import StrictJSON

/// `email`: a valid e-mail address as the HTML standard defines it (4.10.5.1.5); an international one may have a domain
/// outside ASCII.
struct EmailRule: PlainCondition, TextCondition {
  static let name = "email"
  static let arguments = [Argument("international", \Self.international)]

  var international = false

  func isMet(by text: String) -> Bool {
    let bytes = Array(text.utf8)
    var end = 0
    while end < bytes.count, Self.isLocal(bytes[end]) { end += 1 }
    guard end > 0, end < bytes.count, bytes[end] == UInt8(ascii: "@") else { return false }
    while end < bytes.count {
      let start = end + 1
      if let ascii = HostLabel.endOfASCII(in: bytes, from: start) {
        end = ascii
      } else {
        end = bytes[start...].firstIndex(of: UInt8(ascii: ".")) ?? bytes.count
        guard international, HostLabel.isInternational(bytes[start..<end]) else { return false }
      }
    }
    return true
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

  func schema(of texts: RawTextContext) -> JSON? {
    if international { return nil }
    let label = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
    return texts.matching("[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@\(label)(?:\\.\(label))*")
  }

  /// What may stand before the `@`: all that is visible in ASCII, except these.
  private static func isLocal(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && !#""(),:;<>@[\]"#.utf8.contains(byte)
  }
}

extension Rule {
  /// The rule `email` as one that takes international domains too; any other as it is.
  var international: Rule {
    condition is EmailRule ? Rule(EmailRule(international: true), message: message) : self
  }
}

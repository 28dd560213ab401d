/// A strong entity tag (RFC 9110, section 8.8.3).
struct EntityTag: Sendable {
  /// With its quotes.
  let text: String

  /// The tag of these bytes: their number and their FNV-1a hash of 64 bits.
  init(of bytes: some Collection<UInt8>) {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    text = "\"\(String(bytes.count, radix: 36))-\(String(hash, radix: 36))\""
  }

  /// - Parameter version: visible ASCII without quotes.
  init(version: String) { text = "\"\(version)\"" }

  /// The tag of the same thing in another coding, which is another representation.
  func coded(_ coding: String) -> EntityTag {
    EntityTag(version: "\(text.dropFirst().dropLast())-\(coding)")
  }

  /// True when `If-None-Match` names this tag: compared weakly (RFC 9110, section 13.1.2).
  func isNamed(in header: String) -> Bool {
    if header == "*" || header == text { return true }
    return header.split(separator: ",").contains { element in
      var element = element.drop { $0 == " " || $0 == "\t" }
      while element.last == " " || element.last == "\t" { element.removeLast() }
      return (element.hasPrefix("W/") ? element.dropFirst(2) : element) == text
    }
  }
}

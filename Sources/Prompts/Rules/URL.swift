internal import StrictJSON

/// `url`: an absolute http or https URL (WHATWG URL, “valid URL string”), without user info.
///
/// Path, query and fragment may also hold `[ ] | { } ^`, which every browser reads and people paste.
struct URLRule: PlainCondition, TextCondition {
  static let name = "url"

  func isMet(by text: String) -> Bool {
    let scalars = Array(text.unicodeScalars)
    guard let start = Self.afterScheme(scalars) else { return false }
    let end = scalars[start...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? scalars.endIndex
    return Self.isAuthority(scalars[start..<end]) && Self.isRest(scalars[end...])
  }

  func work(on size: InputSize) -> Int { 2_000 + 10 * size.bytes }
  func sentence(for reader: Audience) -> Sentence { .url }
  func schema(of texts: RawTextContext) -> JSON? { texts.areAnswers ? .keyword("format", .string("uri")) : nil }

  private typealias Scalars = ArraySlice<Unicode.Scalar>

  /// Where the host begins, or `nil` if this does not begin with `http://` or `https://`.
  private static func afterScheme(_ scalars: [Unicode.Scalar]) -> Int? {
    for scheme in ["https://", "http://"] {
      let length = scheme.unicodeScalars.count
      let head = scalars.prefix(length).map { $0.isASCII ? $0.properties.lowercaseMapping : "" }.joined()
      if head == scheme { return length }
    }
    return nil
  }

  private static func isAuthority(_ authority: Scalars) -> Bool {
    if authority.first == "[" {
      guard let close = authority.firstIndex(of: "]") else { return false }
      // The longest has 39 digits and colons, or 45 with an IPv4 tail: a longer text need not be taken apart.
      guard close - authority.startIndex <= 46 else { return false }
      return HostAddress.isIPv6(text(authority[(authority.startIndex + 1)..<close]))
        && isPort(authority[(close + 1)...])
    }
    let colon = authority.firstIndex(of: ":") ?? authority.endIndex
    return isHost(authority[..<colon]) && isPort(authority[colon...])
  }

  /// Nothing, or a colon and a number up to 65535.
  private static func isPort(_ port: Scalars) -> Bool {
    if port.isEmpty { return true }
    let digits = port.dropFirst()
    guard port.first == ":", (1...5).contains(digits.count),
      digits.allSatisfy({ $0.isASCII && ASCII.isDigit(UInt8($0.value)) })
    else { return false }
    return Int(text(digits)).map { $0 <= 65_535 } ?? false
  }

  private static func isHost(_ host: Scalars) -> Bool {
    // 253, and perhaps the dot of the root.
    guard (1...254).contains(host.count) else { return false }
    // Parsers read three other full stops as dots.
    var labels = host.split(omittingEmptySubsequences: false) {
      [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"].contains($0)
    }
    if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
    let count = labels.reduce(labels.count - 1) { $0 + $1.count }
    guard let last = labels.last, count <= 253, labels.allSatisfy(HostLabel.isAny) else { return false }
    return isNumeric(last) ? HostAddress.isIPv4(text(host)) : true
  }

  /// Whether parsers would read this label as the end of an IPv4 address: all digits, or `0x` and hex digits.
  private static func isNumeric(_ label: Scalars) -> Bool {
    guard label.allSatisfy(\.isASCII) else { return false }
    let bytes = label.map { UInt8($0.value) }
    if bytes.allSatisfy(ASCII.isDigit) { return true }
    return bytes.count >= 2 && bytes[0] == UInt8(ascii: "0") && bytes[1] | 0x20 == UInt8(ascii: "x")
      && bytes.dropFirst(2).allSatisfy(ASCII.isHexDigit)
  }

  /// Path, query and fragment: allowed characters, `%` only before two hex digits, one `#`.
  private static func isRest(_ rest: Scalars) -> Bool {
    var inFragment = false
    for index in rest.indices {
      let scalar = rest[index]
      switch scalar {
      case "#":
        if inFragment { return false }
        inFragment = true
      case "%":
        let digits = rest[(index + 1)...].prefix(2)
        guard digits.count == 2, digits.allSatisfy({ $0.isASCII && ASCII.isHexDigit(UInt8($0.value)) }) else {
          return false
        }
      case "[", "]", "|", "{", "}", "^": break
      default: if !isURLScalar(scalar) { return false }
      }
    }
    return true
  }

  /// URL code points (WHATWG URL, 1.3).
  private static func isURLScalar(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "!", "$", "&", "'", "(", ")", "*", "+", ",", "-", ".", "/", ":", ";", "=", "?", "@", "_", "~": true
    default:
      if scalar.isASCII {
        ASCII.isLetter(UInt8(scalar.value)) || ASCII.isDigit(UInt8(scalar.value))
      } else {
        scalar.value >= 0xA0 && !(0xFDD0...0xFDEF).contains(scalar.value) && scalar.value & 0xFFFE != 0xFFFE
      }
    }
  }

  private static func text(_ scalars: Scalars) -> String { String(String.UnicodeScalarView(scalars)) }
}

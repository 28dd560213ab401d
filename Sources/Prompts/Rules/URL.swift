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
    guard authority.first == "[" else {
      let colon = authority.firstIndex(of: ":") ?? authority.endIndex
      return isHost(authority[..<colon]) && isPort(authority[colon...])
    }
    // The longest has 39 digits and colons, or 45 with an IPv4 tail: a longer text need not be taken apart.
    guard let close = authority.firstIndex(of: "]"), close - authority.startIndex <= 46 else { return false }
    return HostAddress.isIPv6(text(authority[..<close].dropFirst())) && isPort(authority[(close + 1)...])
  }

  /// Nothing, or a colon and a number up to 65535.
  private static func isPort(_ port: Scalars) -> Bool {
    let digits = port.dropFirst()
    guard port.first == ":", (1...5).contains(digits.count), digits.allSatisfy({ ASCII.isDigit($0.value) }) else {
      return port.isEmpty
    }
    return digits.reduce(0) { $0 * 10 + ASCII.digit($1.value) } <= 65_535
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
    if label.allSatisfy({ ASCII.isDigit($0.value) }) { return true }
    let prefix = label.prefix(2)
    return (prefix.elementsEqual("0x".unicodeScalars) || prefix.elementsEqual("0X".unicodeScalars))
      && label.dropFirst(2).allSatisfy { ASCII.isHexDigit($0.value) }
  }

  /// Path, query and fragment: allowed characters, `%` only before two hex digits, one `#`.
  private static func isRest(_ rest: Scalars) -> Bool {
    let fragment = rest.firstIndex(of: "#")
    return rest.indices.allSatisfy { index in
      switch rest[index] {
      case "#": return index == fragment
      case "%":
        let digits = rest[(index + 1)...].prefix(2)
        return digits.count == 2 && digits.allSatisfy { ASCII.isHexDigit($0.value) }
      case let scalar: return isAllowed(scalar)
      }
    }
  }

  /// URL code points (WHATWG URL, 1.3), and those that people paste.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return ASCII.isLetter(scalar.value) || ASCII.isDigit(scalar.value)
        || "!$&'()*+,-./:;=?@_~[]|{}^".unicodeScalars.contains(scalar)
    }
    return scalar.value >= 0xA0 && !(0xFDD0...0xFDEF).contains(scalar.value) && scalar.value & 0xFFFE != 0xFFFE
  }

  private static func text(_ scalars: Scalars) -> String { String(String.UnicodeScalarView(scalars)) }
}

/// The URL of a callback: the parts of an `http` or `https` URL that all parsers read the same way.
///
/// A URL that two parsers could read differently is refused, because one parser compares the allowed prefix and another
/// sends the request: user info, a fragment, `\`, dot segments (also as `%2e`), an encoded `/` or `\`, anything but
/// visible ASCII.
package struct CallbackURL: Hashable, Sendable {
  /// `http` or `https`.
  package let scheme: String
  /// A name or an address in lower case, IPv6 in its brackets.
  package let host: String
  let port: Int
  /// The parts between the slashes of the path, as written. `/` is one empty segment.
  let segments: [String]
  /// The part after `?`, as written, or `nil` if there is no `?`.
  let query: String?

  /// Bytes of a URL.
  static let limit = 2048

  /// - Throws: `CallbackURLFault`, which says what to do about it.
  package init(_ text: String) throws(CallbackURLFault) {
    guard text.utf8.count <= Self.limit else { throw .tooLong }
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !Self.forbidden.contains($0) }) else {
      throw .characters
    }
    guard !text.utf8.contains(UInt8(ascii: "#")) else { throw .fragment }
    guard
      let (_, scheme, authority, path, query) =
        text.wholeMatch(of: #/((?i:https?))://([^/?]*)(?:/([^?]*))?(?:\?(.*))?/#)?.output
    else { throw .scheme }
    guard !authority.contains("@") else { throw .userInfo }
    guard let (_, host, rest) = authority.wholeMatch(of: #/([\w.-]+(?=:|$)|\[[[:xdigit:]:.]+\])(.*)/#)?.output
    else { throw .host }
    self.scheme = scheme.lowercased()
    self.host = host.lowercased()
    let port = rest.isEmpty ? Self.defaultPort(self.scheme) : rest.wholeMatch(of: #/:(\d+)/#).flatMap { Int($0.1) }
    guard let port, (1...65_535).contains(port) else { throw .port }
    self.port = port
    segments = (path ?? "").split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    self.query = query.map(String.init)
    for segment in segments { try Self.check(segment) }
  }

  /// The URL put together from its parts: what is sent is what was compared.
  package var text: String {
    "\(scheme)://\(authority)/" + segments.joined(separator: "/") + (query.map { "?" + $0 } ?? "")
  }

  /// Scheme, host and port: what a log may name. Path and query can hold a secret.
  package var origin: String { "\(scheme)://\(authority)" }

  private var authority: String { port == Self.defaultPort(scheme) ? host : "\(host):\(port)" }

  private static let forbidden = Array(#"\"<>^`{|}"#.utf8)

  private static func defaultPort(_ scheme: String) -> Int { scheme == "https" ? 443 : 80 }

  /// Checks that a segment means the same to everyone. Some servers cut it at `;` before they look for dots.
  private static func check(_ segment: String) throws(CallbackURLFault) {
    let lowered = segment.lowercased()
    for escape in lowered.split(separator: "%", omittingEmptySubsequences: false).dropFirst() {
      let digits = escape.prefix(2)
      guard digits.count == 2, digits.allSatisfy(\.isHexDigit) else { throw .percent }
      guard !["2f", "5c", "00"].contains(digits) else { throw .encodedSlash }
    }
    let name = lowered.replacing("%2e", with: ".").replacing("%3b", with: ";").prefix { $0 != ";" }
    guard name != ".", name != ".." else { throw .dotSegment }
  }
}

extension CallbackURL: CustomStringConvertible {
  package var description: String { text }
}

public import Platform
internal import Prompts

/// The URL of a callback: the parts of an `http` or `https` URL that all parsers read the same way.
///
/// A URL that two parsers could read differently is refused, because one parser compares the allowed prefix and another
/// sends the request: user info, a fragment, `\`, dot segments (also as `%2e`), an encoded `/` or `\`, anything but
/// visible ASCII.
package struct CallbackURL: Hashable, Sendable {
  /// `http` or `https`.
  package let scheme: String
  /// A name or an address in lower case, IPv6 in its brackets.
  let host: String
  let port: Int
  /// The parts between the slashes of the path, as written. `/` is one empty segment.
  let segments: [String]
  /// The part after `?`, as written, or `nil` if there is no `?`.
  let query: String?

  /// Bytes of a URL.
  static let limit = 2048

  /// - Throws: `PlainError`, which says what to do about it.
  package init(_ text: String) throws(PlainError) {
    guard text.utf8.count <= Self.limit else { throw PlainError(row: "url.too-long", ["limit": Self.limit]) }
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !Self.forbidden.contains($0) }) else {
      throw PlainError(row: "url.characters")
    }
    guard !text.utf8.contains(UInt8(ascii: "#")) else { throw PlainError(row: "url.fragment") }
    var reader = TextReader(text)
    guard let scheme = reader.take(some: "A-Za-z")?.lowercased(), scheme == "http" || scheme == "https",
      reader.take("://")
    else { throw PlainError(row: "url.scheme") }
    let authority = reader.take(any: "^/?")
    guard !authority.contains("@") else { throw PlainError(row: "url.user") }
    var place = TextReader(authority)
    guard let host = place.takeHost("A-Za-z0-9_.-"), !host.isEmpty,
      host.hasPrefix("[") || place.isAtEnd || place.rest.hasPrefix(":")
    else { throw PlainError(row: "url.host") }
    self.scheme = scheme
    self.host = host.lowercased()
    let port =
      place.isAtEnd ? Self.defaultPort(scheme) : place.take(":") ? place.take(some: "0-9").flatMap { Int($0) } : nil
    guard let port, place.isAtEnd, (1...65_535).contains(port) else { throw PlainError(row: "url.port") }
    self.port = port
    let path = reader.take("/") ? reader.take(any: "^?") : nil
    segments = (path ?? "").split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    query = reader.take("?") ? String(reader.rest) : nil
    for segment in segments { try Self.check(segment) }
  }

  /// The URL put together from its parts: what is sent is what was compared.
  package var text: String {
    "\(scheme)://\(authority)/" + segments.joined(separator: "/") + (query.map { "?" + $0 } ?? "")
  }

  /// True if nobody on the way can read or change what is sent: it is encrypted, or stays on this machine.
  package var isPrivate: Bool { scheme == "https" || IPAddress.isLoopback(host: host) }

  /// Scheme, host and port: what a log may name. Path and query can hold a secret.
  package var origin: String { "\(scheme)://\(authority)" }

  /// The same of any text. One that is no such URL may hold a secret anywhere.
  static func origin(of text: String) -> String { (try? CallbackURL(text))?.origin ?? "unreadable:" }

  private var authority: String { port == Self.defaultPort(scheme) ? host : "\(host):\(port)" }

  private static let forbidden = Array(#"\"<>^`{|}"#.utf8)

  private static func defaultPort(_ scheme: String) -> Int { scheme == "https" ? 443 : 80 }

  /// Checks that a segment means the same to everyone. Some servers cut it at `;` before they look for dots.
  private static func check(_ segment: String) throws(PlainError) {
    let lowered = segment.lowercased()
    for escape in lowered.split(separator: "%", omittingEmptySubsequences: false).dropFirst() {
      let digits = escape.prefix(2)
      guard digits.count == 2, digits.allSatisfy(\.isHexDigit) else { throw PlainError(row: "url.percent") }
      guard !["2f", "5c", "00"].contains(digits) else { throw PlainError(row: "url.encoded-slash") }
    }
    let name = lowered.replacing("%2e", with: ".").replacing("%3b", with: ";").prefix { $0 != ";" }
    guard name != ".", name != ".." else { throw PlainError(row: "url.dot-segment") }
  }
}

extension CallbackURL: CustomStringConvertible {
  package var description: String { text }
}

/// Callbacks that the operator allows: everything under one path of one origin.
///
/// Compared part by part: `https://a.example/hooks` allows `https://a.example/hooks` and
/// `https://a.example/hooks/7?x=y`, but neither `https://a.example/hooksmith` nor
/// `https://a.example.evil/hooks`. A slash at its end makes no difference.
public struct CallbackPrefix: Hashable, Sendable {
  private let url: CallbackURL

  /// - Throws: `PlainError` if it is no such URL, or has a query.
  public init(_ text: String) throws(PlainError) {
    url = try CallbackURL(text)
    guard url.query == nil else { throw PlainError(row: "url.query") }
  }

  package func allows(_ other: CallbackURL) -> Bool {
    url.scheme == other.scheme && url.host == other.host && url.port == other.port
      && other.segments.starts(with: path)
  }

  private var path: ArraySlice<String> {
    url.segments.last == "" ? url.segments.dropLast() : url.segments[...]
  }
}

extension CallbackPrefix: CustomStringConvertible {
  /// Its URL.
  public var description: String { url.text }
}

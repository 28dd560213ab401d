/// A web origin: scheme, host and port (RFC 6454), as browsers send it in `Origin`.
public struct Origin: Sendable, Hashable, CustomStringConvertible {
  /// `https://tools.example.com`, without the scheme's own port.
  public let description: String

  /// Reads `http://HOST[:PORT]` or `https://HOST[:PORT]` in lower case; `nil` for anything else.
  ///
  /// A scheme's own port is left out, as browsers do: `https://a.example:443` is `https://a.example`.
  public init?(_ text: String) {
    guard let (scheme, usual) = [("https://", "443"), ("http://", "80")].first(where: { text.hasPrefix($0.0) })
    else { return nil }
    let authority = text.dropFirst(scheme.count)
    let end =
      authority.hasPrefix("[")
      ? authority.firstIndex(of: "]").map(authority.index(after:)) : authority.firstIndex(of: ":")
    let host = authority[..<(end ?? authority.endIndex)]
    let port = authority[host.endIndex...]
    guard Self.isHost(host), port.isEmpty || Self.isPort(port.dropFirst()) && port.hasPrefix(":") else { return nil }
    description = scheme + host + (port.dropFirst() == usual ? "" : port)
  }

  /// The origin of a URL.
  init?(of url: String) {
    guard let scheme = url.firstRange(of: "://") else { return nil }
    self.init((url[..<scheme.upperBound] + url[scheme.upperBound...].prefix { $0 != "/" }).lowercased())
  }

  /// A name, an IPv4 address, or an IPv6 address in brackets.
  private static func isHost(_ host: Substring) -> Bool {
    let isAddress = host.hasPrefix("[") && host.hasSuffix("]")
    let inner = isAddress ? host.dropFirst().dropLast() : host
    let allowed = isAddress ? "0123456789abcdef.:" : "0123456789abcdefghijklmnopqrstuvwxyz.-_"
    return !inner.isEmpty && inner.utf8.allSatisfy(allowed.utf8.contains)
  }

  private static func isPort(_ port: Substring) -> Bool {
    port.utf8.allSatisfy("0123456789".utf8.contains) && !port.hasPrefix("0") && (1...65_535).contains(Int(port) ?? 0)
  }
}

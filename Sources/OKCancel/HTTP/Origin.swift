/// A web origin: scheme, host and port (RFC 6454), as browsers send it in `Origin`.
public struct Origin: Sendable, Hashable, CustomStringConvertible {
  public let description: String

  /// nil: not `http://HOST[:PORT]` or `https://HOST[:PORT]` in lower case, or with more after it.
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

  /// A name, an IPv4 address, or an IPv6 address in brackets.
  private static func isHost(_ host: Substring) -> Bool {
    let isAddress = host.hasPrefix("[") && host.hasSuffix("]")
    let inner = isAddress ? host.dropFirst().dropLast() : host
    return !inner.isEmpty
      && inner.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."): true
        case UInt8(ascii: ":"): isAddress
        case UInt8(ascii: "a")...UInt8(ascii: "f"): true
        case UInt8(ascii: "g")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"): !isAddress
        default: false
        }
      }
  }

  private static func isPort(_ port: Substring) -> Bool {
    port.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } && !port.hasPrefix("0")
      && (1...65_535).contains(Int(port) ?? 0)
  }

  /// The origin of a URL.
  init?(of url: String) {
    guard let scheme = url.firstRange(of: "://") else { return nil }
    self.init(url[..<scheme.upperBound].lowercased() + url[scheme.upperBound...].prefix { $0 != "/" }.lowercased())
  }
}

internal import Foundation
internal import MicroHTTP
internal import Prompts

/// The names that a server responds to.
///
/// A page can have its own name lead to another machine's address (DNS rebinding), and its browser then takes that
/// machine for the page's own origin. The name gives it away: it is not the server's own.
package struct HostNames: Sendable {
  /// In lower case, without a dot at the end, or `nil` if nobody said what they are, and none is refused.
  private let names: [String]?

  /// Behind a proxy that keeps its clients' names to itself, only the operator knows them.
  init(_ configuration: Configuration) {
    let given = configuration.allowedHosts + [configuration.baseURL.map(Self.authority)].compactMap(\.self)
    guard !given.isEmpty || configuration.trustedProxies.isEmpty else {
      names = nil
      return
    }
    let ownNames = ["localhost", configuration.host, ProcessInfo.processInfo.hostName].filter { !$0.contains(":") }
    names = Set((given + ownNames).map { Self.text(Self.name(in: Array($0.utf8)[...])).lowercased() })
      .subtracting([""]).sorted()
  }

  /// True if a browser can send this name, with or without a port: it writes letters outside ASCII as `xn--…`.
  package static func canBeSent(_ authority: String) -> Bool {
    let name = name(in: Array(authority.utf8)[...])
    return (1...253).contains(name.count) && (isAddress(name) || name.allSatisfy(inName.contains))
  }

  /// True if the server responds to every name.
  var areUnknown: Bool { names == nil }

  /// True if a request names one of these hosts, an address, or no host at all, as no browser does. Ignores the port.
  func include(nameIn request: Request) -> Bool {
    guard let names else { return true }
    let authority = request.authorityBytes
    let name = Self.name(in: authority)
    if authority.isEmpty || Self.isAddress(name) { return true }
    // Compared by bytes: in Unicode, other characters are equal to ASCII, too, or have it as their lower case. What ends
    // in `localhost` is always this machine (RFC 6761, section 6.3).
    let domain = name.suffix(".localhost".utf8.count)
    return names.contains { name.span.equalsIgnoringASCIICase($0) }
      || domain.span.equalsIgnoringASCIICase(".localhost")
  }

  /// Tells which option is missing.
  func problem(with request: Request) -> Problem {
    let name = Self.text(Self.name(in: request.authorityBytes))
    // An honest client has a name that could be one.
    let couldBe = !name.isEmpty && name.utf8.count <= 253
    return couldBe ? Problem("unknown-host", ["name": name]) : Problem("unknown-host.no-name")
  }

  /// The name without the port and a dot at the end.
  private static func name(in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isInBrackets = bytes.first == UInt8(ascii: "[")
    let end = bytes.firstIndex(of: UInt8(ascii: isInBrackets ? "]" : ":")) ?? bytes.endIndex
    // With the bracket at the end of an IPv6 address.
    let name = bytes[..<(isInBrackets && end < bytes.endIndex ? end + 1 : end)]
    return name.last == UInt8(ascii: ".") ? name.dropLast() : name
  }

  private static func text(_ name: ArraySlice<UInt8>) -> String { String(decoding: name, as: UTF8.self) }

  /// True if it is an address, which browsers do not look up: an IPv6 address in brackets, or digits and dots.
  private static func isAddress(_ name: ArraySlice<UInt8>) -> Bool {
    guard let first = name.first, first != UInt8(ascii: ".") else { return false }
    if first != UInt8(ascii: "[") { return name.allSatisfy { $0 == UInt8(ascii: ".") || $0 &- 0x30 < 10 } }
    // Hex digits, colons, and the dots of an IPv4 tail; no zone.
    return name.last == UInt8(ascii: "]") && name.dropFirst().dropLast().allSatisfy(inIPv6.contains)
  }

  private static let inName: CharacterClass = "A-Za-z0-9._-"
  private static let inIPv6: CharacterClass = "0-9A-Fa-f:."

  /// Host and port of a URL.
  package static func authority(of url: String) -> String { String(url.urlParts.authority) }
}

extension String {
  /// A URL as an operator writes it, in three: up to `://`, host and port, and the rest.
  var urlParts: (scheme: Substring, authority: Substring, path: Substring) {
    let start = firstRange(of: "://")?.upperBound ?? startIndex
    let end = self[start...].firstIndex { "/?#".contains($0) } ?? endIndex
    return (self[..<start], self[start..<end], self[end...])
  }
}

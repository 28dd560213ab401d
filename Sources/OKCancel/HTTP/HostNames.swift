internal import Glibc
internal import MicroHTTP
internal import Prompts

/// The names that a server responds to.
///
/// A page can have its own name lead to another machine's address (DNS rebinding), and its browser then takes that
/// machine for the page's own origin. The name gives it away: it is not the server's own.
struct HostNames: Sendable {
  /// In lower case, without a dot at the end, or `nil` if nobody said what they are, and none is refused.
  private let names: Set<String>?

  /// Behind a proxy that keeps its clients' names to itself, only the operator knows them.
  init(_ configuration: Configuration) {
    let given = configuration.allowedHosts + [configuration.baseURL.map(Self.authority)].compactMap(\.self)
    guard !given.isEmpty || configuration.trustedProxies.isEmpty else {
      names = nil
      return
    }
    let own = ["localhost", configuration.host, Self.machine].filter { !$0.contains(":") }
    names = Set((given + own).map { Self.name(in: $0).lowercased() }).subtracting([""])
  }

  /// Whether the server responds to every name.
  var areUnknown: Bool { names == nil }

  /// Whether a request is for one of the names, an address, or none, as no browser sends it. Ports do not count.
  func include(nameIn request: Request) -> Bool {
    guard let names else { return true }
    let authority = request.authority
    let name = Self.name(in: authority)
    if authority.isEmpty || Self.isAddress(name.utf8) { return true }
    // In Unicode, other characters are equal to ASCII, too, or have it as their lower case.
    guard name.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
    let lowercased = name.lowercased()
    // What ends in `localhost` is always this machine (RFC 6761, section 6.3).
    return names.contains(lowercased) || lowercased.hasSuffix(".localhost")
  }

  /// Tells which option is missing.
  func problem(with request: Request) -> Problem { Problem(.unknownHost(Self.name(in: request.authority))) }

  /// The name without the port and a dot at the end.
  private static func name(in authority: String) -> String {
    let bytes = authority.utf8
    let isInBrackets = bytes.first == UInt8(ascii: "[")
    let end = bytes.firstIndex(of: UInt8(ascii: isInBrackets ? "]" : ":")) ?? bytes.endIndex
    // With the bracket at the end of an IPv6 address.
    let name = bytes[..<(isInBrackets && end < bytes.endIndex ? bytes.index(after: end) : end)]
    return String(Substring(name.last == UInt8(ascii: ".") ? name.dropLast() : name))
  }

  /// Browsers look no such name up: an IPv6 address in brackets, or digits and dots.
  private static func isAddress(_ name: String.UTF8View) -> Bool {
    guard let first = name.first, first != UInt8(ascii: ".") else { return false }
    if first != UInt8(ascii: "[") { return name.allSatisfy(isInIPv4) }
    // Hex digits, colons, and the dots of an IPv4 tail; no zone.
    return name.last == UInt8(ascii: "]")
      && name.dropFirst().dropLast().allSatisfy { ASCII.isHexDigit($0) || $0 == UInt8(ascii: ":") || isInIPv4($0) }
  }

  /// A digit or a dot.
  private static func isInIPv4(_ byte: UInt8) -> Bool { ASCII.isDigit(byte) || byte == UInt8(ascii: ".") }

  /// Host and port of a URL.
  private static func authority(of url: String) -> String {
    let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
    return String(rest.prefix { !"/?#".contains($0) })
  }

  /// The machine's own name, empty if it has none.
  private static var machine: String {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

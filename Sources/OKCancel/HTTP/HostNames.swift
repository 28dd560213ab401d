internal import Glibc
internal import MicroHTTP

/// The names that a server responds to.
///
/// A page can have its own name lead to another machine's address (DNS rebinding), and its browser then takes that
/// machine for the page's own origin. The name gives it away: it is not the server's own.
struct HostNames: Sendable {
  /// In lower case, without a dot at the end, or `nil` if nobody said what they are, and none is refused.
  private let names: [[UInt8]]?

  /// Behind a proxy that keeps its clients' names to itself, only the operator knows them.
  init(_ configuration: Configuration) {
    let given = configuration.allowedHosts + [configuration.baseURL.map(Self.authority)].compactMap(\.self)
    guard !given.isEmpty || configuration.trustedProxies.isEmpty else {
      names = nil
      return
    }
    let own = ["localhost", configuration.host, Self.machine].filter { !$0.contains(":") }
    names = (given + own).map { name in Array(name.utf8).withUnsafeBytes { Self.name(in: $0).map(Self.lowercased) } }
      .filter { !$0.isEmpty }
  }

  /// Whether the server responds to every name.
  var areUnknown: Bool { names == nil }

  /// Whether a request is for one of the names, an address, or none, as no browser sends it. Ports do not count.
  func include(nameIn request: Request) -> Bool {
    guard let names else { return true }
    return request.withAuthority { authority in
      let name = Self.name(in: authority)
      if authority.isEmpty || Self.isAddress(name) { return true }
      let lowercased = name.lazy.map(Self.lowercased)
      return names.contains { $0.elementsEqual(lowercased) }
        // Always this machine (RFC 6761, section 6.3).
        || lowercased.suffix(10).elementsEqual(".localhost".utf8)
    }
  }

  /// Tells which option is missing.
  func problem(with request: Request) -> Problem {
    let name = request.withAuthority { String(decoding: Self.name(in: $0), as: UTF8.self) }
    let detail =
      // An honest client has a name that could be one.
      !name.isEmpty && name.utf8.count <= 253
      ? "This server does not answer to the name “\(name)”. If it should, start it with --allow-host \(name), or with the --base-url that people use."
      : "This server does not answer to that name. Ask for it by a name that it was given with --allow-host or --base-url."
    return Problem(status: .misdirectedRequest, detail: detail)
  }

  /// Without the port and a dot at the end.
  private static func name(in authority: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
    let end =
      authority.first == UInt8(ascii: "[")
      ? authority.firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 } : authority.firstIndex(of: UInt8(ascii: ":"))
    let name = authority[..<(end ?? authority.endIndex)]
    return name.last == UInt8(ascii: ".") ? name.dropLast() : name
  }

  /// Browsers look no such name up: an IPv6 address in brackets, or digits and dots.
  private static func isAddress(_ name: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard let first = name.first else { return false }
    if first == UInt8(ascii: "[") {
      return name.last == UInt8(ascii: "]") && name.dropFirst().dropLast().allSatisfy(isInIPv6)
    }
    return first &- 0x30 < 10 && name.allSatisfy { $0 &- 0x30 < 10 || $0 == UInt8(ascii: ".") }
  }

  private static func isInIPv6(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 11 || (byte | 0x20) &- 0x61 < 6 || byte == UInt8(ascii: ".")
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

  /// Host and port of a URL.
  private static func authority(of url: String) -> String {
    let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
    return String(rest.prefix { !"/?#".contains($0) })
  }

  /// The machine's own name, empty if it has none.
  private static var machine: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

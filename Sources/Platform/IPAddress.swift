package import Glibc

/// An IPv4 or IPv6 address. An IPv4-mapped one (`::ffff:192.0.2.1`, RFC 4291, section 2.5.5.2) is that IPv4 address.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
  // Two halves: Swift 6.3 calls an async function with garbage if one of its arguments is aligned to 16 bytes.
  private let high, low: UInt64
  /// The address's bits as IPv6; IPv4 addresses are mapped.
  package var bits: UInt128 { UInt128(high) << 64 | UInt128(low) }

  private static let mapped: UInt128 = 0xFFFF << 32

  init(bits: UInt128) { (high, low) = (UInt64(bits >> 64), UInt64(truncatingIfNeeded: bits)) }

  /// `nil` if the text is no address in numbers, `192.0.2.1` or `2001:db8::1`, without brackets, port and zone.
  package init?(_ text: some StringProtocol) {
    guard !text.utf8.contains(0), text.utf8.contains(where: { ".:".utf8.contains($0) }) else { return nil }
    var address = in6_addr()
    guard inet_pton(AF_INET6, text.utf8.contains(UInt8(ascii: ":")) ? String(text) : "::ffff:\(text)", &address) == 1
    else { return nil }
    self.init(address)
  }

  package init(_ address: in_addr) {
    self.init(bits: Self.mapped | UInt128(UInt32(bigEndian: address.s_addr)))
  }

  package init(_ address: in6_addr) {
    let (first, second, third, fourth) = address.__in6_u.__u6_addr32
    self.init(bits: [first, second, third, fourth].reduce(0) { $0 << 32 | UInt128(UInt32(bigEndian: $1)) })
  }

  package var isIPv4: Bool { bits >> 32 == 0xFFFF }

  /// This machine itself, in IPv6.
  package static let loopback = IPAddress(bits: 1)

  /// True for this machine itself: 127.0.0.0/8 and ::1.
  package var isLoopback: Bool { isIPv4 ? (bits >> 24) & 0xFF == 127 : bits == 1 }

  /// True for the host of a URL, or of a socket, that is this machine itself: such an address, in brackets or without, or
  /// `localhost`.
  package static func isLoopback(host: String) -> Bool {
    let address = host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host[...]
    return host == "localhost" || IPAddress(address)?.isLoopback == true
  }

  /// The address with all but its first bits cleared; `length` counts as for IPv6.
  package func prefix(_ length: Int) -> UInt128 { length == 0 ? 0 : bits & ~UInt128(0) << (128 - length) }

  /// The address that stands for one client: an IPv4 address itself, or the /64 network of an IPv6 address, because one
  /// client is usually given a whole /64 network.
  package var subscriber: IPAddress { isIPv4 ? self : IPAddress(bits: prefix(64)) }

  package var description: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    var address = bits.bigEndian
    inet_ntop(AF_INET6, &address, &text, socklen_t(text.count))
    return String(String(terminated: text).dropFirst(isIPv4 ? "::ffff:".count : 0))
  }
}

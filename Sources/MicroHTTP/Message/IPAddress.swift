internal import CMicroHTTPD
internal import Glibc

/// An IPv4 or IPv6 address. An IPv4-mapped one (`::ffff:192.0.2.1`, RFC 4291,
/// section 2.5.5.2) is that IPv4 address.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address's bits as IPv6; IPv4 addresses are mapped.
  let bits: UInt128

  private static let mapped: UInt128 = 0xFFFF << 32

  init(bits: UInt128) { self.bits = bits }

  /// nil: no address as numbers, `192.0.2.1` or `2001:db8::1`, without brackets, port and zone.
  package init?(_ text: some StringProtocol) {
    let text = String(text)
    guard !text.utf8.contains(0) else { return nil }
    var short = in_addr()
    if inet_pton(AF_INET, text, &short) == 1 {
      self.init(short)
      return
    }
    var long = in6_addr()
    guard inet_pton(AF_INET6, text, &long) == 1 else { return nil }
    self.init(long)
  }

  /// nil: an address of another family.
  init?(_ address: UnsafePointer<sockaddr>) {
    switch Int32(address.pointee.sa_family) {
    case AF_INET: self.init(UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self).sin_addr)
    case AF_INET6: self.init(UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in6.self).sin6_addr)
    default: return nil
    }
  }

  private init(_ address: in_addr) { bits = Self.mapped | UInt128(UInt32(bigEndian: address.s_addr)) }

  private init(_ address: in6_addr) {
    bits = withUnsafeBytes(of: address) { UInt128(bigEndian: $0.loadUnaligned(as: UInt128.self)) }
  }

  package var isIPv4: Bool { bits >> 32 == 0xFFFF }

  /// This machine itself, in IPv6.
  package static let loopback = IPAddress(bits: 1)

  /// True for this machine itself: 127.0.0.0/8 and ::1.
  package var isLoopback: Bool { isIPv4 ? (bits >> 24) & 0xFF == 127 : bits == 1 }

  /// The address with all but its first bits cleared; `length` counts as for IPv6.
  func prefix(_ length: Int) -> UInt128 { length == 0 ? 0 : bits & ~UInt128(0) << (128 - length) }

  /// Whose address it is, as far as addresses tell: IPv4 addresses are given out one by one, IPv6
  /// addresses by /64 networks.
  package var subscriber: IPAddress { isIPv4 ? self : IPAddress(bits: prefix(64)) }

  package var description: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    if isIPv4 {
      var address = in_addr(s_addr: UInt32(truncatingIfNeeded: bits).bigEndian)
      inet_ntop(AF_INET, &address, &text, socklen_t(text.count))
    } else {
      var address = bits.bigEndian
      inet_ntop(AF_INET6, &address, &text, socklen_t(text.count))
    }
    return text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }
}

/// Addresses that begin alike, `10.0.0.0/8`; one address alone is its own block.
public struct AddressBlock: Hashable, Sendable {
  private let start: IPAddress
  /// As for IPv6.
  private let length: Int

  /// nil: not ADDRESS or ADDRESS/LENGTH, or with bits set after the length, so that another block may be meant.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = IPAddress(parts[0]) else { return nil }
    let longest = address.isIPv4 && !parts[0].contains(":") ? 32 : 128
    var length = longest
    if parts.count == 2 {
      guard let given = Int(parts[1]), (0...longest).contains(given), parts[1].utf8.allSatisfy({ $0 >= 0x30 })
      else { return nil }
      length = given
    }
    self.length = length + 128 - longest
    start = address
    guard address.prefix(self.length) == address.bits else { return nil }
  }

  package func contains(_ address: IPAddress) -> Bool { address.prefix(length) == start.bits }
}

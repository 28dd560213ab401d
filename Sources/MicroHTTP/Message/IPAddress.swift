internal import CMicroHTTPD
internal import Glibc

/// An IPv4 or IPv6 address. An IPv4-mapped one (`::ffff:192.0.2.1`, RFC 4291, section 2.5.5.2) is that IPv4 address.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
  // Two halves: Swift 6.3 calls an async function with garbage if one of its arguments is aligned to 16 bytes.
  private let high, low: UInt64
  /// The address's bits as IPv6; IPv4 addresses are mapped.
  var bits: UInt128 { UInt128(high) << 64 | UInt128(low) }

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

  fileprivate init(_ address: in_addr) {
    self.init(bits: Self.mapped | UInt128(UInt32(bigEndian: address.s_addr)))
  }

  fileprivate init(_ address: in6_addr) {
    let (first, second, third, fourth) = address.__in6_u.__u6_addr32
    self.init(bits: [first, second, third, fourth].reduce(0) { $0 << 32 | UInt128(UInt32(bigEndian: $1)) })
  }

  package var isIPv4: Bool { bits >> 32 == 0xFFFF }

  /// This machine itself, in IPv6.
  package static let loopback = IPAddress(bits: 1)

  /// True for this machine itself: 127.0.0.0/8 and ::1.
  package var isLoopback: Bool { isIPv4 ? (bits >> 24) & 0xFF == 127 : bits == 1 }

  /// The address with all but its first bits cleared; `length` counts as for IPv6.
  func prefix(_ length: Int) -> UInt128 { length == 0 ? 0 : bits & ~UInt128(0) << (128 - length) }

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

/// Addresses that begin alike, `10.0.0.0/8`; a single address is its own block.
public struct AddressBlock: Hashable, Sendable {
  private let start: IPAddress
  /// As for IPv6.
  private let length: Int

  /// `nil` if the text is not ADDRESS or ADDRESS/LENGTH, or has bits set after the length, so that another block may be
  /// meant.
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

/// The address of a socket as the kernel has it: the one place where `sockaddr` is read. Unsafe, because its length and
/// its family say what its bytes are.
struct SocketAddress {
  private var storage = sockaddr_storage()
  private var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

  /// The address that a socket is bound to, or `nil` with `errno` set if it has none.
  init?(boundBy descriptor: Int32) {
    let code = withUnsafeMutableBytes(of: &storage) {
      getsockname(descriptor, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), &length)
    }
    guard code == 0 else { return nil }
  }

  /// A copy of an address of IPv4 or IPv6; of another family the copy has no address.
  init(_ address: UnsafePointer<sockaddr>) {
    let family = Int32(address.pointee.sa_family)
    guard family == AF_INET || family == AF_INET6 else { return }
    length = socklen_t(family == AF_INET6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
    withUnsafeMutableBytes(of: &storage) { _ = memcpy($0.baseAddress!, address, Int(length)) }
  }

  var family: Int32 { Int32(storage.ss_family) }

  /// `nil` for an address of another family.
  var ip: IPAddress? {
    withUnsafeBytes(of: storage) {
      switch family {
      case AF_INET: IPAddress($0.loadUnaligned(as: sockaddr_in.self).sin_addr)
      case AF_INET6: IPAddress($0.loadUnaligned(as: sockaddr_in6.self).sin6_addr)
      default: nil
      }
    }
  }

  /// The port, which both families have in the same place, in network order.
  var port: Int { withUnsafeBytes(of: storage) { Int($0[2]) << 8 | Int($0[3]) } }

  /// The address in numbers, with its zone if it has one, or `nil` if it has none.
  var text: String? {
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let code = withPointer { getnameinfo($0, $1, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) }
    return code == 0 ? String(terminated: text) : nil
  }

  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafeBytes(of: storage) { body($0.baseAddress!.assumingMemoryBound(to: sockaddr.self), length) }
  }
}

extension String {
  /// The characters before the first zero, as C ends a text.
  fileprivate init(terminated text: [CChar]) {
    self.init(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

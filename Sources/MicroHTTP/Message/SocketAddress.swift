internal import CMicroHTTPD
internal import Glibc
internal import Platform

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

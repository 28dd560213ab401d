internal import CMicroHTTPD
internal import Glibc

/// A socket that listens, and where.
struct ListeningSocket {
  let descriptor: Int32
  /// An address, or the name that it was asked for by.
  let host: String
  let port: Int

  /// Connections that may wait to be accepted; the kernel's own limit may be lower.
  ///
  /// Enough for all that come back at once while the server is replaced.
  private static let backlog: Int32 = 4096

  /// Takes over a socket that was passed to this process.
  init(passed descriptor: Int32) throws(Server.StartError) {
    guard let isListening = Self.option(SO_ACCEPTCONN, of: descriptor) else {
      throw .passedSocket(descriptor, reason: errno == EBADF ? "nothing is open there" : "it is not a socket")
    }
    let family = Self.option(SO_DOMAIN, of: descriptor)
    guard family == AF_INET || family == AF_INET6, Self.option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue)
    else {
      throw .passedSocket(descriptor, reason: "it is not a TCP socket; give an address and a port as ListenStream=")
    }
    guard isListening == 1 else {
      throw .passedSocket(descriptor, reason: "it does not listen; with systemd, leave Accept= at no")
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    Self.prepare(descriptor)
    self.descriptor = descriptor
    guard let address = SocketAddress(boundBy: descriptor), let text = address.text else {
      throw .system("getsockname", code: errno)
    }
    (host, port) = (text, address.port)
  }

  /// - Parameters:
  ///   - host: an IPv4 or IPv6 address, with or without brackets, or a name that resolves to one.
  ///     `::` listens on IPv4 as well.
  ///   - port: 0 for any free one.
  init(host: String, port: Int) throws(Server.StartError) {
    guard (0...65535).contains(port) else { throw .port(port) }
    var name = Substring(host)
    if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV | AI_NUMERICHOST
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    var code = getaddrinfo(String(name), String(port), &hints, &found)
    let isName = code != 0
    if isName {
      hints.ai_flags &= ~AI_NUMERICHOST
      code = getaddrinfo(String(name), String(port), &hints, &found)
    }
    guard code == 0, let address = found else {
      throw .host(host, reason: String(cString: gai_strerror(code)))
    }
    defer { freeaddrinfo(found) }

    let family = address.pointee.ai_family
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw .system("socket", code: errno) }
    do throws(Server.StartError) {
      Self.set(SOL_SOCKET, SO_REUSEADDR, 1, of: descriptor)
      Self.prepare(descriptor)
      if family == AF_INET6 { Self.set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0, of: descriptor) }
      guard bind(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0 else {
        throw Self.fault(of: errno, host: host, port: port)
      }
      guard listen(descriptor, Self.backlog) == 0 else {
        throw Self.fault(of: errno, host: host, port: port)
      }
      guard let address = SocketAddress(boundBy: descriptor) else { throw .system("getsockname", code: errno) }
      self.port = address.port
      // The system also reads `*`, `0` and `127.1` as addresses, which browsers do not.
      self.host = isName ? host : address.text ?? host
      self.descriptor = descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Makes the kernel notice within a minute that a peer has vanished, and buffer little
  /// that cannot be sent yet. Accepted connections inherit these options.
  private static func prepare(_ descriptor: Int32) {
    set(SOL_SOCKET, SO_KEEPALIVE, 1, of: descriptor)
    // Without TCP_NOTSENT_LOWAT the kernel would buffer megabytes for each peer that does not read.
    for (option, value) in [
      (TCP_KEEPIDLE, 30), (TCP_KEEPINTVL, 10), (TCP_KEEPCNT, 3), (TCP_USER_TIMEOUT, 60_000),
      (TCP_NOTSENT_LOWAT, 128 << 10),
    ] as [(Int32, Int32)] {
      set(Int32(IPPROTO_TCP), option, value, of: descriptor)
    }
  }

  private static func set(_ level: Int32, _ option: Int32, _ value: Int32, of descriptor: Int32) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func fault(of code: Int32, host: String, port: Int) -> Server.StartError {
    switch code {
    case EADDRINUSE: .addressInUse(host: host, port: port)
    case EACCES: .notPermitted(host: host, port: port)
    case EADDRNOTAVAIL: .host(host, reason: "this machine does not have that address")
    default: .system("bind", code: code)
    }
  }

  /// `nil` if it is not a socket.
  private static func option(_ option: Int32, of descriptor: Int32) -> Int32? {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, option, &value, &size) == 0 ? value : nil
  }
}

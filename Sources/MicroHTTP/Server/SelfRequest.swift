internal import CMicroHTTPD
internal import Glibc
internal import Platform
internal import Synchronization

extension Server {
  /// Sends this server a request over its own socket. True if any response comes, which shows that the server's threads
  /// accept and serve connections.
  ///
  /// A server that takes no more connections, because it is full or about to stop, counts as responding.
  ///
  /// - Parameters:
  ///   - path: what is asked for.
  ///   - duration: how long each step may take: connecting, sending and the first bytes of the response.
  package func responds(to path: String, within duration: Duration) async -> Bool {
    await OwnThread.result { self.takesNoMore || self.hasResponded(to: path, within: duration) }
  }

  private var takesNoMore: Bool {
    // Each thread has its share of the limit.
    core.isQuiesced.load(ordering: .relaxed)
      || core.monitor.connections.count > core.configuration.connectionLimit - core.configuration.threads
  }

  private func hasResponded(to path: String, within duration: Duration) -> Bool {
    guard let listening = copyListeningSocket() else { return false }
    defer { close(listening) }
    guard let address = SocketAddress(boundBy: listening) else { return false }
    let descriptor = socket(address.family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let (seconds, attoseconds) = duration.components
    var limit = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    // Connecting to the address of all connects to this machine.
    guard address.withPointer({ connect(descriptor, $0, $1) }) == 0 else { return false }
    let request = Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
    let credentials = core.tls.withLock { $0?.credentials }
    return credentials.map { Self.exchanges(request, on: descriptor, with: $0) }
      ?? Self.exchanges(request, on: descriptor)
  }

  private static func exchanges(_ request: [UInt8], on descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    return send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
      && recv(descriptor, &byte, 1, 0) == 1
  }

  /// Whose certificate it is does not matter: the socket is this server's.
  private static func exchanges(_ request: [UInt8], on descriptor: Int32, with credentials: TLSCredentials) -> Bool {
    var allocated: gnutls_session_t?
    guard gnutls_init(&allocated, UInt32(GNUTLS_CLIENT | GNUTLS_NO_SIGNAL)) == GNUTLS_E_SUCCESS, let session = allocated
    else { return false }
    defer { withExtendedLifetime(credentials) { gnutls_deinit(session) } }
    gnutls_set_default_priority(session)
    credentials.use(for: session)
    gnutls_transport_set_int2(session, descriptor, descriptor)
    guard gnutls_handshake(session) == GNUTLS_E_SUCCESS,
      gnutls_record_send(session, request, request.count) == request.count
    else { return false }
    var byte: UInt8 = 0
    return gnutls_record_recv(session, &byte, 1) == 1
  }
}

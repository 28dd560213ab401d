internal import CMicroHTTPD
internal import Glibc
internal import Platform
internal import Synchronization

/// One connection and the request that it is serving: what it holds, its socket, and its suspensions. `Server.swift` has
/// the way of a request.
///
/// One object serves all requests of a connection, so that a request on a connection that is kept alive allocates little.
final class Connection: @unchecked Sendable {
  // Sendable by proof: what changes is in `state` or atomic, or only touched by its libmicrohttpd thread. While the
  // connection is suspended that thread leaves it alone, and `response` is set under the lock before the thread wakes.
  let core: Core
  /// libmicrohttpd's connection, which may be resumed from any thread.
  let pointer: OpaquePointer
  /// The client at the other end.
  let peer: Sender
  /// True for a trusted proxy, which has many clients.
  let isProxied: Bool
  // Unchecked, as in `Request.Storage`.
  @exclusivity(unchecked) var number: UInt64
  /// Its socket.
  let descriptor: Int32
  let phase: ConnectionPhase
  let state = Mutex(Shared())
  @exclusivity(unchecked) private var intake: Intake
  @exclusivity(unchecked) var stage = Stage.head
  /// The current request's, or the last one's.
  @exclusivity(unchecked) var storage: Request.Storage
  /// The application's handler for the current request, once its head was read.
  @exclusivity(unchecked) var handler: Handler?
  /// True once the current request's head was read.
  @exclusivity(unchecked) var hasHead = false
  @exclusivity(unchecked) var started = ContinuousTime.zero
  /// The response, with the bytes of its body, or `nil` for those of a stream.
  @exclusivity(unchecked) var sent: (status: Status, bytes: Int?)?
  /// Whom to tell what became of the response, and whether its peer was there as it was sent.
  @exclusivity(unchecked) var delivery: (tell: @Sendable (Bool) -> Void, isWanted: Bool)?
  /// The response of a suspended reply, once there is one.
  @exclusivity(unchecked) var response: Response?
  /// The certificate and key of its TLS session, or `nil` without TLS.
  private var credentials: TLSCredentials?
  private var session: gnutls_session_t?
  /// True if the peer may still be sending as the connection closes.
  @exclusivity(unchecked) var lingers = false
  /// Bytes that the current request's body may have.
  @exclusivity(unchecked) var bodyLimit = 0
  /// True if it has more.
  @exclusivity(unchecked) var isTooLong = false

  /// Bytes of a body that is read though its request is refused: fewer than a new connection costs.
  static let readableRefusedBytes = 16 * 1024

  /// The part of a request or response that libmicrohttpd calls for next.
  enum Stage { case head, body, response }

  /// The state that other threads change.
  struct Shared {
    /// `nil` while the connection is not suspended.
    var suspension: Suspension?
    /// The body that is being streamed.
    var stream: BodyWriter?
  }

  struct Suspension {
    /// True if a response is awaited, and not more of a body.
    let awaitsResponse: Bool
    /// Called when the peer has left or the server stops, never under the lock; `nil` until there is something to
    /// cancel.
    var giveUp: (@Sendable () -> Void)?
    var isGivenUp = false
  }

  init(core: Core, pointer: OpaquePointer, descriptor: Int32, peer: Sender) {
    self.core = core
    self.pointer = pointer
    self.descriptor = descriptor
    phase = ConnectionPhase(.head, within: core.deadlines.head, from: .now)
    self.peer = peer
    storage = Request.Storage(sender: peer)
    isProxied = core.configuration.trustedProxies.contains(peer.address)
    // The lower 32 bits count the connection's requests.
    number = core.opened.add(1, ordering: .relaxed).newValue << 32
    intake = Intake(limits: core.configuration.headLimits, again: core.isSecure ? Int(GNUTLS_E_AGAIN) : -Int(EAGAIN))
  }

  /// The client's IP address, or the /64 network of an IPv6 address; `nil` if the peer has no IP address.
  var client: IPAddress? { peer.address?.subscriber }

  /// Identifies the connection among this server's others, from 1.
  var id: UInt64 { number >> 32 }

  /// Has its TLS session use the current certificate.
  func secure() {
    credentials = core.tls.withLock { $0?.credentials }
    session = cmhd_connection_info(pointer, .CONNECTION_INFO_GNUTLS_SESSION)
      .flatMap { OpaquePointer($0.pointee.tls_session) }
    if let session { credentials?.use(for: session) }
  }

  /// Reads for libmicrohttpd.
  func read(into buffer: inout MutableSpan<UInt8>) -> Int {
    intake.read(into: &buffer) { room in
      room.withUnsafeMutableBufferPointer { room in
        if let session {
          var sequence: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
          return gnutls_record_recv_seq(session, room.baseAddress!, room.count, &sequence)
        }
        // Not `recv`, in whose place this is called.
        let count = recvfrom(descriptor, room.baseAddress, room.count, 0, nil, nil)
        return count < 0 ? -Int(errno) : count
      }
    }
  }

  /// The reason the body of the current request is refused, or `nil` if it is not.
  var bodyError: HTTPError? {
    let error = rejection(inBody: true)
    if case .contentTooLarge = error { return .contentTooLarge(limit: bodyLimit) }
    return error ?? (isTooLong ? .contentTooLarge(limit: bodyLimit) : nil)
  }

  /// The error in the head, or the body, of the current request.
  func rejection(inBody: Bool) -> HTTPError? {
    intake.isInBody == inBody && intake.requests == UInt32(truncatingIfNeeded: number) ? intake.error : nil
  }

  /// Responds with 408; over TLS the connection is closed without a response. libmicrohttpd cannot respond in the
  /// middle of a body: it has given up the connection and sent nothing, so this code may write to the socket.
  func rejectLateBody() {
    guard sent == nil, !core.isSecure,
      let bytes = finished(refusal(HTTPError.requestTimeout)).lastBytes
    else { return }
    // What does not fit the empty buffer of the socket is not worth waiting for.
    let count = bytes.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    }
    sent = (.requestTimeout, max(count, 0))
    lingers = true
  }

  /// Ends it with a reset, so that the kernel keeps nothing of what was not read.
  func cut() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// The socket is about to be closed.
  func close() {
    cmhd_disclaim(descriptor)
    core.monitor.connections.remove(self)
    if lingers { core.monitor.linger(descriptor) }
  }

  /// Lends the storage without counting, since the connection keeps it until the request is over.
  func borrowingStorage<Result>(_ body: (Request.Storage) throws -> Result) rethrows -> Result {
    try Unmanaged.passUnretained(storage)._withUnsafeGuaranteedRef(body)
  }

  func refusal(_ error: any Error) -> Response {
    core.application.response(to: error, request: request, route: handler?.route)
  }

  func finished(_ response: consuming Response) -> Response {
    core.application.finished(response, for: request, route: handler?.route)
  }

  /// Makes room for the next request.
  func forgetRequest() {
    stage = .head
    (hasHead, isTooLong) = (false, false)
    handler = nil
    if isKnownUniquelyReferenced(&storage) {
      borrowingStorage { $0.clear(for: peer) }
    } else {
      storage = Request.Storage(sender: peer)
    }
    response = nil
    sent = nil
    phase.held = 0
  }

  /// True if the peer has closed its side. Nearly always it has gone, and nobody reads what is sent.
  var peerHasClosed: Bool { cmhd_traffic(descriptor).hasEnded }

  /// Starts the deadline for the peer to take this many more bytes.
  func beginResponding(bytes: Int) { phase.enter(.responding, within: core.deadlines.response(bytes: bytes)) }

  /// The current request, once its head was read.
  var request: Request? { hasHead ? Request(storage) : nil }

  /// True if only the head of a response is asked for.
  var isHead: Bool { hasHead && storage.method == .head }
}

/// A connection is suspended until there is something to send. It is resumed exactly once, by whichever comes first:
/// its response, the next part of its body, or the server as it stops.
///
/// libmicrohttpd aborts the process if it is stopped while a connection is suspended. It does not notice when the peer
/// of a suspended connection leaves: `ConnectionMonitor` does.
extension Connection {
  /// Suspends it, from its own thread; false if the server is stopping.
  func suspend(awaitsResponse: Bool = false, giveUp: (@Sendable () -> Void)? = nil) -> Bool {
    state.withLock { state in
      guard !core.isStopping.load(ordering: .relaxed) else { return false }
      MHD_suspend_connection(pointer)
      state.suspension = Suspension(awaitsResponse: awaitsResponse, giveUp: giveUp)
      core.monitor.follow(self)
      return true
    }
  }

  /// Has this called when the suspension is given up, or at once if it is over.
  func whenGivenUp(_ giveUp: @escaping @Sendable () -> Void) {
    let isWanted = state.withLock { state in
      state.suspension?.giveUp = giveUp
      return state.suspension?.isGivenUp == false
    }
    if !isWanted { giveUp() }
  }

  /// What ends a suspension.
  enum End: Sendable {
    case response(Response)
    /// There is more of a streamed body, or its end.
    case part
    /// The server stops: the response is that it does, and a body ends.
    case stop
  }

  /// Resumes it, if it is suspended: the first of these counts.
  func resume(by end: End) {
    let giveUp: (@Sendable () -> Void)? = state.withLock { state in
      guard let suspension = state.suspension.take() else {
        if case .response(let response) = end { response.delivered?(false) }
        return nil
      }
      switch end {
      case .response(let response): self.response = response
      case .stop where suspension.awaitsResponse: response = refusal(HTTPError.draining)
      case .part, .stop: response = nil
      }
      // The socket may be closed as soon as its thread goes on.
      core.monitor.unfollow(descriptor)
      MHD_resume_connection(pointer)
      return if case .stop = end { suspension.giveUp } else { nil }
    }
    giveUp?()
  }

  /// Tells its work that its peer has left. It stays suspended until its response is there.
  func peerHasLeft() {
    let giveUp = state.withLock { state in
      state.suspension?.isGivenUp = true
      return state.suspension?.giveUp
    }
    giveUp?()
  }

  /// True if streams are to end.
  var isDraining: Bool { core.isQuiesced.load(ordering: .relaxed) }

  /// Tells the work of a stream to end.
  func endStream() { state.withLock(\.stream)?.cancel() }

  /// Bytes of the stream that has ended.
  func streamedCount() -> Int {
    let stream = state.withLock { $0.stream.take() }
    return stream?.count.load(ordering: .relaxed) ?? 0
  }
}

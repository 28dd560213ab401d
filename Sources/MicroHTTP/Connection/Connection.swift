internal import CMicroHTTPD
internal import Glibc
internal import Platform
internal import Synchronization

/// One connection and the request that it is serving.
///
/// For each request libmicrohttpd calls, in this order: `begin`; `advance` for the head, for each part of the body, for
/// the end of the body, and again while the response is awaited; `finish`.
///
/// One object serves all requests of a connection, so that a request on a connection that is kept alive allocates little.
final class Connection: @unchecked Sendable {
  // Sendable by proof: what changes is in `state` or atomic, or only touched by its libmicrohttpd thread. While the
  // connection is suspended that thread leaves it alone, and `response` is set under the lock before the thread wakes.
  private let core: Core
  /// libmicrohttpd's connection, which may be resumed from any thread.
  private let pointer: OpaquePointer
  /// The client at the other end.
  let peer: Sender
  /// True for a trusted proxy, which has many clients.
  let isProxied: Bool
  // Unchecked, as in `Request.Storage`.
  @exclusivity(unchecked) private var number: UInt64
  /// Its socket.
  let descriptor: Int32
  let phase: ConnectionPhase
  private let state = Mutex(Shared())
  @exclusivity(unchecked) private var intake: Intake
  @exclusivity(unchecked) private var stage = Stage.head
  /// The current request's, or the last one's.
  @exclusivity(unchecked) private var storage: Request.Storage
  /// The application's handler for the current request, once its head was read.
  @exclusivity(unchecked) private var handler: Handler?
  /// True once the current request's head was read.
  @exclusivity(unchecked) private var hasHead = false
  @exclusivity(unchecked) private var started = ContinuousTime.zero
  /// The response, with the bytes of its body, or `nil` for those of a stream.
  @exclusivity(unchecked) private var sent: (status: Status, bytes: Int?)?
  /// Whom to tell what became of the response, and whether its peer was there as it was sent.
  @exclusivity(unchecked) private var delivery: (tell: @Sendable (Bool) -> Void, isWanted: Bool)?
  /// The response of a suspended reply, once there is one.
  @exclusivity(unchecked) private var response: Response?
  /// The certificate and key of its TLS session, or `nil` without TLS.
  private var credentials: TLSCredentials?
  private var session: gnutls_session_t?
  /// True if the peer may still be sending as the connection closes.
  @exclusivity(unchecked) private var lingers = false
  /// Bytes that the current request's body may have.
  @exclusivity(unchecked) private var bodyLimit = 0
  /// True if it has more.
  @exclusivity(unchecked) private var isTooLong = false

  /// Bytes of a body that is read though its request is refused: fewer than a new connection costs.
  private static let readableRefusedBytes = 16 * 1024

  /// The part of a request or response that libmicrohttpd calls for next.
  private enum Stage { case head, body, response }

  /// The state that other threads change.
  private struct Shared {
    /// `nil` while the connection is not suspended.
    var suspension: Suspension?
    /// The body that is being streamed.
    var stream: BodyWriter?
  }

  private struct Suspension {
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

  /// A request line has come.
  func begin(target: Span<UInt8>) {
    number &+= 1
    started = .now
    borrowingStorage { storage in
      storage.number = number
      storage.target.receive(target)
    }
  }

  /// Handles one of libmicrohttpd's calls for this request: `data` is the next part of the body, or empty before and
  /// after it.
  func advance(method: UnsafePointer<CChar>, data: Span<UInt8>) -> MHD_Result {
    switch stage {
    case .head:
      do {
        stage = .body
        if try readHead(method: String(cString: method)) > 0 {
          phase.enter(.body, within: core.deadlines.body)
        }
        return .YES
      } catch {
        // The connection ends with this response, and bytes of the body may still be on their way.
        (stage, lingers) = (.response, true)
        return send(refusal(error))
      }
    case .body where data.isEmpty:
      stage = .response
      guard let error = bodyError else { return handle() }
      // Nothing more is read: see `Intake`.
      lingers = true
      _ = cmhd_ask_to_close(pointer)
      return send(refusal(error))
    case .body:
      // No more than was announced, if it was: `Intake` counts.
      isTooLong = isTooLong || data.count > bodyLimit - storage.body.count
      if !isTooLong { storage.body.append(data) }
      return .YES
    case .response:
      guard data.isEmpty, let response else { return .YES }
      self.response = nil
      _ = cmhd_set_timeout(pointer, 0)
      return send(response)
    }
  }

  /// The request is over, however it ended; the next one may follow.
  ///
  /// - Parameter isWritten: whether its response was written to the end.
  func finish(isWritten: Bool) {
    delivery?.tell(isWritten && delivery?.isWanted == true)
    response?.delivered?(false)
    delivery = nil
    if case (.body, let deadline) = phase.current, deadline <= .now { rejectLateBody() }
    let now = ContinuousTime.now
    let bytes = sent.map { $0.bytes ?? streamedCount() } ?? 0
    core.application.completed(
      CompletedRequest(
        status: sent?.status, responseBytes: bytes,
        nanoseconds: now.nanoseconds - started.nanoseconds, route: handler?.route, hasHead: hasHead, storage: storage))
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
    phase.enter(.idle, within: core.deadlines.idle, from: now)
  }

  /// Responds with 408; over TLS the connection is closed without a response. libmicrohttpd cannot respond in the
  /// middle of a body: it has given up the connection and sent nothing, so this code may write to the socket.
  private func rejectLateBody() {
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

  /// Takes a head that `HeadReader` has read, and has the application choose the handler.
  ///
  /// - Returns: how many bytes of body it announces, or may announce.
  /// - Throws: `HTTPError`, or the error with which the handler refuses the request.
  private func readHead(method: String) throws -> Int {
    if let error = rejection(inBody: false) { throw error }
    // A reference is counted here once, and not at each use.
    let storage = storage
    storage.method = Method(checked: method)
    try storage.target.parse(storage.method)
    storage.target.leaveOut(core.configuration.basePath)
    storage.receiveFields(of: pointer)
    if isProxied { storage.sender = core.configuration.trustedProxies.sender(of: storage.fields, through: peer) }
    hasHead = true
    let handler = core.application.handler(for: Request(storage))
    self.handler = handler
    var length = 0
    if let value = storage.fields.first("content-length") { length = try HeadReader.length(value.span) }
    bodyLimit = handler.bodyLimit ?? core.configuration.headLimits.bodyBytes
    if storage.fields.first("transfer-encoding") != nil { length = bodyLimit }
    if let refusal = handler.refusal, length > Self.readableRefusedBytes { throw refusal }
    guard length <= bodyLimit else { throw HTTPError.contentTooLarge(limit: bodyLimit) }
    return length
  }

  /// The reason the body of the current request is refused, or `nil` if it is not.
  private var bodyError: HTTPError? {
    let error = rejection(inBody: true)
    if case .contentTooLarge = error { return .contentTooLarge(limit: bodyLimit) }
    return error ?? (isTooLong ? .contentTooLarge(limit: bodyLimit) : nil)
  }

  /// The error in the head, or the body, of the current request.
  private func rejection(inBody: Bool) -> HTTPError? {
    intake.isInBody == inBody && intake.requests == UInt32(truncatingIfNeeded: number) ? intake.error : nil
  }

  private func handle() -> MHD_Result {
    guard let handler else { return send(refusal(HTTPError.internalError)) }
    do {
      switch try borrowingStorage({ try handler.reply(Request($0)) }) {
      case .now(let response): return send(response)
      case .later(let work): return wait(for: work)
      }
    } catch {
      return send(refusal(error))
    }
  }

  private func refusal(_ error: any Error) -> Response {
    core.application.response(to: error, request: request, route: handler?.route)
  }

  private func finished(_ response: Response) -> Response {
    core.application.finished(response, for: request, route: handler?.route)
  }

  /// Lends the storage without counting, since the connection keeps it until the request is over.
  private func borrowingStorage<Result>(_ body: (Request.Storage) throws -> Result) rethrows -> Result {
    try Unmanaged.passUnretained(storage)._withUnsafeGuaranteedRef(body)
  }

  private func wait(for work: @escaping @Sendable () async throws -> Response) -> MHD_Result {
    phase.wait(in: .working)
    // libmicrohttpd 0.9.75 and 1.0.1 read from a resumed connection before they ask for the response, and close it without
    // a response if the peer has closed its side. If the connection has its own timeout, libmicrohttpd asks first. A
    // suspended connection does not time out.
    _ = cmhd_set_timeout(pointer, 86_400)
    let (application, request, route) = (core.application, Request(storage), handler?.route)
    guard suspend(awaitsResponse: true) else { return send(refusal(HTTPError.draining)) }
    let task = Task.immediate {
      do { resume(with: try await work()) } catch {
        resume(with: application.response(to: error, request: request, route: route))
      }
    }
    let isWanted = state.withLock { state in
      state.suspension?.giveUp = { task.cancel() }
      return state.suspension?.isGivenUp == false
    }
    if !isWanted { task.cancel() }
    return .YES
  }

  private func send(_ response: Response) -> MHD_Result {
    let response = finished(response)
    if let prepared = response.prepared ?? PreparedResponse(response, on: self) { return queue(prepared, response) }
    // The handler's response cannot be sent (see `Response.headers`): send a 500 instead.
    let failure = core.application.finished(
      core.application.response(to: HTTPError.internalError, request: nil, route: nil), for: nil, route: nil)
    return PreparedResponse(failure).map { queue($0, failure) } ?? .NO
  }

  private func queue(_ prepared: PreparedResponse, _ response: Response) -> MHD_Result {
    if let tell = response.delivered { delivery = (tell, !peerHasClosed) }
    if !response.isPrepared { phase.held = prepared.byteCount ?? 0 }
    beginResponding(bytes: prepared.byteCount ?? 0)
    sent = (response.status, prepared.byteCount.map { isHead ? 0 : $0 })
    if let stream = prepared.stream { state.withLock { $0.stream = stream } }
    // A response object may be shared between connections, so it cannot say `Connection: close`. This acts as if the
    // client had asked to close. If there is no memory for that, the connection is kept alive and closed once it is
    // idle.
    if core.isLeaving.load(ordering: .relaxed) { _ = cmhd_ask_to_close(pointer) }
    return MHD_queue_response(pointer, UInt32(response.status.rawValue), prepared.pointer)
  }

  /// True if the peer has closed its side. Nearly always it has gone, and nobody reads what is sent.
  var peerHasClosed: Bool { cmhd_traffic(descriptor).hasEnded }

  /// Starts the deadline for the peer to take this many more bytes.
  func beginResponding(bytes: Int) { phase.enter(.responding, within: core.deadlines.response(bytes: bytes)) }

  /// The current request, once its head was read.
  private var request: Request? { hasHead ? Request(storage) : nil }

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

  /// Resumes it, if it is suspended.
  ///
  /// - Parameter response: `nil` if a body goes on.
  func resume(with response: Response? = nil) { state.withLock { _ = resume(with: response, &$0) } }

  /// Tells its work that its peer has left. It stays suspended until its response is there.
  func peerHasLeft() {
    let giveUp = state.withLock { state in
      state.suspension?.isGivenUp = true
      return state.suspension?.giveUp
    }
    giveUp?()
  }

  /// Resumes it for the last time: with the response that the server is stopping, or with the end of its body.
  func stop() {
    let suspension = state.withLock { state in
      resume(with: state.suspension?.awaitsResponse == true ? refusal(HTTPError.draining) : nil, &state)
    }
    suspension?.giveUp?()
  }

  /// True if streams are to end.
  var isDraining: Bool { core.isQuiesced.load(ordering: .relaxed) }

  /// Tells the work of a stream to end.
  func endStream() { state.withLock(\.stream)?.cancel() }

  /// Bytes of the stream that has ended.
  private func streamedCount() -> Int {
    let stream = state.withLock { $0.stream.take() }
    return stream?.count.load(ordering: .relaxed) ?? 0
  }

  private func resume(with response: Response?, _ state: inout Shared) -> Suspension? {
    guard let suspension = state.suspension.take() else {
      response?.delivered?(false)
      return nil
    }
    self.response = response
    // The socket may be closed as soon as its thread goes on.
    core.monitor.unfollow(descriptor)
    MHD_resume_connection(pointer)
    return suspension
  }
}

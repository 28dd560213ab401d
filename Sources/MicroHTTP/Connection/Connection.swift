internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// One connection and the request that it is at.
///
/// libmicrohttpd calls for a request in this order: `begin`, `advance` with its head, with each part of its body, with its
/// end and again while its response is awaited, `finish`.
///
/// One object serves all requests of a connection, so that a request on a connection that is kept alive allocates little.
final class Connection: @unchecked Sendable {
  // Sendable by proof: only touched by its libmicrohttpd thread. While it is suspended that thread leaves it alone, and
  // `Suspensions` sets `response` under its lock before it wakes the thread.
  private let core: Core
  /// Who is at the other end.
  let peer: Sender
  let isProxied: Bool
  // Unchecked, as in `Request.Storage`.
  @exclusivity(unchecked) private var number: UInt64
  private let descriptor: Int32
  let phase: ConnectionPhase
  @exclusivity(unchecked) private var intake: Intake
  @exclusivity(unchecked) private var stage = Stage.head
  /// The current request's, or the last one's.
  @exclusivity(unchecked) private var storage: Request.Storage
  /// What the application chose for the current request, once its head was read.
  @exclusivity(unchecked) private var handler: Handler?
  /// True once the current request's head was read.
  @exclusivity(unchecked) private var hasHead = false
  @exclusivity(unchecked) private var started = ContinuousTime.zero
  @exclusivity(unchecked) private var sent: (status: Status, bytes: Int)?
  /// The body that is being streamed.
  @exclusivity(unchecked) private var streamed: StreamedBody?
  /// The response of a suspended reply, once there is one.
  @exclusivity(unchecked) var response: Response?
  /// What its TLS session uses, or `nil` without TLS.
  private var credentials: TLSCredentials?
  private var session: gnutls_session_t?
  /// True if the peer may still be sending as the connection closes.
  @exclusivity(unchecked) private var lingers = false

  /// What libmicrohttpd calls for next.
  private enum Stage { case head, body, response }

  init(core: Core, descriptor: Int32, peer: Sender) {
    self.core = core
    self.descriptor = descriptor
    phase = ConnectionPhase(.head, within: core.deadlines.head)
    self.peer = peer
    storage = Request.Storage(sender: peer)
    isProxied = core.configuration.trustedProxies.contains(peer.address)
    // Room for as many requests on one connection as anybody sends.
    number = core.opened.add(1, ordering: .relaxed).newValue << 32
    intake = Intake(limits: core.headLimits, again: core.isSecure ? Int(GNUTLS_E_AGAIN) : -Int(EAGAIN))
  }

  /// Has its TLS session use the current certificate.
  func secure(_ pointer: OpaquePointer) {
    credentials = core.credentials.withLock { $0 }
    credentials?.use(for: pointer)
    session = cmhd_connection_info(pointer, .CONNECTION_INFO_GNUTLS_SESSION)
      .flatMap { OpaquePointer($0.pointee.tls_session) }
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

  /// libmicrohttpd calls for this request: `data` is the next part of its body, empty at its ends.
  func advance(_ pointer: OpaquePointer, method: UnsafePointer<CChar>, data: Span<UInt8>) -> MHD_Result {
    switch stage {
    case .head:
      do throws(HTTPError) {
        stage = .body
        if try readHead(pointer, method: String(cString: method)) > 0 {
          phase.enter(.body, within: core.deadlines.body)
        }
        return .YES
      } catch {
        // The connection ends with this response, and bytes of the body may still be on their way.
        (stage, lingers) = (.response, true)
        return send(refusal(error), on: pointer)
      }
    case .body where data.isEmpty:
      stage = .response
      return handle(pointer)
    case .body:
      // No more than was announced: `Intake` counts.
      data.withUnsafeBufferPointer { storage.body.append(contentsOf: $0) }
      return .YES
    case .response:
      guard data.isEmpty, let response else { return .YES }
      self.response = nil
      _ = cmhd_set_timeout(pointer, 0)
      return send(response, on: pointer)
    }
  }

  /// The request is over, however it ended; the next one may follow.
  func finish() {
    if phase.hasExpired(in: .body) { rejectLateBody() }
    let now = ContinuousTime.now
    core.application.completed(
      CompletedRequest(
        status: sent?.status, responseBytes: streamed?.count.load(ordering: .relaxed) ?? sent?.bytes ?? 0,
        nanoseconds: now.nanoseconds - started.nanoseconds, hasHead: hasHead, storage: storage))
    stage = .head
    hasHead = false
    handler = nil
    if isKnownUniquelyReferenced(&storage) {
      borrowingStorage { $0.clear(for: peer) }
    } else {
      storage = Request.Storage(sender: peer)
    }
    response = nil
    sent = nil
    streamed = nil
    phase.held = 0
    phase.enter(.idle, within: core.deadlines.idle, from: now)
  }

  /// Responds with 408; over TLS the connection is closed without. libmicrohttpd cannot respond within a body: it has
  /// given the connection up and sent nothing, so the socket is ours to write to.
  private func rejectLateBody() {
    guard sent == nil, !core.isSecure,
      let bytes = core.application.finished(refusal(.requestTimeout), for: request).lastBytes
    else { return }
    // What does not fit the empty buffer of the socket is not worth waiting for.
    let count = bytes.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    }
    sent = (.requestTimeout, max(count, 0))
    lingers = true
  }

  /// The socket is about to be closed.
  func close() {
    cmhd_disclaim(descriptor)
    core.monitor.connections.remove(phase)
    if lingers { core.monitor.linger(descriptor) }
  }

  /// Takes a head that `HeadReader` has read, and has the application choose the handler.
  ///
  /// - Returns: how many bytes of body it announces.
  private func readHead(_ pointer: OpaquePointer, method: String) throws(HTTPError) -> Int {
    if let error = intake.error, intake.requests == UInt32(truncatingIfNeeded: number) { throw error }
    storage.method = Method(checked: method)
    try storage.target.parse(storage.method)
    storage.receiveFields(of: pointer)
    if isProxied { storage.sender = core.configuration.trustedProxies.sender(of: storage.fields, through: peer) }
    hasHead = true
    let handler = core.application.handler(for: Request(storage))
    self.handler = handler
    var length = 0
    if let value = storage.fields.first("content-length") { length = try HeadReader.length(value.span) }
    let limit = handler.bodyLimit ?? core.configuration.bodyLimit
    guard length <= limit else { throw .contentTooLarge(limit: limit) }
    return length
  }

  private func handle(_ pointer: OpaquePointer) -> MHD_Result {
    guard let handler else { return send(refusal(.internalError), on: pointer) }
    do {
      switch try borrowingStorage({ try handler.reply(Request($0)) }) {
      case .now(let response): return send(response, on: pointer)
      case .later(let work): return suspend(pointer, until: work)
      }
    } catch {
      return send(core.application.response(to: error, request: request), on: pointer)
    }
  }

  private func refusal(_ error: HTTPError) -> Response { core.application.response(to: error, request: request) }

  /// Lends the storage without counting, since the connection keeps it until the request is over.
  private func borrowingStorage<Result>(_ body: (Request.Storage) throws -> Result) rethrows -> Result {
    try Unmanaged.passUnretained(storage)._withUnsafeGuaranteedRef(body)
  }

  private func suspend(
    _ pointer: OpaquePointer, until work: @escaping @Sendable () async throws -> Response
  ) -> MHD_Result {
    phase.wait(in: .working)
    // libmicrohttpd 0.9.75 reads from a resumed connection before it asks for the response, and if the peer has closed
    // its side, closes it with nothing sent. One with a timeout of its own is asked first; what rests does not time out.
    _ = cmhd_set_timeout(pointer, 86_400)
    let (application, request) = (core.application, Request(storage))
    let isSuspended = core.suspensions.suspend(suspendable(pointer), for: self) {
      do { return try await work() } catch { return application.response(to: error, request: request) }
    }
    return isSuspended ? .YES : send(draining, on: pointer)
  }

  /// The response to the current request if the server stops before there is one.
  var draining: Response { refusal(.draining) }

  private func send(_ response: Response, on pointer: OpaquePointer) -> MHD_Result {
    let response = core.application.finished(response, for: request)
    if let prepared = response.prepared ?? prepare(response, on: pointer) {
      if !response.isPrepared { phase.held = prepared.byteCount }
      return queue(prepared, response.status, on: pointer)
    }
    streamed = nil
    // The handler's own fault, whose response can be sent.
    let failure = core.application.response(to: HTTPError.internalError, request: nil)
    guard let prepared = PreparedResponse(core.application.finished(failure, for: nil)) else { return .NO }
    return queue(prepared, failure.status, on: pointer)
  }

  /// `nil` if it cannot be sent.
  private func prepare(_ response: Response, on pointer: OpaquePointer) -> PreparedResponse? {
    guard case .stream(let work) = response.body else { return PreparedResponse(response) }
    let body = StreamedBody(work, on: suspendable(pointer), phase: phase, core: core)
    streamed = body
    return PreparedResponse(response, stream: body, isHead: isHead)
  }

  private func queue(_ prepared: PreparedResponse, _ status: Status, on pointer: OpaquePointer) -> MHD_Result {
    phase.enter(.responding, within: core.deadlines.response(bytes: prepared.byteCount))
    sent = (status, isHead ? 0 : prepared.byteCount)
    // Responses are shared between connections: libmicrohttpd is told through the request that this
    // one ends. Without memory for that it is kept alive, and closed once it is idle.
    if core.isLeaving.load(ordering: .relaxed) { _ = cmhd_ask_to_close(pointer) }
    return MHD_queue_response(pointer, UInt32(status.rawValue), prepared.pointer)
  }

  /// The current request, once its head was read.
  private var request: Request? { hasHead ? Request(storage) : nil }

  private var isHead: Bool { hasHead && storage.method == .head }
}

extension Connection {
  private func suspendable(_ pointer: OpaquePointer) -> Suspensions.Pointer {
    Suspensions.Pointer(value: pointer, descriptor: descriptor)
  }
}

internal import CMicroHTTPD
internal import Glibc
internal import Platform
internal import Synchronization

/// An HTTP/1.1 server on libmicrohttpd: one epoll loop a thread, and requests are handled on the thread that read them.
///
/// Every request is complete and checked before a handler sees it. A request that two parsers could read differently is
/// rejected and its connection closed: libmicrohttpd is only given heads that `HeadReader` has read, so that it never
/// sends a response of its own. No part of a request may stall or drip for longer than `Configuration.deadlines` allow.
///
/// Empty lines before a request line are skipped, as RFC 9112, section 2.2 asks.
///
/// This file has the way of every request, in the order of its calls: the server starts, accepts a connection, reads a
/// head, has the application choose a handler by it (`Application`), reads the body, calls the handler and responds.
package final class Server: Sendable {
  enum Phase {
    case new
    case running(Daemon)
    case stopped
  }

  struct Daemon: @unchecked Sendable {
    // Sendable by proof: libmicrohttpd locks it.
    let pointer: OpaquePointer
    let socket: ListeningSocket
  }

  let core: Core
  let state = Mutex(Phase.new)

  package init(configuration: Configuration, application: any Application) { core = Core(configuration, application) }

  deinit { stop() }

  /// Listens, and returns once requests are taken.
  package func start() throws(StartError) {
    try state.withLock { state throws(StartError) in
      guard case .new = state else { throw .startedBefore }
      let configuration = core.configuration
      let socket =
        if let passed = configuration.listeningSocket {
          try ListeningSocket(passed: passed)
        } else {
          try ListeningSocket(host: configuration.host, port: configuration.port)
        }
      do throws(StartError) {
        // For its event loops, the monitor and what handlers wait for: without one of them it would hang.
        if let limits = OwnThread.limits(refusing: configuration.threads + 8) { throw .threads(limits: limits) }
        try core.monitor.start()
        state = .running(Daemon(pointer: try startDaemon(on: socket), socket: socket))
      } catch {
        core.monitor.stop()
        close(socket.descriptor)
        throw error
      }
    }
  }

  /// Checks that it could listen at its address, on some port.
  package func checkHost() throws(StartError) {
    let configuration = core.configuration
    guard configuration.listeningSocket == nil else { return }
    close(try ListeningSocket(host: configuration.host, port: 0).descriptor)
  }

  /// - Returns: the daemon. Until it has stopped its callbacks use `core`, which this server keeps.
  private func startDaemon(on socket: ListeningSocket) throws(StartError) -> OpaquePointer {
    let (configuration, tls) = (core.configuration, core.configuration.tls)
    var settings = cmhd_settings(
      listeningSocket: socket.descriptor,
      threads: UInt32(max(1, configuration.threads)),
      connectionLimit: UInt32(max(configuration.connectionLimit, configuration.threads)),
      connectionMemory: configuration.connectionMemory)
    var callbacks = Callbacks.all(context: Unmanaged.passUnretained(core).toOpaque())
    let flags = MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
    let pointer = cmhd_start(
      tls == nil ? flags : flags | MHD_USE_TLS.rawValue, &settings, &callbacks, tls?.certificates, tls?.key,
      TLS.priorities)
    guard let pointer else { throw .system("MHD_start_daemon", code: errno) }
    return pointer
  }
}

// MARK: Accept

extension Core {
  /// True if this peer may open one more connection. Trusted proxies and this machine always may.
  func admits(_ peer: IPAddress?) -> Bool {
    guard let peer, !peer.isLoopback, !configuration.trustedProxies.contains(peer) else { return true }
    return monitor.connections.admits(peer)
  }

  /// - Returns: the connection that libmicrohttpd has accepted, for its close to release.
  func accept(_ pointer: OpaquePointer, _ descriptor: Int32, from peer: Sender) -> Connection {
    let connection = Connection(core: self, pointer: pointer, descriptor: descriptor, peer: peer)
    if isSecure { connection.secure() }
    monitor.add(connection)
    return connection
  }
}

// MARK: Head, route, body, response

/// The way of a request on its connection. libmicrohttpd calls, in this order: `begin`; `advance` for the head, for each
/// part of the body, for its end, and again while the response is awaited; `finish`.
extension Connection {
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

  /// Takes a head that `HeadReader` has read.
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
    return try route(storage)
  }

  /// Has the application choose the handler, which may refuse the request by its head alone.
  ///
  /// - Returns, and throws: as `readHead`.
  private func route(_ storage: Request.Storage) throws -> Int {
    let handler = core.application.handler(for: Request(storage))
    self.handler = handler
    var length = 0
    if let value = storage.fields.first("content-length") { length = try HeadReader.length(value.span) }
    bodyLimit = handler.bodyLimit ?? core.configuration.headLimits.bodyBytes
    if storage.fields.first("transfer-encoding") != nil { length = bodyLimit }
    if length > Self.readableRefusedBytes, let refusal = handler.refusal { throw refusal }
    guard length <= bodyLimit else { throw HTTPError.contentTooLarge(limit: bodyLimit) }
    return length
  }

  /// Calls the handler, whose one response is what it returns, now or later.
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

  /// Suspends the connection until there is a response.
  private func wait(for work: @escaping @Sendable () async throws -> Response) -> MHD_Result {
    phase.wait(in: .working)
    // libmicrohttpd 0.9.75 and 1.0.1 read from a resumed connection before they ask for the response, and close it without
    // a response if the peer has closed its side. If the connection has its own timeout, libmicrohttpd asks first. A
    // suspended connection does not time out.
    _ = cmhd_set_timeout(pointer, 86_400)
    let (application, request, route) = (core.application, Request(storage), handler?.route)
    guard suspend(awaitsResponse: true) else { return send(refusal(HTTPError.draining)) }
    let task = Task.immediate {
      do { resume(by: .response(try await work())) } catch {
        resume(by: .response(application.response(to: error, request: request, route: route)))
      }
    }
    whenGivenUp { task.cancel() }
    return .YES
  }

  /// Responds.
  private func send(_ response: consuming Response) -> MHD_Result {
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
    forgetRequest()
    phase.enter(.idle, within: core.deadlines.idle, from: now)
  }
}

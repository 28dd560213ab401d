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

  /// The port that it listens on, or `nil` before `start` and after the end.
  package var port: Int? { running?.socket.port }

  /// The address, or the name, that it listens on, or `nil` as `port`.
  package var host: String? { running?.socket.host }

  /// The version of libmicrohttpd that was loaded, like `0.9.75`: an update of the system replaces it.
  package static var libraryVersion: String { String(cString: MHD_get_version()) }

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

  /// Has connections from now on use this certificate, if the server speaks TLS; those that are open keep theirs.
  ///
  /// - Throws: if clients would reject it for its dates, and not the one before.
  package func replaceCertificate(_ tls: TLS) throws(StartError) {
    try core.tls.withLock { current throws(StartError) in
      guard let before = current else { return }
      if let warning = tls.warning, before.warning == nil { throw .tls(warning) }
      current = tls
    }
  }

  /// Stops now: suspended requests get 503 if that still works, and connections are closed. Blocks until the server's
  /// threads have ended.
  package func stop() {
    let running: Daemon? = state.withLock { state in
      defer { state = .stopped }
      return if case .running(let daemon) = state { daemon } else { nil }
    }
    guard let daemon = running else { return }
    // Otherwise libmicrohttpd would shut down the socket, on which another server may also listen.
    quiesce(daemon, refusing: false)
    stopWaiting()
    MHD_stop_daemon(daemon.pointer)
    core.monitor.stop()
    close(daemon.socket.descriptor)
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

extension Server {
  /// The time for which a connection without a request is kept for one more once the server is leaving.
  ///
  /// Closing it at once could cross a request on its way (RFC 9112, section 9.6), which its client would see fail.
  package static let patience = Duration.seconds(1)

  /// Another descriptor of the socket that it listens on, for the caller to close, or `nil` if it does not listen or
  /// there are no descriptors left.
  func copyListeningSocket() -> Int32? {
    guard let daemon = running else { return nil }
    let copy = fcntl(daemon.socket.descriptor, F_DUPFD_CLOEXEC, 0)
    return copy >= 0 ? copy : nil
  }

  /// Stops gently: no more connections are taken; requests on those that are open are handled, and each of these ends
  /// with its response, or without one after `patience`. The tasks of streamed bodies are cancelled at once. After
  /// `deadline` suspended requests get 503 and their tasks are cancelled.
  ///
  /// - Parameters:
  ///   - refusing: if true, connects to the socket fail from here on. If false, they wait in it, for another server that
  ///     listens on it, and this server only closes its own descriptor.
  ///   - patience: how long an idle connection is kept for one more request.
  package func drain(
    deadline: Duration = .seconds(10), refusing: Bool = true, patience: Duration = Server.patience
  ) async {
    guard let daemon = running else { return }
    core.isLeaving.store(true, ordering: .relaxed)
    core.monitor.connections.leave(patience: patience)
    quiesce(daemon, refusing: refusing)
    await quiet(within: deadline)
    stopWaiting()
    await quiet(within: .seconds(1))
    await OwnThread.result { self.stop() }
  }

  private var running: Daemon? {
    state.withLock { if case .running(let daemon) = $0 { daemon } else { nil } }
  }

  /// Takes no more connections, and tells the work of streams to end. What it still writes is sent.
  private func quiesce(_ daemon: Daemon, refusing: Bool) {
    guard !core.isQuiesced.exchange(true, ordering: .sequentiallyConsistent) else { return }
    let descriptor = MHD_quiesce_daemon(daemon.pointer)
    // libmicrohttpd's threads may still look at the socket: it is closed after them.
    if refusing, descriptor >= 0 { shutdown(descriptor, Int32(SHUT_RDWR)) }
    for connection in core.monitor.connections.all { connection.endStream() }
  }

  /// Resumes all suspended connections, and lets no connection be suspended from now on.
  private func stopWaiting() {
    core.isStopping.store(true, ordering: .sequentiallyConsistent)
    for connection in core.monitor.connections.all { connection.stop() }
  }

  /// Returns once no connection is open any more.
  private func quiet(within deadline: Duration) async {
    let end = ContinuousClock.now + deadline
    // Looked at twice: a thread may have just accepted a connection and not counted it yet.
    var looksLeft = 2
    while ContinuousClock.now < end {
      looksLeft = core.monitor.connections.count == 0 ? looksLeft - 1 : 2
      if looksLeft == 0 { return }
      // A cancelled drain does not wait.
      guard (try? await Task.sleep(for: .milliseconds(5))) != nil else { return }
    }
  }
}

/// The result of a handler.
package typealias Reply = Eventual<Response, any Error>

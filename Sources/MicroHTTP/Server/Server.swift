internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// An HTTP/1.1 server on libmicrohttpd: one epoll loop a thread, and requests are handled on the thread that read them.
///
/// Every request is complete and checked before a handler sees it. A request that two parsers could read differently is
/// rejected and its connection closed: libmicrohttpd is only given heads that `HeadReader` has read, so that it never
/// sends a response of its own. No part of a request may stall or drip for longer than `Configuration.deadlines` allow.
///
/// Empty lines before a request line are skipped, as RFC 9112, section 2.2 asks.
package final class Server: Sendable {
  enum State {
    case new
    case running(Daemon)
    case stopped
  }

  struct Daemon: @unchecked Sendable {
    // Sendable by proof: libmicrohttpd locks it.
    let pointer: OpaquePointer
    let socket: ListeningSocket
    /// Held by the callbacks until the daemon has stopped.
    let core: Unmanaged<Core>
  }

  package let configuration: Configuration
  let core: Core
  let state = Mutex(State.new)

  package init(configuration: Configuration, application: any Application) {
    self.configuration = configuration
    core = Core(configuration, application)
  }

  deinit { stop() }

  /// The port that it listens on, or `nil` before `start` and after the end.
  package var port: Int? {
    state.withLock { if case .running(let daemon) = $0 { daemon.socket.port } else { nil } }
  }

  /// The address, or the name, that it listens on, or `nil` as `port`.
  package var host: String? {
    state.withLock { if case .running(let daemon) = $0 { daemon.socket.host } else { nil } }
  }

  /// Listens, and returns once requests are taken.
  package func start() throws(Fault) {
    try state.withLock { state throws(Fault) in
      guard case .new = state else { throw .startedBefore }
      let socket =
        if let passed = configuration.listeningSocket {
          try ListeningSocket(passed: passed)
        } else {
          try ListeningSocket(host: configuration.host, port: configuration.port)
        }
      do throws(Fault) {
        let suspensions = core.suspensions
        try core.monitor.start { suspensions.leave($0) }
      } catch {
        close(socket.descriptor)
        throw error
      }
      let core = Unmanaged.passRetained(core)
      guard let pointer = startDaemon(on: socket, core: core) else {
        let code = errno
        self.core.monitor.stop()
        core.release()
        close(socket.descriptor)
        throw .system("MHD_start_daemon", code: code)
      }
      state = .running(Daemon(pointer: pointer, socket: socket, core: core))
    }
  }

  /// Has connections from now on use this certificate, if the server speaks TLS; those that are open keep theirs.
  package func replaceCertificate(_ tls: TLS) {
    core.credentials.withLock { if $0 != nil { $0 = tls.credentials } }
  }

  /// Stops now: suspended requests get 503 if that still works, and connections are closed. Blocks until the server's
  /// threads have ended.
  package func stop() {
    let running: Daemon? = state.withLock { state in
      defer { state = .stopped }
      return if case .running(let daemon) = state { daemon } else { nil }
    }
    guard let daemon = running else { return }
    core.streams.stop()
    core.suspensions.stop()
    // libmicrohttpd would shut a socket down that somebody else may listen on as well.
    if !core.isQuiesced.exchange(true, ordering: .relaxed) { MHD_quiesce_daemon(daemon.pointer) }
    MHD_stop_daemon(daemon.pointer)
    core.monitor.stop()
    close(daemon.socket.descriptor)
    daemon.core.release()
  }

  private func startDaemon(on socket: ListeningSocket, core: Unmanaged<Core>) -> OpaquePointer? {
    var settings = cmhd_settings(
      listeningSocket: socket.descriptor,
      threads: UInt32(max(1, configuration.threads)),
      connectionLimit: UInt32(max(configuration.connectionLimit, configuration.threads)),
      connectionMemory: configuration.connectionMemory,
      tlsCertificates: nil, tlsKey: nil, tlsPriorities: nil)
    var callbacks = Callbacks.all(context: core.toOpaque())
    let flags = MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
    guard let tls = configuration.tls else { return cmhd_start(flags, &settings, &callbacks) }
    return tls.certificates.withCString { certificates in
      tls.key.withCString { key in
        TLS.priorities.withCString { priorities in
          (settings.tlsCertificates, settings.tlsKey, settings.tlsPriorities) = (certificates, key, priorities)
          return cmhd_start(flags | MHD_USE_TLS.rawValue, &settings, &callbacks)
        }
      }
    }
  }
}

/// What one server's connections share. Immutable but for a few atomics and what waits, so that requests take no lock.
final class Core: Sendable {
  let application: any Application
  let configuration: Server.Configuration
  let headLimits: HeadReader.Limits
  let deadlines: Deadlines.Milliseconds
  var isSecure: Bool { configuration.tls != nil }
  /// What new connections use, or `nil` without TLS.
  let credentials: Mutex<TLSCredentials?>
  let monitor: ConnectionMonitor
  let suspensions: Suspensions
  let streams = Streams()
  /// Connections that were ever opened.
  let opened = Atomic<UInt64>(0)
  /// True if every response is the last of its connection.
  let isLeaving = Atomic(false)
  /// True if no connection is taken any more.
  let isQuiesced = Atomic(false)

  init(_ configuration: Server.Configuration, _ application: any Application) {
    self.application = application
    self.configuration = configuration
    headLimits = configuration.headLimits
    deadlines = Deadlines.Milliseconds(configuration.deadlines)
    credentials = Mutex(configuration.tls?.credentials)
    monitor = ConnectionMonitor(configuration)
    suspensions = Suspensions(monitor: monitor)
  }

  /// True if this peer may open one more connection. Trusted proxies and this machine always may.
  func admits(_ peer: IPAddress?) -> Bool {
    guard let peer, !peer.isLoopback, !configuration.trustedProxies.contains(peer) else { return true }
    return monitor.connections.admits(peer)
  }
}

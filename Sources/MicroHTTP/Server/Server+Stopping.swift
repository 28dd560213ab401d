internal import CMicroHTTPD
internal import Glibc
internal import Platform
internal import Synchronization

extension Server {
  /// Stops now: suspended requests get 503 if that still works, and connections are closed. Blocks until the server's
  /// threads have ended.
  func stop() {
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

  /// What listens, or `nil` before `start` and after the end.
  var running: Daemon? { state.withLock { if case .running(let daemon) = $0 { daemon } else { nil } } }

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
    for connection in core.monitor.connections.all { connection.resume(by: .stop) }
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

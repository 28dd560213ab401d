internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

extension Server {
  /// How long a connection without a request is kept for one more once the server is leaving.
  ///
  /// Closing it at once could cross a request on its way (RFC 9112, section 9.6), which its client would see fail.
  package static let patience = Duration.seconds(1)

  /// Has every response from now on end its connection, while connections and requests are still taken.
  ///
  /// A server that another one replaces on the same socket does this before it drains: when it
  /// stops, hardly a connection is left that could be cut.
  ///
  /// - Parameter patience: how long an idle connection is kept for one more request.
  package func leave(patience: Duration = Server.patience) {
    core.isLeaving.store(true, ordering: .relaxed)
    core.monitor.connections.leave(patience: patience)
  }

  /// Another descriptor of the socket that it listens on, for the caller to close, or `nil` if it does not listen or
  /// there are no descriptors left.
  package func copyListeningSocket() -> Int32? {
    guard let daemon = running else { return nil }
    let copy = fcntl(daemon.socket.descriptor, F_DUPFD_CLOEXEC, 0)
    return copy >= 0 ? copy : nil
  }

  /// Stops gently: no more connections are taken; requests on those that are open are handled, and each of these ends
  /// with its response, or without one after `patience`. The tasks of streamed bodies are cancelled at once. After
  /// `deadline` suspended requests get 503 and their tasks are cancelled.
  ///
  /// - Parameters:
  ///   - refusing: if true, connects to the socket fail from here on. If false, they wait in it, for whoever else
  ///     listens on it, and this server only closes its own descriptor.
  ///   - patience: as in `leave`.
  package func drain(
    deadline: Duration = .seconds(10), refusing: Bool = true, patience: Duration = Server.patience
  ) async {
    guard let daemon = running else { return }
    leave(patience: patience)
    if !core.isQuiesced.exchange(true, ordering: .relaxed) {
      let descriptor = MHD_quiesce_daemon(daemon.pointer)
      // libmicrohttpd's threads may still look at the socket: it is closed after them.
      if refusing, descriptor >= 0 { shutdown(descriptor, Int32(SHUT_RDWR)) }
      core.streams.stop()
    }
    await quiet(within: deadline)
    core.suspensions.stop()
    await quiet(within: .seconds(1))
    await withCheckedContinuation { done in
      OwnThread.run {
        self.stop()
        done.resume()
      }
    }
  }

  private var running: Daemon? {
    state.withLock { if case .running(let daemon) = $0 { daemon } else { nil } }
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

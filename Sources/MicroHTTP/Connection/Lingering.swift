internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// Sockets whose last response is out while the peer may still be sending.
///
/// Closing such a socket at once makes the kernel reset the connection, and a reset can take the response from a client
/// that has not read it yet (RFC 9112, section 9.6). So one thread, which lives as long as there are any, reads them for a
/// while and drops what comes.
final class Lingering: Sendable {
  private struct Socket {
    let descriptor: Int32
    let deadline: ContinuousTime
    var bytesLeft: Int
  }

  private struct State {
    var sockets: [Socket] = []
    var isRunning = false
    var isStopping = false
  }

  /// How long, how much and how many at most.
  private static let duration = Duration.seconds(2)
  private static let bytes = 4 << 20
  private static let sockets = 256

  private let state = Mutex(State())

  /// Keeps a copy of this socket, which its owner may then close.
  func keep(_ descriptor: Int32) {
    let starts = state.withLock { state in
      guard !state.isStopping, state.sockets.count < Self.sockets else { return false }
      let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { return false }
      shutdown(copy, Int32(SHUT_WR))
      state.sockets.append(
        Socket(
          descriptor: copy, deadline: ContinuousTime.now.advanced(by: Self.duration),
          bytesLeft: Self.bytes))
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if starts { OwnThread.run { self.readAll() } }
  }

  /// Closes what is left, within a moment.
  func stop() { state.withLock { $0.isStopping = true } }

  private func readAll() {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let sockets = state.withLock { state in
        if state.isStopping {
          state.sockets.forEach { close($0.descriptor) }
          state.sockets = []
        }
        if state.sockets.isEmpty { state.isRunning = false }
        return state.sockets
      }
      guard !sockets.isEmpty else { return }
      var polled = sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
      // Short, so that sockets that come meanwhile are not kept waiting.
      poll(&polled, nfds_t(polled.count), 50)
      var read: [Int32: Int] = [:]
      for socket in polled where socket.revents != 0 {
        read[socket.fd] = recv(socket.fd, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      }
      drop(read, at: .now)
    }
  }

  /// Closes the sockets that are at their end; `read` says what each of them gave.
  private func drop(_ read: [Int32: Int], at now: ContinuousTime) {
    state.withLock { state in
      state.sockets = state.sockets.compactMap { socket in
        var socket = socket
        let count = read[socket.descriptor]
        socket.bytesLeft -= max(count ?? 0, 0)
        if let count, count <= 0 { socket.bytesLeft = 0 }
        guard socket.bytesLeft > 0, now < socket.deadline else {
          close(socket.descriptor)
          return nil
        }
        return socket
      }
    }
  }
}

internal import CMicroHTTPD
internal import Glibc
internal import Platform
internal import Synchronization

/// One thread that sees what libmicrohttpd does not: connections past their deadlines, peers that leave while their
/// connection is suspended, and peers that still send when their connection has ended.
///
/// A peer that has closed its sending side has nearly always gone, but may still read. So its connection learns of that
/// a moment later, and work in progress can finish. A reset is reported at once.
final class ConnectionMonitor: Sendable {
  let connections: ConnectionTable
  private let deadlines: Deadlines
  private let lingeringLimit: Int
  /// -1 while it is not running.
  private let epoll = Atomic<Int32>(-1)
  private let bell = Atomic<Int32>(-1)
  /// Sockets that are only read until their peers close them, each with a deadline and a limit of bytes.
  private let lingering = Mutex<[Int32: (deadline: ContinuousTime, bytesLeft: Int)]>([:])

  init(_ configuration: Server.Configuration) {
    deadlines = configuration.deadlines
    lingeringLimit = configuration.lingeringLimit
    connections = ConnectionTable(configuration)
  }

  func start() throws(Server.StartError) {
    let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard epoll >= 0 else { throw .system("epoll_create1", code: errno) }
    let bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard bell >= 0 else {
      let code = errno
      Glibc.close(epoll)
      throw .system("eventfd", code: code)
    }
    self.epoll.store(epoll, ordering: .relaxed)
    self.bell.store(bell, ordering: .relaxed)
    follow(bell, key: Self.bellKey, events: EPOLLIN.rawValue)
    OwnThread.run { self.run(epoll, bell) }
  }

  /// Ends the thread, within a moment. Nothing may be followed any more.
  func stop() {
    ring(Self.stopSign)
    // The thread closes it, and the system may use its number again.
    bell.store(-1, ordering: .relaxed)
  }

  /// Looks after a connection from its opening.
  func add(_ connection: Connection) {
    if connections.add(connection) { ring() }
  }

  /// Looks out for the departure of a connection's peer.
  func follow(_ connection: Connection) {
    follow(connection.descriptor, key: connection.id, events: EPOLLRDHUP.rawValue | EPOLLET.rawValue)
  }

  func unfollow(_ descriptor: Int32) {
    epoll_ctl(epoll.load(ordering: .relaxed), EPOLL_CTL_DEL, descriptor, nil)
  }

  /// Keeps a copy of this socket, whose last response is out while its peer may still be sending.
  ///
  /// Closing such a socket at once makes the kernel reset the connection, and a reset can take the response from a client
  /// that has not read it yet (RFC 9112, section 9.6). So it is read for a while, and what comes is dropped.
  func linger(_ descriptor: Int32) {
    lingering.withLock { sockets in
      guard sockets.count < lingeringLimit else { return }
      let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { return }
      shutdown(copy, Int32(SHUT_WR))
      sockets[copy] = (ContinuousTime.now.advanced(by: .seconds(2)), 4 << 20)
      follow(copy, key: Self.lingeringKey | UInt64(copy), events: EPOLLIN.rawValue)
    }
    ring()
  }

  /// Reads once from a lingering socket, and closes it at its end.
  private func readLingering(_ descriptor: Int32, _ buffer: inout [UInt8]) {
    lingering.withLock { sockets in
      // An event may come late, when the number is another socket's.
      guard let left = sockets[descriptor]?.bytesLeft else { return }
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      sockets[descriptor]?.bytesLeft = left - max(count, 0)
      if count <= 0 || count >= left { close(descriptor, &sockets) }
    }
  }

  private func close(_ descriptor: Int32, _ sockets: inout [Int32: (deadline: ContinuousTime, bytesLeft: Int)]) {
    sockets[descriptor] = nil
    // `close` does not remove it from epoll while the connection's own descriptor is open.
    unfollow(descriptor)
    Glibc.close(descriptor)
  }

  /// Closes the lingering sockets that have had their time; false if none is left.
  private func closeLingering(at now: ContinuousTime) -> Bool {
    lingering.withLock { sockets in
      for (descriptor, socket) in sockets where now >= socket.deadline { close(descriptor, &sockets) }
      return !sockets.isEmpty
    }
  }

  private static let bellKey: UInt64 = 0
  /// With a socket's descriptor.
  private static let lingeringKey: UInt64 = 1 << 63

  private func follow(_ descriptor: Int32, key: UInt64, events: UInt32) {
    var event = epoll_event(events: events, data: epoll_data(u64: key))
    epoll_ctl(epoll.load(ordering: .relaxed), EPOLL_CTL_ADD, descriptor, &event)
  }

  /// More than all other rings of the bell add up to.
  private static let stopSign: UInt64 = 1 << 32

  private func ring(_ sign: UInt64 = 1) {
    var sign = sign
    write(bell.load(ordering: .relaxed), &sign, MemoryLayout<UInt64>.size)
  }

  private func run(_ epoll: Int32, _ bell: Int32) {
    let tick = deadlines.tick
    var events = [epoll_event](repeating: epoll_event(), count: 64)
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    var halfClosed: [(key: UInt64, end: ContinuousTime)] = []
    var nextSweep = ContinuousTime.now
    var (isIdle, isStopping) = (false, false)
    while !isStopping {
      let count = epoll_wait(epoll, &events, Int32(events.count), isIdle ? -1 : Int32(tick / .milliseconds(1)))
      let now = ContinuousTime.now
      for event in events.prefix(Int(max(count, 0))) {
        let key = event.data.u64
        if key == Self.bellKey {
          var rung: UInt64 = 0
          read(bell, &rung, MemoryLayout<UInt64>.size)
          (isIdle, isStopping) = (false, rung >= Self.stopSign)
          // Others are waiting to be accepted.
          if connections.isFull { nextSweep = now }
        } else if key >= Self.lingeringKey {
          readLingering(Int32(key & ~Self.lingeringKey), &buffer)
        } else if event.events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 {
          connections[key]?.peerHasLeft()
        } else {
          halfClosed.append((key, now.advanced(by: deadlines.halfClosed)))
        }
      }
      halfClosed.removeAll { key, end in
        if now >= end { connections[key]?.peerHasLeft() }
        return now >= end
      }
      guard now >= nextSweep, !isIdle else { continue }
      let isOpen = connections.sweep(at: now)
      isIdle = !closeLingering(at: now) && !isOpen && halfClosed.isEmpty
      // The C library keeps freed memory for later use; give it back to the system.
      if connections.memoryInUseHasDropped() { malloc_trim(0) }
      nextSweep = now.advanced(by: tick)
      // A full server may be swept again at once: leave others the table for as long as that took.
      if connections.isFull { usleep(useconds_t(clamping: (ContinuousTime.now.nanoseconds - now.nanoseconds) / 1000)) }
    }
    _ = closeLingering(at: ContinuousTime(nanoseconds: .max))
    Glibc.close(epoll)
    Glibc.close(bell)
  }
}

extension Deadlines {
  /// The interval between sweeps: an eighth of the shortest deadline, so that none is exceeded by more than that.
  fileprivate var tick: Duration {
    let shortest = [head, body, response, idle, halfClosed].min() ?? head
    return min(max(shortest / 8, .milliseconds(5)), .milliseconds(500))
  }
}

internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// One thread that sees what libmicrohttpd does not: connections past their
/// deadlines, and peers that leave while their connection is suspended.
///
/// A peer that has closed its sending side has nearly always gone, but may
/// still read: its departure is told a moment later, so that what is being
/// worked on for it can be finished. A reset is told at once.
final class ConnectionMonitor: Sendable {
  let connections: ConnectionTable
  private let deadlines: Deadlines
  /// -1 while it is not running.
  private let epoll = Atomic<Int32>(-1)
  private let bell = Atomic<Int32>(-1)
  private let isStopping = Atomic(false)

  init(_ configuration: Server.Configuration) {
    deadlines = configuration.deadlines
    connections = ConnectionTable(
      limit: configuration.connectionLimit, limitPerClient: configuration.connectionLimitPerClient,
      deadlines: configuration.deadlines, unreadLimit: configuration.unreadLimit,
      unreadLimitPerClient: configuration.unreadLimitPerClient)
  }

  /// - Parameters:
  ///   - followNewcomers: called at each turn, while connections are open.
  ///   - departed: told the key of each connection whose peer has left.
  func start(
    followNewcomers: @escaping @Sendable () -> Void, departed: @escaping @Sendable (UInt64) -> Void
  ) throws(Server.Fault) {
    let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard epoll >= 0 else { throw .system("epoll_create1", code: errno) }
    let bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard bell >= 0 else {
      let code = errno
      close(epoll)
      throw .system("eventfd", code: code)
    }
    self.epoll.store(epoll, ordering: .relaxed)
    self.bell.store(bell, ordering: .relaxed)
    follow(bell, key: Self.bellKey, events: EPOLLIN.rawValue)
    OwnThread.run { self.run(epoll, bell, followNewcomers, departed) }
  }

  /// Ends the thread, within a moment. Nothing may be followed any more.
  func stop() {
    isStopping.store(true, ordering: .relaxed)
    ring()
  }

  /// Looks after a connection from its opening.
  ///
  /// - Parameter isTrusted: true for a proxy, which has many clients.
  func add(_ phase: ConnectionPhase, descriptor: Int32, of client: IPAddress?, isTrusted: Bool) {
    if connections.add(phase, descriptor: descriptor, of: client, isTrusted: isTrusted) { ring() }
  }

  /// Looks out for the departure of a peer.
  ///
  /// - Parameter key: not 0.
  func follow(_ descriptor: Int32, key: UInt64) {
    follow(descriptor, key: key, events: EPOLLRDHUP.rawValue | EPOLLET.rawValue)
  }

  func unfollow(_ descriptor: Int32) {
    epoll_ctl(epoll.load(ordering: .relaxed), EPOLL_CTL_DEL, descriptor, nil)
  }

  private static let bellKey: UInt64 = 0

  private func follow(_ descriptor: Int32, key: UInt64, events: UInt32) {
    var event = epoll_event(events: events, data: epoll_data(u64: key))
    epoll_ctl(epoll.load(ordering: .relaxed), EPOLL_CTL_ADD, descriptor, &event)
  }

  private func ring() {
    var one: UInt64 = 1
    write(bell.load(ordering: .relaxed), &one, MemoryLayout<UInt64>.size)
  }

  private func run(_ epoll: Int32, _ bell: Int32, _ followNewcomers: () -> Void, _ departed: (UInt64) -> Void) {
    defer {
      close(epoll)
      close(bell)
    }
    let tick = deadlines.tick
    var events = [epoll_event](repeating: epoll_event(), count: 64)
    var leaving: [(key: UInt64, end: ContinuousTime)] = []
    var nextSweep = ContinuousTime.now
    var isIdle = false
    while !isStopping.load(ordering: .relaxed) {
      let wait = isIdle && leaving.isEmpty ? -1 : Int32(tick / .milliseconds(1))
      let count = epoll_wait(epoll, &events, Int32(events.count), wait)
      let now = ContinuousTime.now
      for event in events.prefix(Int(max(count, 0))) {
        let key = event.data.u64
        if key == Self.bellKey {
          var rung: UInt64 = 0
          read(bell, &rung, MemoryLayout<UInt64>.size)
          isIdle = false
        } else if event.events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 {
          departed(key)
        } else {
          leaving.append((key, now.advanced(by: deadlines.halfClosed)))
        }
      }
      leaving.removeAll { key, end in
        if now >= end { departed(key) }
        return now >= end
      }
      if now >= nextSweep, !isIdle {
        followNewcomers()
        isIdle = !connections.sweep(at: now)
        // The C library keeps what was freed, for the next flood.
        if connections.memoryInUseHasDropped() { malloc_trim(0) }
        nextSweep = now.advanced(by: tick)
      }
    }
  }
}

extension Deadlines {
  /// How often to look: often enough to be in time by an eighth.
  fileprivate var tick: Duration {
    let shortest = [head, body, response, idle, halfClosed].min() ?? head
    return min(max(shortest / 8, .milliseconds(5)), .milliseconds(500))
  }
}

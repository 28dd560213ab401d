internal import CMicroHTTPD
internal import Glibc

/// One open connection, as whoever watches it sees it.
struct OpenConnection {
  let descriptor: Int32
  let client: IPAddress?
  /// True for a proxy, which has many clients.
  let isTrusted: Bool
  let phase: ConnectionPhase
  private var idling: Idling?
  /// How far the peer had come when it last took a byte of what is there for it, and when that was; nil where it has
  /// taken all.
  private var reading: (bytes: UInt64, since: ContinuousTime)?

  /// libmicrohttpd does not say that a byte of the next request has come; the
  /// kernel counts them.
  private struct Idling {
    /// Tells one idle time from the next.
    let deadline: ContinuousTime
    let bytes: UInt64
    /// For the head that has begun; nil while no byte has come.
    var headDeadline: ContinuousTime?
  }

  /// That the server is leaving, and how long it keeps an idle connection for one more request.
  struct Leaving {
    let since: ContinuousTime
    let patience: Duration

    /// When a connection ends that has had nothing to do since then.
    func end(idleSince start: ContinuousTime) -> ContinuousTime { max(start, since).advanced(by: patience) }
  }

  init(descriptor: Int32, client: IPAddress?, isTrusted: Bool, phase: ConnectionPhase) {
    self.descriptor = descriptor
    self.client = client
    self.isTrusted = isTrusted
    self.phase = phase
  }

  /// Shuts the socket down when its time is over, or its peer's side closed: the
  /// connection's own thread then finds the end and closes it. The socket must be open.
  ///
  /// libmicrohttpd 0.9.75 does not find the end that came together with bytes:
  /// epoll told of both at once, and it has stopped reading after the bytes.
  /// Shutting down takes none of them away, and has epoll tell once more.
  ///
  /// - Returns: what waits for the peer to read it; nil: nothing.
  mutating func sweep(
    at now: ContinuousTime, _ deadlines: Deadlines, isCrowded: Bool, leaving: Leaving?
  ) -> Unread? {
    let (phase, deadline) = phase.current
    // What waits long is not asked after each time.
    if phase == .working { return nil }
    let traffic = cmhd_traffic(descriptor)
    let unread = unread(traffic, at: now)
    switch phase {
    case _ where unread.map { now >= $0.since.advanced(by: deadlines.answer) } ?? false,
      .answering where now >= deadline:
      cut()
      return nil
    case .working, .answering, .resting: break
    case .head, .body, .idle:
      let end =
        switch phase {
        case .idle: idleEnd(deadline, traffic.received, at: now, deadlines, isCrowded: isCrowded, leaving: leaving)
        // Opened, perhaps in advance, and never used.
        case .head where traffic.received == 0:
          min(deadline, leaving?.end(idleSince: deadline.advanced(by: .zero - deadlines.head)) ?? deadline)
        default: deadline
        }
      // The sending side stays, for an answer.
      if traffic.hasEnded || now >= end { shutdown(descriptor, Int32(SHUT_RD)) }
    }
    return unread
  }

  /// What waits for a peer to read it.
  struct Unread {
    /// In memory, the kernel's included.
    let bytes: Int
    let since: ContinuousTime
  }

  private mutating func unread(_ traffic: cmhd_traffic, at now: ContinuousTime) -> Unread? {
    guard traffic.unsent > 0 else {
      reading = nil
      return nil
    }
    if reading?.bytes != traffic.acknowledged { reading = (traffic.acknowledged, now) }
    return Unread(bytes: Int(traffic.unsent) + phase.held, since: reading?.since ?? now)
  }

  /// Ends it with a reset, so that the kernel keeps nothing of what was not read.
  func cut() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  private mutating func idleEnd(
    _ deadline: ContinuousTime, _ bytes: UInt64, at now: ContinuousTime, _ deadlines: Deadlines, isCrowded: Bool,
    leaving: Leaving?
  ) -> ContinuousTime {
    if idling?.deadline != deadline { idling = Idling(deadline: deadline, bytes: bytes) }
    if idling?.bytes != bytes, idling?.headDeadline == nil {
      idling?.headDeadline = now.advanced(by: deadlines.head)
    }
    if let headDeadline = idling?.headDeadline { return headDeadline }
    let grace = isCrowded ? min(.seconds(1), deadlines.idle) : deadlines.idle
    let end = deadline.advanced(by: grace - deadlines.idle)
    return min(end, leaving?.end(idleSince: deadline.advanced(by: .zero - deadlines.idle)) ?? end)
  }
}

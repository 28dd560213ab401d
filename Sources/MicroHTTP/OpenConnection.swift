internal import CMicroHTTPD
internal import Glibc

/// One open connection, as whoever watches it sees it.
struct OpenConnection {
  let descriptor: Int32
  let client: IPAddress?
  let phase: ConnectionPhase
  private var idling: Idling?

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

  init(descriptor: Int32, client: IPAddress?, phase: ConnectionPhase) {
    self.descriptor = descriptor
    self.client = client
    self.phase = phase
  }

  /// Shuts the socket down when its time is over, or its peer's side closed: the
  /// connection's own thread then finds the end and closes it. The socket must be open.
  ///
  /// libmicrohttpd 0.9.75 does not find the end that came together with bytes:
  /// epoll told of both at once, and it has stopped reading after the bytes.
  /// Shutting down takes none of them away, and has epoll tell once more.
  mutating func sweep(at now: ContinuousTime, _ deadlines: Deadlines, isCrowded: Bool, leaving: Leaving?) {
    let (phase, deadline) = phase.current
    switch phase {
    case .working: break
    case .answering:
      if now >= deadline { shutdown(descriptor, Int32(SHUT_RDWR)) }
    case .head, .body, .idle:
      let reception = cmhd_reception(descriptor)
      let end =
        switch phase {
        case .idle: idleEnd(deadline, reception.bytes, at: now, deadlines, isCrowded: isCrowded, leaving: leaving)
        // Opened, perhaps in advance, and never used.
        case .head where reception.bytes == 0:
          min(deadline, leaving?.end(idleSince: deadline.advanced(by: .zero - deadlines.head)) ?? deadline)
        default: deadline
        }
      // The sending side stays, for an answer.
      if reception.hasEnded || now >= end { shutdown(descriptor, Int32(SHUT_RD)) }
    }
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

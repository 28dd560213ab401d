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

  /// Shuts the socket down when its time is over: the connection's own thread
  /// then finds the end and closes it. The socket must be open.
  mutating func sweep(at now: ContinuousTime, _ deadlines: Deadlines, isCrowded: Bool, leaving: Leaving?) {
    let (phase, deadline) = phase.current
    switch phase {
    case .working: break
    case .head where now < deadline:
      guard let leaving, now >= leaving.end(idleSince: deadline.advanced(by: .zero - deadlines.head)) else { break }
      // Opened, perhaps in advance, and never used.
      if cmhd_bytes_received(descriptor) == 0 { shutdown(descriptor, Int32(SHUT_RD)) }
    case .head, .body:
      // The sending side stays, for an answer.
      if now >= deadline { shutdown(descriptor, Int32(SHUT_RD)) }
    case .answering:
      if now >= deadline { shutdown(descriptor, Int32(SHUT_RDWR)) }
    case .idle:
      let bytes = cmhd_bytes_received(descriptor)
      if idling?.deadline != deadline { idling = Idling(deadline: deadline, bytes: bytes) }
      if idling?.bytes != bytes, idling?.headDeadline == nil {
        idling?.headDeadline = now.advanced(by: deadlines.head)
      }
      let grace = isCrowded ? min(.seconds(1), deadlines.idle) : deadlines.idle
      var end = deadline.advanced(by: grace - deadlines.idle)
      if let leaving { end = min(end, leaving.end(idleSince: deadline.advanced(by: .zero - deadlines.idle))) }
      if now >= idling?.headDeadline ?? end { shutdown(descriptor, Int32(SHUT_RD)) }
    }
  }
}

internal import CMicroHTTPD

/// One open connection, as the monitor sees it.
struct OpenConnection {
  let connection: Connection
  private var waiting: Waiting?
  /// The number of bytes that the peer had acknowledged when it last changed, and the time of that change; `nil` if the
  /// peer has taken everything.
  private var reading: (bytes: UInt64, since: ContinuousTime)?

  init(connection: Connection) { self.connection = connection }

  /// A wait for a request's head. libmicrohttpd does not report its first byte, so the kernel's count of received bytes
  /// tells whether the head has begun.
  private struct Waiting {
    /// Tells one wait from the next.
    let deadline: ContinuousTime
    /// The number of bytes received before this wait.
    let bytes: UInt64
    /// The deadline of the head that has begun, or `nil` while no byte of it has come.
    var headDeadline: ContinuousTime?
  }

  /// The moment at which the server began to leave, and the time for which it keeps an idle connection for one more
  /// request.
  typealias Leaving = (since: ContinuousTime, patience: Duration)

  /// The bytes in memory that wait for a peer to read them, the kernel's included.
  typealias Unread = (bytes: Int, since: ContinuousTime)

  /// Shuts the socket down once its time is over or its peer's side is closed: the connection's own thread then finds the
  /// end and closes it. The socket must be open.
  ///
  /// libmicrohttpd 0.9.75 misses an end that came together with bytes: epoll reported both at once, and libmicrohttpd
  /// stopped reading after the bytes. Shutting the socket down loses none of them and makes epoll report again.
  ///
  /// - Returns: what waits for the peer to read it, or `nil` if nothing does.
  mutating func sweep(
    at now: ContinuousTime, _ deadlines: Deadlines, leaving: Leaving?
  ) -> Unread? {
    let (phase, deadline) = connection.phase.current
    // Thousands of connections may wait a long time for their handlers: skip the system call for them.
    if phase == .working { return nil }
    let traffic = cmhd_traffic(connection.descriptor)
    let unread = unread(traffic, at: now)
    switch phase {
    case _ where unread.map { now >= $0.since.advanced(by: deadlines.response) } ?? false,
      .responding where now >= deadline:
      connection.cut()
      return nil
    case .working, .responding, .resting: break
    case .head, .body, .idle:
      var end = deadline
      if phase != .body {
        // A new connection has been opened, perhaps in advance, for a head that has its whole time from the start.
        let allowed = phase == .head ? deadlines.head : deadlines.idle
        if waiting?.deadline != deadline {
          waiting = Waiting(deadline: deadline, bytes: phase == .head ? 0 : traffic.received)
        }
        if waiting?.bytes != traffic.received, waiting?.headDeadline == nil {
          waiting?.headDeadline = phase == .head ? deadline : now.advanced(by: deadlines.head)
        }
        let start = deadline.advanced(by: .zero - allowed)
        end = waiting?.headDeadline ?? deadline
        if let leaving, waiting?.headDeadline == nil {
          end = min(end, max(start, leaving.since).advanced(by: leaving.patience))
        }
      }
      if traffic.hasEnded || now >= end { endReading() }
    }
    return unread
  }

  /// Has its own thread find the end of what its peer sends. The sending side stays, for a response.
  func endReading() { shutdown(connection.descriptor, Int32(SHUT_RD)) }

  /// The time since which its peer owes a request or the rest of one, or `nil` if it does not.
  func owing(_ deadlines: Deadlines) -> ContinuousTime? {
    let (phase, deadline) = connection.phase.current
    let allowed: Duration? =
      switch phase {
      case .head: deadlines.head
      case .body: deadlines.body
      case .idle: deadlines.idle
      case .working, .responding, .resting: nil
      }
    return allowed.map { deadline.advanced(by: .zero - $0) }
  }

  private mutating func unread(_ traffic: cmhd_traffic, at now: ContinuousTime) -> Unread? {
    guard traffic.unsent > 0 else {
      reading = nil
      return nil
    }
    if reading?.bytes != traffic.acknowledged { reading = (traffic.acknowledged, now) }
    return (Int(traffic.unsent) + connection.phase.held, reading?.since ?? now)
  }
}

/// The time limits for peers. Sending a byte now and then extends none of them.
package struct Deadlines: Sendable {
  /// For a request's head: from the opening of its connection, or from its first byte if the connection was kept alive.
  /// The connection is closed.
  package var head = Duration.seconds(10)
  /// For a request's body, from the end of its head. The response is 408.
  package var body = Duration.seconds(30)
  /// For taking a response, plus the time that its length takes at `responseRate`; for a stream, starting anew with
  /// each part. A peer also fails if it takes no byte for this long although some are waiting. The connection is
  /// closed.
  package var response = Duration.seconds(30)
  /// The fewest bytes a second at which a peer may take a response.
  package var responseRate = 16 * 1024
  /// Between two requests on one connection. If more than three quarters of the connections are taken it is a second at
  /// most.
  package var idle = Duration.seconds(30)
  /// The time for which work goes on for a peer that has closed its side. Most have gone for good, but one may still be
  /// reading what it asked for.
  package var halfClosed = Duration.seconds(1)

  init() {}

  /// The same in whole milliseconds: `Duration` counts in 128 bits, which every request would pay for.
  struct Milliseconds: Sendable {
    let head: Int64
    let body: Int64
    let idle: Int64
    private let shortestResponse: Int64
    private let responseRate: Int

    init(_ deadlines: Deadlines) {
      // Nobody waits for longer than some 30,000 years.
      func milliseconds(_ duration: Duration) -> Int64 { Int64(min(max(duration / .milliseconds(1), 0), 1e15)) }
      head = milliseconds(deadlines.head)
      body = milliseconds(deadlines.body)
      idle = milliseconds(deadlines.idle)
      shortestResponse = milliseconds(deadlines.response)
      responseRate = max(deadlines.responseRate, 1)
    }

    /// For taking a response of so many bytes.
    func response(bytes: Int) -> Int64 { shortestResponse + Int64(bytes / responseRate) * 1000 }
  }
}

/// How long a peer may take. None of these is extended by a byte now and then.
package struct Deadlines: Sendable {
  /// For a request's head: from the opening of its connection, or from its
  /// first byte where the connection was kept alive. The connection is closed.
  package var head = Duration.seconds(10)
  /// For a request's body, from the end of its head. Answered with 408.
  package var body = Duration.seconds(30)
  /// For taking an answer, and as much more as its length takes at
  /// `answerRate`; for a stream, from each part that it is given. No more than
  /// this without taking a byte of what is there. The connection is closed.
  package var answer = Duration.seconds(30)
  /// The fewest bytes a second at which a peer may take an answer.
  package var answerRate = 16 * 1024
  /// Between two requests on one connection. When more than three quarters of
  /// the connections are taken it is a second at most.
  package var idle = Duration.seconds(30)
  /// How long work goes on for a peer that has closed its side. Most have
  /// gone for good, but one may still be reading what it asked for.
  package var halfClosed = Duration.seconds(1)

  package init() {}
}

extension Deadlines {
  /// The same in whole milliseconds: `Duration` counts in 128 bits, which every request would pay for.
  struct Milliseconds: Sendable {
    let head: Int64
    let body: Int64
    let idle: Int64
    private let shortestAnswer: Int64
    private let answerRate: Int

    init(_ deadlines: Deadlines) {
      // Nobody waits for longer than some 30,000 years.
      func milliseconds(_ duration: Duration) -> Int64 { Int64(min(max(duration / .milliseconds(1), 0), 1e15)) }
      head = milliseconds(deadlines.head)
      body = milliseconds(deadlines.body)
      idle = milliseconds(deadlines.idle)
      shortestAnswer = milliseconds(deadlines.answer)
      answerRate = max(deadlines.answerRate, 1)
    }

    /// For taking an answer of so many bytes.
    func answer(bytes: Int) -> Int64 { shortestAnswer + Int64(bytes / answerRate) * 1000 }
  }
}

/// What a handler does with a request.
package enum Reply: Sendable {
  /// Answered where it was asked, on the server's own thread: for whatever does not wait.
  case now(Response)
  /// The connection rests while this runs as a task, and is then answered. The
  /// task is cancelled when the server stops before it ends, and when the peer
  /// leaves: at once when it resets the connection, after
  /// `Deadlines.halfClosed` when it closes its side of it. A peer that closed
  /// one side alone still gets what a cancelled task comes to.
  case later(@Sendable () async -> Response)
  /// The connection rests until somebody sends the answer, without a task that
  /// would take memory: for what many wait for, and long.
  ///
  /// This is called once, on the server's own thread. What it returns is called
  /// where a task of `later` would be cancelled, and perhaps when the answer was
  /// sent already: the answer should then come soon, since the connection
  /// rests until it does.
  case parked(@Sendable (PendingAnswer) -> @Sendable () -> Void)
  /// Answered by the server's `refuse`.
  case refused(HTTPError)

  /// The same with every answer changed; what is refused stays as it is.
  package func map(_ change: @escaping @Sendable (Response) -> Response) -> Reply {
    switch self {
    case .now(let response): .now(change(response))
    case .later(let work): .later { change(await work()) }
    case .parked(let begin):
      .parked { pending in begin(PendingAnswer { pending.send(change($0)) }) }
    case .refused: self
    }
  }
}

/// An answer that somebody waits for.
package struct PendingAnswer: Sendable {
  private let take: @Sendable (Response) -> Void

  init(_ take: @escaping @Sendable (Response) -> Void) { self.take = take }

  /// Sends the answer, from any thread. The first one counts; none does where nobody waits any more.
  package func send(_ response: Response) { take(response) }
}

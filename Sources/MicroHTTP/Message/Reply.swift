/// What a handler does with a request.
package enum Reply: Sendable {
  /// Responds at once, on the server's own thread: for whatever does not wait.
  case now(Response)
  /// The connection rests while this runs as a task, and then gets its response. The task begins on the server's own
  /// thread and leaves it where it first waits: what takes long must wait before it begins. The task is cancelled if the server
  /// stops before it ends, and if the peer leaves: at the monitor's next turn if it resets the connection, after
  /// `Deadlines.halfClosed` if it closes its side of it. A peer that closed only one side still gets what a cancelled
  /// task returns.
  case later(@Sendable () async -> Response)
  /// The connection rests until somebody sends the response, without a task that would take memory: for what many wait
  /// for, and long.
  ///
  /// This is called once, on the server's own thread. What it returns is called when a task of `later` would be
  /// cancelled, and perhaps when the response was sent already: the response should then come soon, since the connection
  /// rests until it does.
  case parked(@Sendable (PendingResponse) -> @Sendable () -> Void)
  /// The server's `refuse` makes the response.
  case refused(HTTPError)

  /// The same with every response changed; an error stays as it is.
  package func map(_ change: @escaping @Sendable (Response) -> Response) -> Reply {
    switch self {
    case .now(let response): .now(change(response))
    case .later(let work): .later { change(await work()) }
    case .parked(let begin):
      .parked { pending in begin(PendingResponse { pending.send(change($0)) }) }
    case .refused: self
    }
  }
}

/// A response that somebody waits for.
package struct PendingResponse: Sendable {
  private let take: @Sendable (Response) -> Void

  init(_ take: @escaping @Sendable (Response) -> Void) { self.take = take }

  /// Sends the response, from any thread. Only the first one counts, and none does once nobody waits any more.
  package func send(_ response: Response) { take(response) }
}

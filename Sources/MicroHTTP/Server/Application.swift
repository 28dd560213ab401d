/// What a server serves. It is asked twice for each request: with its head, and when it is complete.
package protocol Application: Sendable {
  /// Decides by a request's head who handles it, and so how long its body may be.
  func handler(for head: Request) -> Handler

  /// The response to a request that a handler, or the server itself with an `HTTPError`, does not fulfil.
  ///
  /// - Parameter request: `nil` if its head could not be read.
  func response(to error: any Error, request: Request?) -> Response

  /// Every response as it is to be sent, just before it is.
  func finished(_ response: Response, for request: Request?) -> Response

  /// Is told of each request that is over, on the server's threads.
  func completed(_ request: CompletedRequest)
}

extension Application {
  /// The plain response, for a server that has no other.
  package func response(to error: any Error, request: Request?) -> Response {
    let error = error as? HTTPError ?? .internalError
    var response = Response(error.status, type: "text/plain; charset=utf-8", text: error.description + "\n")
    response.headers += error.headers
    return response
  }

  package func finished(_ response: Response, for request: Request?) -> Response { response }

  package func completed(_ request: CompletedRequest) {}
}

/// Handles the requests of one route.
package struct Handler: Sendable {
  /// Bytes of a body, or `nil` for no more than the server's own limit.
  package let bodyLimit: Int?
  /// Handles a complete request, on one of the server's threads: whatever waits belongs in `.later`.
  package let reply: @Sendable (Request) throws -> Reply

  package init(bodyLimit: Int? = nil, reply: @escaping @Sendable (Request) throws -> Reply) {
    (self.bodyLimit, self.reply) = (bodyLimit, reply)
  }
}

/// What a handler does with a request.
package enum Reply: Sendable {
  /// Responds at once, on the server's own thread: for whatever does not wait.
  case now(Response)
  /// The connection rests while this runs as a task, and then gets its response. The task begins on the server's own
  /// thread and leaves it where it first waits: what takes long must wait before it begins. The task is cancelled if the server
  /// stops before it ends, and if the peer leaves: at the monitor's next turn if it resets the connection, after
  /// `Deadlines.halfClosed` if it closes its side of it. A peer that closed only one side still gets what a cancelled
  /// task returns.
  case later(@Sendable () async throws -> Response)
  /// The connection rests until somebody sends the response, without a task that would take memory: for what many wait
  /// for, and long.
  ///
  /// This is called once, on the server's own thread. What it returns is called when a task of `later` would be
  /// cancelled, and perhaps when the response was sent already: the response should then come soon, since the connection
  /// rests until it does.
  case parked(@Sendable (PendingResponse) -> @Sendable () -> Void)
}

/// A response that somebody waits for.
package struct PendingResponse: Sendable {
  private let take: @Sendable (Response) -> Void

  init(_ take: @escaping @Sendable (Response) -> Void) { self.take = take }

  /// Sends the response, from any thread. Only the first one counts, and none does once nobody waits any more.
  package func send(_ response: Response) { take(response) }
}

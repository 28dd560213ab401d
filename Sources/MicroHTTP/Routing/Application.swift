/// The application that a server serves. It is asked twice for each request: with its head, and when it is complete.
package protocol Application: AnyObject, Sendable {
  /// Decides by a request's head who handles it, and so how long its body may be.
  func handler(for head: Request) -> Handler

  /// The response to a request that a handler, or the server itself with an `HTTPError`, does not fulfil.
  ///
  /// - Parameters:
  ///   - request: `nil` if its head could not be read.
  ///   - route: see `Handler.route`.
  func response(to error: any Error, request: Request?, route: Int?) -> Response

  /// Called with every response just before it is sent; returns the response to send.
  func finished(_ response: consuming Response, for request: Request?, route: Int?) -> Response

  /// Called after each request, on the server's threads.
  func completed(_ request: CompletedRequest)
}

package extension Application {
  /// The plain response, for a server that has no other.
  func response(to error: any Error, request: Request?, route: Int?) -> Response {
    let error = error as? HTTPError ?? .internalError
    var response = Response(error.status, type: "text/plain; charset=utf-8", bytes: Array("\(error)\n".utf8))
    response.headers += error.headers
    return response
  }

  func finished(_ response: consuming Response, for request: Request?, route: Int?) -> Response { response }

  func completed(_ request: CompletedRequest) {}
}

/// One request and its response, for logs and metrics.
package struct CompletedRequest: Sendable {
  package var method: String { hasHead ? storage.method.token : "" }
  /// The decoded path without the query; empty if the target could not be read.
  package var path: String { hasHead ? storage.target.path : "" }
  /// The status that was sent, or `nil` if the connection ended before one was.
  package let status: Status?
  /// Bytes of the response's body; 0 for HEAD.
  package let responseBytes: Int
  /// From the request line's arrival to the response's last byte.
  package let nanoseconds: Int64
  /// See `Handler.route`.
  package let route: Int?
  /// False if the head could not be read.
  let hasHead: Bool
  let storage: Request.Storage

  /// See `Request.clientAddress`.
  package var clientAddress: String { storage.sender.addressText }
  /// See `Request.id`.
  package var id: String { storage.id }
}

/// Handles a request, or all requests of one route.
package struct Handler: Sendable {
  /// By which the application knows the route again, or `nil` if it need not.
  let route: Int?
  /// The error with which the request is refused whatever its body holds, or `nil` if it is not.
  let refusal: (any Error)?
  /// Bytes of a body, or `nil` for no more than the server's own limit.
  let bodyLimit: Int?
  /// Handles a complete request, on one of the server's threads: whatever waits belongs in `.later`.
  let reply: @Sendable (Request) throws -> Reply

  package init(route: Int? = nil, bodyLimit: Int? = nil, reply: @escaping @Sendable (Request) throws -> Reply) {
    self.route = route
    self.bodyLimit = bodyLimit
    self.reply = reply
    refusal = nil
  }

  /// Refuses a request. A short body is read all the same, so that the connection can be used again.
  package init(refusing error: any Error, route: Int? = nil) {
    self.route = route
    bodyLimit = nil
    refusal = error
    reply = { _ in throw error }
  }
}

/// A value that there is now, or that a task will have.
package enum Eventual<Value: Sendable, Failure: Error>: Sendable {
  /// At once, on the server's own thread: for whatever does not wait.
  case now(Value)
  /// Of a response: runs as a task while the connection is suspended. The task starts on the server's own thread and
  /// leaves it at its first wait, so it must wait before any long work. The task is cancelled if the server stops before
  /// it ends, and if the peer leaves: at the monitor's next turn if the peer resets the connection, after
  /// `Deadlines.halfClosed` if it closes its side. A peer that closed only its side still gets what a cancelled task
  /// returns.
  case later(@Sendable () async throws(Failure) -> Value)

  package var value: Value {
    get async throws(Failure) {
      switch self {
      case .now(let value): value
      case .later(let work): try await work()
      }
    }
  }
}

/// The result of a handler.
package typealias Reply = Eventual<Response, any Error>

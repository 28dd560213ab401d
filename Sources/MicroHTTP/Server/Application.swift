/// The application that a server serves. It is asked twice for each request: with its head, and when it is complete.
package protocol Application: Sendable {
  /// Decides by a request's head who handles it, and so how long its body may be.
  func handler(for head: Request) -> Handler

  /// The response to a request that a handler, or the server itself with an `HTTPError`, does not fulfil.
  ///
  /// - Parameters:
  ///   - request: `nil` if its head could not be read.
  ///   - route: see `Handler.route`.
  func response(to error: any Error, request: Request?, route: Int?) -> Response

  /// Called with every response just before it is sent; returns the response to send.
  func finished(_ response: Response, for request: Request?, route: Int?) -> Response

  /// Called after each request, on the server's threads.
  func completed(_ request: CompletedRequest)
}

extension Application {
  /// The plain response, for a server that has no other.
  package func response(to error: any Error, request: Request?, route: Int?) -> Response {
    let error = error as? HTTPError ?? .internalError
    var response = Response(error.status, type: "text/plain; charset=utf-8", bytes: Array("\(error)\n".utf8))
    response.headers += error.headers
    return response
  }

  package func finished(_ response: Response, for request: Request?, route: Int?) -> Response { response }

  package func completed(_ request: CompletedRequest) {}
}

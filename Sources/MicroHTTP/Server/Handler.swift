/// Handles a request, or all requests of one route.
package struct Handler: Sendable {
  /// By which the application knows the route again, or `nil` if it need not.
  let route: Int?
  /// The error with which the request is refused whatever its body holds, or `nil` if it is not.
  let refusal: (any Error)?
  /// Bytes of a body, or `nil` for no more than the server's own limit.
  package let bodyLimit: Int?
  /// Handles a complete request, on one of the server's threads: whatever waits belongs in `.later`.
  package let reply: @Sendable (Request) throws -> Reply

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

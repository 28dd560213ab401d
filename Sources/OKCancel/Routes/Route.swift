internal import MicroHTTP

/// What the server answers at one path by one method, and what is checked before the handler is called. Whatever differs
/// between routes is said here: nothing about a route is said anywhere else.
final class Route: Sendable {
  /// Who may call it.
  enum Caller {
    case anybody
    /// Whoever has the link of an ask; the handler looks it up.
    case person
    /// Whoever shows the API token.
    case program
  }

  /// Whose pages may read its responses; every program may.
  enum Readers {
    /// Those of this server only.
    case own
    case allowedOrigins
  }

  /// What a handler does with a request; a problem becomes JSON or a page, as the route and the client want it.
  enum Reply: Sendable {
    case now(Response)
    case later(@Sendable () async throws(Problem) -> Response)
    case parked(@Sendable (PendingResponse) -> @Sendable () -> Void)
  }

  let method: Method
  /// A path; a segment `:name` stands for any one segment that is not empty.
  let pattern: String
  let caller: Caller
  let readers: Readers
  /// Whether it is answered only under the server's own names.
  let checksHost: Bool
  /// What it counts as; `nil` if a client may call it as often as it likes.
  let limit: RateLimits.Action?
  /// How long its body may be.
  let body: Body.Limits
  /// Whether problems come as pages to whoever prefers HTML.
  let hasPages: Bool
  let reply: @Sendable (Request) throws(Problem) -> Reply

  init(
    _ method: Method, _ pattern: String, for caller: Caller = .anybody, readableBy readers: Readers = .own,
    checksHost: Bool = true, limit: RateLimits.Action? = nil, body: Body.Limits = .usual, hasPages: Bool = false,
    reply: @escaping @Sendable (Request) throws(Problem) -> Reply
  ) {
    (self.method, self.pattern, self.caller, self.readers) = (method, pattern, caller, readers)
    (self.checksHost, self.limit, self.body) = (checksHost, limit, body)
    (self.hasPages, self.reply) = (hasPages, reply)
  }

  /// What metrics call it, with the path as documents write it: `/prompts/{name}`.
  var label: RequestCounts.Route {
    let segments = pattern.split(separator: "/", omittingEmptySubsequences: false)
    let words = segments.map { $0.hasPrefix(":") ? "{\($0.dropFirst())}" : String($0) }
    return .init(method: method.token, pattern: words.joined(separator: "/"))
  }
}

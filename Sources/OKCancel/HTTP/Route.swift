internal import MicroHTTP

/// A path and a method that the server responds to, with the checks before its handler. Everything that differs between
/// routes is here.
final class Route: Sendable {
  /// The clients that may call it.
  enum Caller: Equatable {
    case anybody
    /// A person with the link of an ask; the handler looks it up.
    case person
    /// A program with an API token that allows this.
    case program(APIToken.Scope)
  }

  /// Whose pages may read its responses; every program may.
  enum Readers {
    /// Those of this server only.
    case sameOrigin
    case allowedOrigins
  }

  let method: Method
  /// A path; a segment `:name` stands for any one segment that is not empty.
  let pattern: String
  let caller: Caller
  let readers: Readers
  /// True if it only responds under the server's own names, and to nobody who forges an identity. If not, its path has no
  /// parameters.
  let checksHost: Bool
  /// The query parameters that it takes.
  let parameters: [String]
  /// The action that it counts as, or `nil` if a client may call it as often as it likes.
  let limit: RateLimits.Action?
  /// The limits of its body.
  let body: Body.Limits
  /// True if problems come as pages to clients that prefer HTML.
  let hasPages: Bool
  /// The scope of the token that it needs, or `nil` if it needs none.
  var scope: APIToken.Scope? { if case .program(let scope) = caller { scope } else { nil } }
  private let handler: @Sendable (Visit) throws(Problem) -> Eventual<Response>

  init(
    _ method: Method, _ pattern: String, for caller: Caller = .anybody, readableBy readers: Readers = .sameOrigin,
    checksHost: Bool = true, query parameters: [String] = [], limit: RateLimits.Action? = nil,
    body: Body.Limits = .usual, hasPages: Bool = false,
    reply: @escaping @Sendable (Visit) throws(Problem) -> Eventual<Response>
  ) {
    self.method = method
    self.pattern = pattern
    self.caller = caller
    self.readers = readers
    self.checksHost = checksHost
    self.parameters = parameters
    self.limit = limit
    self.body = body
    self.hasPages = hasPages
    handler = reply
  }

  /// Bytes of a body that an event loop can read in a millisecond, whatever they say.
  static let bytesForEventLoop = 8 * 1024

  /// Calls the handler, on a background thread if reading the body alone would hold up an event loop.
  func reply(to visit: Visit, judging: Judging) throws(Problem) -> Reply {
    guard visit.request.bodyCount > Self.bytesForEventLoop else {
      switch try handler(visit) {
      case .now(let response): return .now(response)
      case .later(let work): return .later(work)
      }
    }
    // A person's link and a program's token were made by programs that may do more.
    if caller == .anybody { try judging.limiting.admit(visit.payer, as: .work) }
    return .later {
      try await judging.inBackground(for: visit.payer) { _ in
        Result { () throws(Problem) in try self.handler(visit) }
      }.get().value
    }
  }

  /// Its label in metrics, with the path as documents write it: `/prompts/{name}`.
  var label: RequestCounts.Label {
    let segments = pattern.split(separator: "/", omittingEmptySubsequences: false)
    let words = segments.map { $0.hasPrefix(":") ? "{\($0.dropFirst())}" : String($0) }
    return .init(method: method.token, pattern: words.joined(separator: "/"))
  }
}

/// A result that a handler has of a request, now or later.
typealias Eventual<Value: Sendable> = MicroHTTP.Eventual<Value, Problem>

extension MicroHTTP.Eventual {
  /// The value that `next` makes of this one: now if both are there.
  @inline(__always)  // Each call would make `next` an object, which is only needed later.
  consuming func then<Next>(
    _ next: @escaping @Sendable (Value) throws(Failure) -> MicroHTTP.Eventual<Next, Failure>
  ) throws(Failure) -> MicroHTTP.Eventual<Next, Failure> {
    switch consume self {
    case .now(let value): try next(value)
    case .later(let work): .later { () throws(Failure) in try await next(try await work()).value }
    }
  }
}

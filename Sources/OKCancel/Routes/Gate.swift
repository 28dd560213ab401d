internal import MicroHTTP
internal import Pages

/// What stands between a request and its route's handler, in this order: the client's limit, other sites' pages, the API
/// token. What is refused stays readable for those pages that may read the route.
struct Gate: Sendable {
  let hosts: HostNames
  let limiting: RateLimiting
  let crossSite: CrossSite
  let tokens: APITokens
  let cors: CORS
  let pages: Pages
  let judging: Judging

  /// Bytes of a body that an event loop can read in a millisecond, whatever they say.
  private static let bytesForEventLoop = 8 * 1024

  func reply(to request: Request, by route: Route) -> Reply {
    let reply: Reply
    do throws(Problem) {
      if let limit = route.limit { try limiting.admit(request, as: limit) }
      if request.method == .post { try crossSite.check(request) }
      if route.caller == .program { try tokens.check(request) }
      switch try handled(request, by: route) {
      case .now(let response): reply = .now(response)
      case .later(let work):
        reply = .later {
          do throws(Problem) { return try await work() } catch {
            return response(to: error, for: request, hasPages: route.hasPages)
          }
        }
      case .parked(let begin): reply = .parked(begin)
      }
    } catch {
      reply = .now(response(to: error, for: request, hasPages: route.hasPages))
    }
    return route.readers == .allowedOrigins ? cors.shared(reply, with: request) : reply
  }

  /// What the handler does, on a background thread if the body is so large that even to read it holds up an event loop.
  private func handled(_ request: Request, by route: Route) throws(Problem) -> Route.Reply {
    guard route.caller == .anybody, request.body.count > Self.bytesForEventLoop else { return try route.reply(request) }
    try limiting.admitWork(for: request)
    return .later { () throws(Problem) in
      let reply = try await judging.inBackground(for: request) { _ in
        Result { () throws(Problem) in try route.reply(request) }
      }.get()
      switch reply {
      case .now(let response): return response
      case .later(let work): return try await work()
      case .parked: preconditionFailure("nobody waits for an outcome with a body")
      }
    }
  }

  /// Why a request is not answered that was sent to another name than the server's; `nil` for any other. Whoever shows the
  /// API token knows whom it asks, and no page has it.
  func foreignName(in request: Request) -> Problem? {
    if hosts.include(nameIn: request) { return nil }
    if request.header("authorization") != nil, (try? tokens.check(request)) != nil { return nil }
    return hosts.problem(with: request)
  }

  /// What a browser asks before a page of an allowed origin posts to this route; `nil` if no such page may.
  func preflight(of route: Route) -> Router.Handler? {
    guard route.readers == .allowedOrigins, route.method == .post else { return nil }
    return { request in .now(cors.preflight(request, methods: [route.method])) }
  }

  /// A problem as JSON or as a page.
  ///
  /// - Parameter hasPages: whether whoever prefers a page gets one.
  func response(to problem: Problem, for request: Request?, hasPages: Bool) -> Response {
    guard hasPages, let request, request.wantsPage else { return problem.response }
    var response = Response(
      problem.status, type: "text/html; charset=utf-8",
      bytes: problem.page
        ?? pages.problem(
          status: problem.status.rawValue, reason: problem.status.reason, detail: problem.detail,
          outcome: problem.outcome))
    response.headers += problem.headers
    return response
  }
}

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

  func reply(to request: Request, by route: Route) -> Reply {
    let reply: Reply
    do throws(Problem) {
      if let limit = route.limit { try limiting.admit(request, as: limit) }
      if request.method == .post { try crossSite.check(request) }
      if route.caller == .program { try tokens.check(request) }
      switch try route.reply(request) {
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
      bytes: pages.problem(
        status: problem.status.rawValue, reason: problem.status.reason, detail: problem.detail,
        outcome: problem.outcome))
    response.headers += problem.headers
    return response
  }
}

internal import MicroHTTP
internal import Pages
internal import Prompts

/// What stands between a request and its route's handler, in this order: the client's limit, other sites' pages, the API
/// token. Pages that may read the route may also read what is refused.
struct Gate: Sendable {
  let hosts: HostNames
  let limiting: RateLimiting
  let crossSite: CrossSite
  let tokens: APITokens
  let cors: CORS
  let headers: SecurityHeaders
  let registry: PromptRegistry
  let own: OwnSentences
  let judging: Judging

  /// Bytes of a body that an event loop can read in a millisecond, whatever they say.
  static let bytesForEventLoop = 8 * 1024

  func reply(to request: Request, by route: Route) -> Reply {
    let reply: Reply
    do throws(Problem) {
      if let limit = route.limit { try limiting.admit(request, as: limit) }
      if request.method == .post { try crossSite.check(request) }
      if route.hasPages, route.method == .get { try checkEmbedder(of: request) }
      if route.caller == .program { try tokens.check(request) }
      if !request.query.isEmpty { try check(request.query, of: request, by: route) }
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

  /// - Throws: `Problem` 400 for a parameter that the route does not take. To pages that people open, mail and chat
  ///   programs append parameters of their own, which are ignored.
  private func check(_ query: Form, of request: Request, by route: Route) throws(Problem) {
    if route.hasPages, request.method != .post, request.wantsPage { return }
    for (name, _) in query where !route.parameters.contains(name) {
      throw Problem(.unknownParameter(name, known: route.parameters))
    }
  }

  /// A page that wants to frame a dialog names its origin in the query. One that may not is told so; otherwise its
  /// browser would only show an empty frame, in which nothing can speak.
  private func checkEmbedder(of request: Request) throws(Problem) {
    guard let text = request.query.values("embedder").first, let embedder = Origin(text),
      !cors.allowed.contains(embedder), request.wantsPage
    else { return }
    var problem = Problem(.embedderNotAllowed(embedder))
    problem.embedder = embedder
    throw problem
  }

  /// Calls the handler, on a background thread if reading the body alone would hold up an event loop.
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

  /// Why the server does not respond to a request for another name than its own, or `nil` if it does. Whoever shows the
  /// API token knows which server it is, and no page has it. Wrong tokens are guesses here too.
  func foreignName(in request: Request) -> Problem? {
    if hosts.include(nameIn: request) { return nil }
    do throws(Problem) {
      if try tokens.isShown(by: request) { return nil }
    } catch {
      if error.status == .tooManyRequests { return error }
    }
    return hosts.problem(with: request)
  }

  /// What a browser asks before a page of an allowed origin posts to this route, or `nil` if no such page may.
  func preflight(of route: Route) -> Router.Handler? {
    guard route.readers == .allowedOrigins, route.method == .post else { return nil }
    return { request in .now(cors.preflight(request, methods: [route.method])) }
  }

  /// A problem as JSON or as a page.
  ///
  /// - Parameter hasPages: whether clients that prefer a page get one.
  func response(to problem: Problem, for request: Request?, hasPages: Bool) -> Response {
    guard hasPages, let request, request.wantsPage else { return problem.response }
    let page =
      problem.page
      ?? registry.pages.problem(
        status: problem.status.rawValue, reason: problem.status.reason, detail: problem.detail,
        outcome: problem.outcome, embedder: problem.embedder?.description,
        in: problem.language.map { Sentences(in: $0) } ?? own.sentences(for: request))
    var response = Response.page(page, problem.status)
    response.headers += problem.headers
    if let embedder = problem.embedder { response.headers += headers.framed(by: embedder) }
    return response
  }
}

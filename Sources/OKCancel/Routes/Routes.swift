internal import Definitions
internal import MicroHTTP

/// Which handler answers what.
struct Routes: Sendable {
  private let router: RouteTable
  private let files: StaticFiles
  private let headers: SecurityHeaders
  private let site: Site
  private let fileMark: Int
  let readiness: Readiness
  /// Requests of each route.
  let requests: RequestCounts

  init(
    site: Site, desk: AskDesk, tokens: APITokens, baseURL: String?, files: StaticFiles, cors: CORS,
    headers: SecurityHeaders, commits: CommitCounts, limiting: RateLimiting
  ) {
    readiness = Readiness(desk.store)
    let (index, prompts, validate, health) = (
      IndexRoute(site: site), PromptRoutes(site: site, desk: desk), ValidateRoutes(site: site),
      HealthRoutes(readiness: readiness)
    )
    func limited(_ action: RateLimits.Action, _ handler: @escaping Router.Handler) -> Router.Handler {
      // People submit; the rest is for programs.
      limiting.guarding(action, handler) {
        action == .submit || action == .open ? site.response(to: $0, for: $1) : $0.response
      }
    }
    var router = RouteTable()
    router.on(.get, "/", site.handler(index.get))
    router.on(.get, "/prompts/:name", cors.sharing(site.handler(prompts.get)))
    router.on(.post, "/prompts/:name", limited(.submit, site.handler(prompts.submit)))
    router.on(.get, "/prompts/:name/rules", cors.sharing(site.data(prompts.rules)))
    router.on(.get, "/prompts/:name/schema", cors.sharing(site.data(prompts.schema)))
    router.on(.get, "/prompts/:name/done", site.handler(prompts.done))
    router.on(.post, "/validate", cors.sharing(limited(.validate, site.data(validate.general))))
    router.on(.options, "/validate", cors.preflight([.post]))
    router.on(.post, "/validate/:name", cors.sharing(limited(.validate, site.data(validate.named))))
    router.on(.options, "/validate/:name", cors.preflight([.post]))
    let (asks, links) = (
      AskRoutes(site: site, desk: desk, tokens: tokens, baseURL: baseURL), LinkRoutes(site: site, desk: desk)
    )
    router.on(.post, "/asks", limited(.create, site.data(asks.create)))
    router.on(.get, "/asks/:id", site.data(asks.get))
    router.on(.get, "/asks/:id/events", site.data(asks.events))
    router.on(.delete, "/asks/:id", site.data(asks.withdraw))
    router.on(.get, "/prompts/:name/answers", site.data(asks.answers))
    router.on(.get, "/receipts/:receipt", site.data(ReceiptRoutes(desk: desk, tokens: tokens).get))
    router.on(.get, "/a/:token", limited(.open, site.handler(links.get)))
    router.on(.post, "/a/:token", limited(.submit, site.handler(links.submit)))
    router.on(.get, "/a/:token/rules", cors.sharing(limited(.open, site.data(links.rules))))
    router.on(.post, "/a/:token/validate", cors.sharing(limited(.validate, site.data(links.validate))))
    router.on(.options, "/a/:token/validate", cors.preflight([.post]))
    router.on(.get, "/a/:token/done", limited(.open, site.handler(links.done)))
    let (format, api) = (
      DocumentRoute(PromptSchema.json, type: "application/schema+json", headers: headers),
      DocumentRoute(OpenAPI.json, type: "application/json", headers: headers)
    )
    router.on(.get, "/prompt.schema.json", format.get)
    router.on(.get, "/openapi.json", api.get)
    router.on(.get, "/healthz", health.alive)
    router.on(.get, "/readyz", health.ready)
    fileMark = router.mark("GET", "files")
    // Last, so that it counts every route, itself included.
    requests = RequestCounts(router.marked + [.init(method: "GET", pattern: "/metrics")])
    let metrics = MetricsRoute(
      tokens: tokens, catalogue: site.catalogue, desk: desk, requests: requests, verdicts: site.verdicts,
      commits: commits)
    router.on(.get, "/metrics", site.data(metrics.get))
    (self.router, self.files, self.headers, self.site) = (router, files, headers, site)
  }

  /// Answers a request; every response leaves with the security headers.
  func reply(to request: Request) -> Reply {
    let reply = router.reply(to: request)
    switch reply {
    // Nearly every reply, which needs no closure that keeps the request, and if it was prepared no change.
    case .now(let response): return response.isPrepared ? reply : .now(finished(response, request))
    // A route comes before a file of the same path.
    case .refused(.notFound):
      guard let reply = files.reply(to: request) else { return .refused(.notFound) }
      request.mark(fileMark)
      return reply.map { finished($0, request) }
    case .later, .parked, .refused: return reply.map { finished($0, request) }
    }
  }

  /// Every route, in the order they were added.
  var list: [(method: Method, pattern: String)] { router.routes }

  /// What the HTTP server refuses by itself, as problem+json or as a page.
  func refuse(_ refusal: Refusal, _ request: Request?) -> Response {
    let isForProgram = request.map { HealthRoutes.paths.contains($0.path) } ?? true
    return finished(site.response(to: Problem(refusal), for: isForProgram ? nil : request), request)
  }

  /// An error carries the request's id, by which its line is found in the log; other responses are
  /// made once for many requests.
  private func finished(_ response: Response, _ request: Request?) -> Response {
    // Those were made with all their headers.
    if response.isPrepared { return response }
    var response = headers.added(to: response)
    if response.status.rawValue >= 400, let request { response.headers.append(("X-Request-Id", request.id)) }
    return response
  }
}

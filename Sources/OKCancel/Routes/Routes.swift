internal import MicroHTTP

/// Every route, and a request's way to its handler and back.
struct Routes: Sendable {
  let table: [Route]
  private let router: Router
  private let gate: Gate
  private let files: StaticFiles
  private let fileMark: Int
  private let headers: SecurityHeaders
  let readiness: Readiness
  /// Requests of each route.
  let requests: RequestCounts

  init(
    service: PromptService, askService: AskService, baseURL: String?, files: StaticFiles, headers: SecurityHeaders,
    commits: CommitCounts,
    gate: Gate
  ) {
    let readiness = Readiness(askService.store)
    let index = IndexRoute(service: service)
    let prompts = PromptRoutes(service: service, askService: askService)
    let validate = ValidateRoutes(service: service)
    let asks = AskRoutes(service: service, askService: askService, baseURL: baseURL)
    let links = LinkRoutes(service: service, askService: askService)
    let receipts = ReceiptRoutes(askService: askService)
    let health = HealthRoutes(readiness: readiness)
    var table = [
      Route(.get, "/", hasPages: true, reply: index.get),
      Route(.get, "/prompts/:name", readableBy: .allowedOrigins, hasPages: true, reply: prompts.get),
      Route(.post, "/prompts/:name", limit: .submit, body: .values, hasPages: true, reply: prompts.submit),
      Route(.get, "/prompts/:name/rules", readableBy: .allowedOrigins, reply: prompts.rules),
      Route(.get, "/prompts/:name/schema", readableBy: .allowedOrigins, reply: prompts.schema),
      Route(.get, "/prompts/:name/done", hasPages: true, reply: prompts.done),
      Route(.get, "/prompts/:name/answers", for: .program, reply: asks.answers),
      Route(.post, "/validate", readableBy: .allowedOrigins, limit: .validate, reply: validate.general),
      Route(
        .post, "/validate/:name", readableBy: .allowedOrigins, limit: .validate, body: .values, reply: validate.named),
      Route(.post, "/asks", for: .program, limit: .create, reply: asks.create),
      Route(.get, "/asks/:id", for: .program, reply: asks.get),
      Route(.get, "/asks/:id/events", for: .program, reply: asks.events),
      Route(.delete, "/asks/:id", for: .program, reply: asks.withdraw),
      Route(.get, "/receipts/:receipt", for: .program, reply: receipts.get),
      Route(.get, "/a/:token", for: .person, limit: .open, hasPages: true, reply: links.get),
      Route(.post, "/a/:token", for: .person, limit: .submit, body: .values, hasPages: true, reply: links.submit),
      Route(.get, "/a/:token/rules", for: .person, readableBy: .allowedOrigins, limit: .open, reply: links.rules),
      Route(
        .post, "/a/:token/validate", for: .person, readableBy: .allowedOrigins, limit: .validate, body: .values,
        reply: links.validate),
      Route(.get, "/a/:token/done", for: .person, limit: .open, hasPages: true, reply: links.done),
      Route(.get, "/healthz", checksHost: false, reply: health.alive),
      Route(.get, "/readyz", checksHost: false, reply: health.ready),
    ]
    // Last, since it tells the requests of every route, its own among them.
    let labels =
      table.map(\.label) + [.init(method: "GET", pattern: "/metrics"), .init(method: "GET", pattern: "files")]
    let requests = RequestCounts(labels)
    let metrics = MetricsRoute(
      registry: service.registry, askService: askService, requests: requests, verdicts: service.verdicts,
      commits: commits,
      tokens: gate.tokens)
    table.append(Route(.get, "/metrics", for: .program, reply: metrics.get))

    var router = Router()
    for (place, route) in table.enumerated() {
      router.on(route.method, route.pattern, bodyLimit: route.body.bytes) { request in
        request.mark(place + 1)
        return gate.reply(to: request, by: route)
      }
      if let preflight = gate.preflight(of: route) { router.on(.options, route.pattern, preflight) }
    }
    (self.table, self.router, self.gate, fileMark) = (table, router, gate, labels.count)
    (self.files, self.headers, self.readiness, self.requests) = (files, headers, readiness, requests)
  }

  /// Answers a request; every response leaves with the security headers.
  func reply(to request: Request) -> Reply {
    if let foreign = gate.foreignName(in: request), checksHost(request) {
      return .now(finished(gate.response(to: foreign, for: request, hasPages: true), request))
    }
    let reply = router.reply(to: request)
    switch reply {
    // Nearly every reply: it needs no closure that keeps the request, and no change if it was prepared.
    case .now(let response):
      return response.isPrepared && !headers.lack(hstsIn: request) ? reply : .now(finished(response, request))
    // A route comes before a file of the same path.
    case .refused(.notFound):
      guard let reply = files.reply(to: request) else { return .refused(.notFound) }
      request.mark(fileMark)
      return reply.map { finished($0, request) }
    case .later, .parked, .refused: return reply.map { finished($0, request) }
    }
  }

  /// How many bytes of body the request's route takes; nil: as many as others.
  func bodyLimit(of request: Request) -> Int? { router.bodyLimit(of: request) }

  /// What the HTTP server refuses by itself, as problem+json or as a page.
  func refuse(_ refusal: HTTPError, _ request: Request?) -> Response {
    // Whoever looks at these reads JSON, whatever it accepts.
    finished(gate.response(to: Problem(refusal), for: request, hasPages: request.map(checksHost) ?? true), request)
  }

  /// False for the routes that monitors ask for, by whatever name leads here.
  private func checksHost(_ request: Request) -> Bool {
    let path = request.path
    return !table.contains { !$0.checksHost && $0.pattern == path }
  }

  /// An error carries the request's id, by which its line is found in the log; other responses are
  /// made once for many requests.
  private func finished(_ response: Response, _ request: Request?) -> Response {
    var response = headers.added(to: response, for: request)
    // Those were made with all their headers.
    if response.isPrepared { return response }
    if response.status.rawValue >= 400, let request { response.headers.append(("X-Request-Id", request.id)) }
    return response
  }
}

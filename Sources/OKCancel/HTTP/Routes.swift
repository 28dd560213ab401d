internal import MicroHTTP
internal import Prompts

/// What the server responds at one path by one method, and what is checked before the handler is called. Whatever
/// differs between routes is said here and nowhere else.
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
  /// Whether it only responds under the server's own names. If not, its path has no parameters.
  let checksHost: Bool
  /// The query parameters that it takes.
  let parameters: [String]
  /// What it counts as, or `nil` if a client may call it as often as it likes.
  let limit: RateLimits.Action?
  /// How long its body may be.
  let body: Body.Limits
  /// Whether problems come as pages to clients that prefer HTML.
  let hasPages: Bool
  let reply: @Sendable (Request) throws(Problem) -> Reply

  init(
    _ method: Method, _ pattern: String, for caller: Caller = .anybody, readableBy readers: Readers = .own,
    checksHost: Bool = true, query parameters: [String] = [], limit: RateLimits.Action? = nil,
    body: Body.Limits = .usual, hasPages: Bool = false,
    reply: @escaping @Sendable (Request) throws(Problem) -> Reply
  ) {
    (self.method, self.pattern, self.caller, self.readers) = (method, pattern, caller, readers)
    (self.checksHost, self.parameters, self.limit, self.body) = (checksHost, parameters, limit, body)
    (self.hasPages, self.reply) = (hasPages, reply)
  }

  /// What metrics call it, with the path as documents write it: `/prompts/{name}`.
  var label: RequestCounts.Route {
    let segments = pattern.split(separator: "/", omittingEmptySubsequences: false)
    let words = segments.map { $0.hasPrefix(":") ? "{\($0.dropFirst())}" : String($0) }
    return .init(method: method.token, pattern: words.joined(separator: "/"))
  }
}

/// Every route, and a request's way to its handler and back.
struct Routes: Sendable {
  let table: [Route]
  private let router: Router
  private let gate: Gate
  private let registry: PromptRegistry
  private let fileMark: Int
  private let headers: SecurityHeaders
  /// The paths that respond under any name, as the table says: monitors ask for them.
  private let pathsForAnyHost: Set<String>
  let readiness: Readiness
  let asks: AskRoutes
  /// Requests of each route.
  let requests: RequestCounts

  init(
    prompts promptService: PromptService, asks askService: AskService, baseURL: String?, language: Language,
    headers: SecurityHeaders, commits: CommitCounts, watch: WatchRoute?, gate: Gate
  ) {
    let readiness = Readiness(askService.store)
    let prompts = PromptRoutes(prompts: promptService, asks: askService)
    let answers = AnswerRoutes(prompts: promptService, asks: askService)
    let validate = ValidateRoutes(prompts: promptService)
    let asks = AskRoutes(prompts: promptService, asks: askService, baseURL: baseURL, language: language)
    let mcp = MCPRoute(asks: asks, readiness: readiness)
    let links = LinkRoutes(prompts: promptService, asks: askService)
    let health = HealthRoutes(readiness: readiness)
    var table = [
      Route(.get, "/", query: ["lang"], hasPages: true, reply: prompts.index),
      Route(
        .get, "/prompts/:name", readableBy: .allowedOrigins, query: ["lang", "embedder"], hasPages: true,
        reply: prompts.get),
      Route(
        .post, "/prompts/:name", query: ["lang", "receipt", "subject"], limit: .submit, body: .values, hasPages: true,
        reply: prompts.submit),
      Route(.get, "/prompts/:name/rules", readableBy: .allowedOrigins, query: ["lang"], reply: prompts.rules),
      Route(.get, "/prompts/:name/schema", readableBy: .allowedOrigins, query: ["lang"], reply: prompts.schema),
      Route(.get, "/prompts/:name/done", query: ["outcome", "lang"], hasPages: true, reply: prompts.done),
      Route(.get, "/prompts/:name/answers", for: .program, query: ["after"], reply: answers.all),
      Route(
        .post, "/validate", readableBy: .allowedOrigins, query: ["lang"], limit: .validate, reply: validate.general),
      Route(
        .post, "/validate/:name", readableBy: .allowedOrigins, query: ["only", "lang"], limit: .validate,
        body: .values, reply: validate.named),
      Route(.post, "/asks", for: .program, limit: .create, reply: asks.create),
      Route(.get, "/asks", for: .program, query: ["status", "prompt", "after"], reply: asks.list),
      Route(.get, "/asks/:id", for: .program, query: ["wait"], reply: asks.get),
      Route(.get, "/asks/:id/events", for: .program, reply: asks.events),
      Route(.delete, "/asks/:id", for: .program, reply: asks.withdraw),
      Route(.post, "/mcp", for: .program, reply: mcp.post),
      Route(.get, "/receipts/:receipt", for: .program, reply: answers.receipt),
      Route(
        .get, "/a/:token", for: .person, query: ["lang", "embedder"], limit: .open, hasPages: true, reply: links.get),
      Route(
        .post, "/a/:token", for: .person, query: ["lang", "receipt"], limit: .submit, body: .values, hasPages: true,
        reply: links.submit),
      Route(
        .get, "/a/:token/rules", for: .person, readableBy: .allowedOrigins, query: ["lang"], limit: .open,
        reply: links.rules),
      Route(
        .post, "/a/:token/validate", for: .person, readableBy: .allowedOrigins, query: ["only", "lang"],
        limit: .validate, body: .values, reply: links.validate),
      Route(
        .get, "/a/:token/done", for: .person, query: ["outcome", "lang"], limit: .open, hasPages: true,
        reply: links.done),
      Route(.get, "/healthz", checksHost: false, reply: health.alive),
      Route(.get, "/readyz", checksHost: false, reply: health.ready),
    ]
    if let watch { table.append(Route(.get, "/watch", reply: watch.get)) }
    // Last, since it reports the requests of every route, its own included.
    let labels =
      table.map(\.label) + [.init(method: "GET", pattern: "/metrics"), .init(method: "GET", pattern: "files")]
    let requests = RequestCounts(labels)
    let metrics = MetricsRoute(
      prompts: promptService, asks: askService, requests: requests, commits: commits, tokens: gate.tokens)
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
    (self.headers, self.readiness, self.asks, self.requests) = (headers, readiness, asks, requests)
    registry = promptService.registry
    pathsForAnyHost = Set(table.filter { !$0.checksHost }.map(\.pattern))
  }

  /// Every response leaves with the security headers.
  func reply(to request: Request) -> Reply {
    if let foreign = gate.foreignName(in: request), !pathsForAnyHost.contains(request.path) {
      return .now(finished(gate.response(to: foreign, for: request, hasPages: true), request))
    }
    let reply = router.reply(to: request)
    switch reply {
    // Nearly every reply: it needs no closure that keeps the request, and no change if it was prepared.
    case .now(let response):
      return response.isPrepared && !headers.lack(hstsIn: request) ? reply : .now(finished(response, request))
    // A route comes before a file of the same path.
    case .refused(.notFound):
      guard let reply = registry.files.reply(to: request) else { return .refused(.notFound) }
      request.mark(fileMark)
      return reply.map { finished($0, request) }
    case .later, .parked, .refused: return reply.map { finished($0, request) }
    }
  }

  /// How many bytes of body the request's route takes, or `nil` for the server's usual limit.
  func bodyLimit(of request: Request) -> Int? { router.bodyLimit(of: request) }

  /// What the HTTP server refuses by itself, as problem+json or as a page.
  func refuse(_ refusal: HTTPError, _ request: Request?) -> Response {
    // Monitors read JSON, whatever they accept.
    let hasPages = request.map { !pathsForAnyHost.contains($0.path) } ?? true
    return finished(gate.response(to: Problem(.http(refusal)), for: request, hasPages: hasPages), request)
  }

  /// An error carries the request's id, by which its line is found in the log.
  private func finished(_ response: Response, _ request: Request?) -> Response {
    var response = headers.added(to: response, for: request)
    // Made once for many requests, with all its headers.
    if response.isPrepared { return response }
    if response.status.rawValue >= 400, let request { response.headers.append(("X-Request-Id", request.id)) }
    return response
  }
}

extension Response {
  static func json(_ bytes: [UInt8], _ status: Status = .ok) -> Response {
    Response(status, type: "application/json", bytes: bytes)
  }

  static func page(_ html: [UInt8], _ status: Status = .ok) -> Response {
    Response(status, type: "text/html; charset=utf-8", bytes: html)
  }
}

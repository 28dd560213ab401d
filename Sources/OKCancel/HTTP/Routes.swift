internal import Asks
internal import MicroHTTP
internal import Prompts

/// Every route, and the way of a request: `MicroHTTP` reads and checks it, and calls the four functions of `Application`
/// in this order.
final class Routes: Application {
  let table: [Route]
  private let router: Router
  /// Serves static files, for paths without a route.
  private let files: Router.Choice
  private let gate: Gate
  private let headers: SecurityHeaders
  private let asks: AskService
  let desk: AnswerDesk
  /// The paths that respond under any name, as the table says: monitors ask for them.
  private let pathsForAnyHost: Set<String>
  private let signIn: SignIn
  private let log: (@Sendable (RequestRecord) -> Void)?
  let readiness: Readiness
  /// Tells open pages about changes, or `nil` if none is watched.
  let watch: WatchRoute?
  /// Requests of each route.
  let requests: RequestCounts

  /// What the paths of all routes begin with.
  static let names = [
    ".well-known", "a", "asks", "files", "healthz", "hook", "mcp", "metrics", "prompts", "readyz", "receipts",
    "validate", "watch",
  ]

  init(
    _ configuration: Configuration, _ askService: AskService, _ desk: AnswerDesk,
    _ predicateFailures: PredicateFailures, _ agreement: PromptAgreement?, _ commits: CommitCounts,
    log: (@Sendable (RequestRecord) -> Void)?
  ) {
    self.desk = desk
    let registry = askService.registry
    let gate = Gate(configuration, desk.judging.limiting)
    let readiness = Readiness(askService.store)
    let index = IndexRoute(asks: askService)
    let prompts = DialogRoutes<StandingPrompt>(asks: askService, desk: desk) { visit throws(Problem) in
      .now(try askService.prompt(for: visit))
    }
    let answers = AnswerRoutes(asks: askService)
    let validate = ValidateRoutes(asks: askService, desk: desk)
    let asks = AskRoutes(asks: askService)
    let mcp = MCPRoute(asks: askService, readiness: readiness)
    let hook = HookRoute(asks: askService)
    let links = DialogRoutes<LinkedAsk>(asks: askService, desk: desk) { visit in
      .later { () throws(Problem) in try await askService.ask(for: visit) }
    }
    var table = [
      Route(.get, "/", query: ["lang"], hasPages: true, reply: index.get),
      Route(
        .get, "/prompts/:name", readableBy: .allowedOrigins, query: ["lang", "embedder"], hasPages: true,
        reply: prompts.get),
      Route(
        .post, "/prompts/:name", query: ["lang", "receipt", "subject"], limit: .submit, body: .values, hasPages: true,
        reply: prompts.submit),
      Route(.get, "/prompts/:name/rules", readableBy: .allowedOrigins, query: ["lang"], reply: prompts.rules),
      Route(.get, "/prompts/:name/schema", readableBy: .allowedOrigins, query: ["lang"], reply: prompts.schema),
      Route(.get, "/prompts/:name/done", query: ["outcome", "lang"], hasPages: true, reply: prompts.done),
      Route(.get, "/prompts/:name/answers", for: .program(.answers), query: ["after", "limit"], reply: answers.all),
      Route(
        .post, "/validate", readableBy: .allowedOrigins, query: ["lang"], limit: .validate, reply: validate.general),
      Route(
        .post, "/validate/:name", readableBy: .allowedOrigins, query: ["only", "lang"], limit: .validate,
        body: .values, reply: prompts.validate),
      Route(.post, "/asks", for: .program(.ask), limit: .create, body: .question, reply: asks.create),
      Route(.get, "/asks", for: .program(.answers), query: ["status", "prompt", "after", "limit"], reply: asks.list),
      Route(.get, "/asks/:id", for: .program(.ask), query: ["wait"], reply: asks.get),
      Route(.get, "/asks/:id/events", for: .program(.ask), reply: asks.events),
      Route(.patch, "/asks/:id", for: .program(.ask), reply: asks.change),
      Route(.put, "/asks/:id/result", for: .program(.ask), reply: asks.finish),
      Route(.delete, "/asks/:id", for: .program(.ask), reply: asks.withdraw),
      Route(.post, "/mcp", for: .program(.ask), query: ["for"], reply: mcp.post),
      Route(.post, "/hook", for: .program(.ask), query: HookRoute.query, body: HookRoute.body, reply: hook.post),
      Route(.get, "/receipts/:receipt", for: .program(.answers), reply: answers.receipt),
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
      Route(.get, "/healthz", checksHost: false, reply: readiness.alive),
      Route(.get, "/readyz", checksHost: false, reply: readiness.ready),
    ]
    watch = registry.pages.watchedVersion.map { WatchRoute($0, gate.origins) }
    if let watch { table.append(Route(.get, "/watch", reply: watch.get)) }
    if let contact = configuration.securityContact {
      let text = SecurityText(contact: contact, clock: askService.store.clock)
      table.append(Route(.get, "/.well-known/security.txt", reply: text.get))
    }
    // Last, since it reports the requests of every route, its own included.
    let labels =
      table.map(\.label) + [.init(method: "GET", pattern: "/metrics"), .init(method: "GET", pattern: "files")]
    let requests = RequestCounts(labels)
    let metrics = MetricsRoute(
      asks: askService, verdicts: desk.counts, predicateFailures: predicateFailures, agreement: agreement,
      requests: requests, commits: commits, tokens: gate.tokens)
    table.append(Route(.get, "/metrics", for: .program(.metrics), reply: metrics.get))

    var router = Router()
    for (place, route) in table.enumerated() {
      @Sendable func handler(for visitor: Visitor) -> Handler {
        Handler(route: place, bodyLimit: route.body.bytes) { request in
          let visit = Visit(request: request, route: route, visitor: visitor)
          guard visitor.assertion != nil else { return try route.reply(to: visit, judging: askService.judging) }
          return .later {
            let known = Visit(request: request, route: route, visitor: try await gate.identified(visitor))
            switch try route.reply(to: known, judging: askService.judging) {
            case .now(let response): return response
            case .later(let work): return try await work()
            }
          }
        }
      }
      let forAnybody = handler(for: Visitor())
      router.on(route.method, route.pattern) { head in
        do throws(Problem) { return try gate.admit(head, to: route).map(handler) ?? forAnybody } catch {
          return Handler(refusing: error, route: place)
        }
      }
      // What a browser asks before a page of an allowed origin posts here.
      if route.readers == .allowedOrigins, route.method == .post {
        router.on(.options, route.pattern) { .now(gate.origins.preflight($0, methods: [route.method])) }
      }
    }
    files = { head in
      guard registry.files.hasFile(at: head.path) else { return Handler(refusing: HTTPError.notFound) }
      return Handler(route: labels.count - 1) { request in
        guard let reply = try registry.files.reply(to: request) else { throw HTTPError.notFound }
        return reply
      }
    }
    self.table = table
    self.router = router
    self.gate = gate
    headers = SecurityHeaders(configuration)
    self.asks = askService
    signIn = SignIn(configuration)
    self.log = log
    self.readiness = readiness
    self.requests = requests
    pathsForAnyHost = Set(table.filter { !$0.checksHost }.map(\.pattern))
  }

  /// Checks signed tokens that say who visitors are, or `nil` if there are none.
  var checker: TokenChecker? { gate.identification?.checker }

  /// True if the server responds to every name.
  var hostsAreUnknown: Bool { gate.hosts.areUnknown }

  /// Finds the handler of a request: a route, else the static files. A request for a foreign name is refused.
  func handler(for head: Request) -> Handler {
    if let foreign = gate.foreignName(in: head), !pathsForAnyHost.contains(head.path) {
      return Handler(refusing: foreign)
    }
    if let forged = gate.forgedIdentity(in: head), !pathsForAnyHost.contains(head.path) {
      return Handler(refusing: forged)
    }
    if let link = mended(head) {
      return Handler { _ in .now(Response(.seeOther, headers: [("Location", link)])) }
    }
    // A route comes before a file of the same path.
    return router.route(head) ?? files(head)
  }

  /// The target of a link that is followed by a character of the text around it, such as `)` or `.`; relative to its
  /// own address, or `nil` for any other path.
  private func mended(_ head: Request) -> String? {
    guard head.isRead, head.hasPath(under: "/a/") else { return nil }
    let rest = head.path.dropFirst("/a/".count), tail = rest.drop { !".,;:!?)]}>'\"*/".contains($0) }
    let token = rest.dropLast(tail.count)
    guard !tail.isEmpty, LinkToken(String(token)) != nil, tail.allSatisfy({ !$0.isLetter && !$0.isNumber }) else {
      return nil
    }
    return tail.filter { $0 == "/" }.map { _ in "../" }.joined() + token
  }

  /// A problem as JSON, or as a page if the route has pages and the client names HTML.
  func response(to error: any Error, request: Request?, route: Int?) -> Response {
    var problem = error as? Problem ?? Problem(error as? HTTPError ?? .internalError)
    if let request, problem.note == .signInFirst { problem.signIn = signIn.link(from: request) }
    if let request, problem.status == .tooManyRequests { asks.judging.limiting.warn(ofProxyBefore: request) }
    let wantsPage =
      request.map {
        $0.prefers("text/html", over: "application/json") && hasPages(for: $0, self.route(route), error)
      } ?? (error as? HTTPError)?.isForPage
    guard wantsPage == true else { return problem.response }
    let isOfQuestion = request.map { ["/a/", "/prompts/"].contains(where: $0.path.hasPrefix) } ?? false
    let page =
      problem.page
      ?? asks.registry.pages.problem(
        status: problem.status.rawValue, isOfQuestion: isOfQuestion, reason: problem.status.reason,
        detail: problem.detail, outcome: problem.outcome, embedder: problem.embedder?.description, by: problem.by,
        afterwards: problem.afterwards, typed: problem.typed,
        about: problem.note, signIn: problem.signIn,
        in: problem.language.map { Sentences(in: $0) } ?? request?.sentences(orElse: asks.registry.sentences)
          ?? asks.registry.sentences)
    var response = Response.page(page, problem.status)
    response.headers += problem.headers
    if let embedder = problem.embedder { response.headers += headers.framed(by: embedder) }
    return response
  }

  private func hasPages(for request: Request, _ route: Route?, _ error: any Error) -> Bool {
    if error is Problem, let route { return route.hasPages }
    // Monitors read JSON, whatever they accept.
    return !pathsForAnyHost.contains(request.path)
  }

  /// Every response leaves with the security headers. An error carries the request's id, by which its line is found in
  /// the log.
  func finished(_ response: consuming Response, for request: Request?, route: Int?) -> Response {
    guard let request else { return headers.added(to: response, for: nil) }
    if self.route(route)?.readers == .allowedOrigins { gate.origins.share(&response, with: request) }
    // Nearly every response: made once for many requests, with all its headers.
    if response.isPrepared, !headers.lack(hstsIn: request) { return response }
    response = headers.added(to: response, for: request)
    if response.status.rawValue >= 400 { response.headers.append(("X-Request-Id", request.id)) }
    return response
  }

  /// Counts it and writes its line in the log.
  func completed(_ request: CompletedRequest) {
    requests.count(request)
    log?(RequestRecord(request))
  }

  /// `nil` for what is no route of the table, such as a file.
  private func route(_ place: Int?) -> Route? {
    place.flatMap { table.indices.contains($0) ? table[$0] : nil }
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

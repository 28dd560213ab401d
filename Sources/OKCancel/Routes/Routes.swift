internal import MicroHTTP

/// Which handler answers what.
struct Routes: Sendable {
  private let router: Router
  private let files: StaticFiles
  private let headers: SecurityHeaders
  private let site: Site

  init(site: Site, files: StaticFiles, headers: SecurityHeaders) {
    let (index, prompts, validate, health) = (
      IndexRoute(site: site), PromptRoutes(site: site), ValidateRoutes(site: site), HealthRoutes()
    )
    var router = Router()
    router.on(.get, "/", site.handler(index.get))
    router.on(.get, "/prompts/:name", site.handler(prompts.get))
    router.on(.post, "/prompts/:name", site.handler(prompts.submit))
    router.on(.get, "/prompts/:name/rules", site.handler(prompts.rules))
    router.on(.get, "/prompts/:name/schema", site.handler(prompts.schema))
    router.on(.get, "/prompts/:name/done", site.handler(prompts.done))
    router.on(.post, "/validate", site.handler(validate.general))
    router.on(.post, "/validate/:name", site.handler(validate.named))
    router.on(.get, "/prompt.schema.json", DefinitionSchemaRoute(headers: headers).get)
    router.on(.get, "/healthz", health.alive)
    router.on(.get, "/readyz", health.ready)
    (self.router, self.files, self.headers, self.site) = (router, files, headers, site)
  }

  /// Answers a request; every response leaves with the security headers.
  func reply(to request: Request) -> Reply {
    switch files.reply(to: request) ?? router.reply(to: request) {
    case .now(let response): .now(headers.added(to: response))
    case .later(let answer): .later { headers.added(to: await answer()) }
    case .refused(let refusal): .refused(refusal)
    }
  }

  /// What the HTTP server refuses by itself, as problem+json or as a page.
  func refuse(_ refusal: Refusal, _ request: Request?) -> Response {
    headers.added(to: site.response(to: Problem(refusal), for: request))
  }
}

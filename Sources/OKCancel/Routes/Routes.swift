internal import Definitions
internal import MicroHTTP

/// Which handler answers what.
struct Routes: Sendable {
  private let router: Router
  private let files: StaticFiles
  private let headers: SecurityHeaders
  private let site: Site

  init(
    site: Site, desk: AskDesk, tokens: APITokens, baseURL: String?, files: StaticFiles, cors: CORS,
    headers: SecurityHeaders
  ) {
    let (index, prompts, validate, health) = (
      IndexRoute(site: site), PromptRoutes(site: site, desk: desk), ValidateRoutes(site: site), HealthRoutes()
    )
    var router = Router()
    router.on(.get, "/", site.handler(index.get))
    router.on(.get, "/prompts/:name", cors.sharing(site.handler(prompts.get)))
    router.on(.post, "/prompts/:name", site.handler(prompts.submit))
    router.on(.get, "/prompts/:name/rules", cors.sharing(site.data(prompts.rules)))
    router.on(.get, "/prompts/:name/schema", cors.sharing(site.data(prompts.schema)))
    router.on(.get, "/prompts/:name/done", site.handler(prompts.done))
    router.on(.post, "/validate", cors.sharing(site.data(validate.general)))
    router.on(.options, "/validate", cors.preflight([.post]))
    router.on(.post, "/validate/:name", cors.sharing(site.data(validate.named)))
    router.on(.options, "/validate/:name", cors.preflight([.post]))
    let (asks, links) = (
      AskRoutes(site: site, desk: desk, tokens: tokens, baseURL: baseURL), LinkRoutes(site: site, desk: desk)
    )
    router.on(.post, "/asks", site.data(asks.create))
    router.on(.get, "/asks/:id", site.data(asks.get))
    router.on(.get, "/asks/:id/events", site.data(asks.events))
    router.on(.delete, "/asks/:id", site.data(asks.withdraw))
    router.on(.get, "/prompts/:name/answers", site.data(asks.answers))
    router.on(.get, "/receipts/:receipt", site.data(ReceiptRoutes(desk: desk, tokens: tokens).get))
    router.on(.get, "/a/:token", site.handler(links.get))
    router.on(.post, "/a/:token", site.handler(links.submit))
    router.on(.get, "/a/:token/rules", cors.sharing(site.data(links.rules)))
    router.on(.post, "/a/:token/validate", cors.sharing(site.data(links.validate)))
    router.on(.options, "/a/:token/validate", cors.preflight([.post]))
    router.on(.get, "/a/:token/done", site.handler(links.done))
    let (format, api) = (
      DocumentRoute(PromptSchema.json, type: "application/schema+json", headers: headers),
      DocumentRoute(OpenAPI.json, type: "application/json", headers: headers)
    )
    router.on(.get, "/prompt.schema.json", format.get)
    router.on(.get, "/openapi.json", api.get)
    router.on(.get, "/healthz", health.alive)
    router.on(.get, "/readyz", health.ready)
    (self.router, self.files, self.headers, self.site) = (router, files, headers, site)
  }

  /// Answers a request; every response leaves with the security headers.
  func reply(to request: Request) -> Reply {
    switch router.reply(to: request) {
    case .now(let response): .now(headers.added(to: response))
    case .later(let answer): .later { headers.added(to: await answer()) }
    // Files were made with the headers. A route comes before a file of the same path.
    case .refused(.notFound): files.reply(to: request) ?? .refused(.notFound)
    case .refused(let refusal): .refused(refusal)
    }
  }

  /// Every route, in the order they were added.
  var list: [(method: Method, pattern: String)] { router.routes }

  /// What the HTTP server refuses by itself, as problem+json or as a page.
  func refuse(_ refusal: Refusal, _ request: Request?) -> Response {
    headers.added(to: site.response(to: Problem(refusal), for: request))
  }
}

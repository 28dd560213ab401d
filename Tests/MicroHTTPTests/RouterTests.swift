import MicroHTTP
import Testing

@Suite struct `A router` {
  static let router: Router = {
    var router = Router()
    func on(_ method: Method, _ pattern: String) {
      router.on(method, pattern) { request in
        let values = ["name", "id"].compactMap { request.parameters[$0] }.joined(separator: ",")
        return .now(Response(.ok, type: "text/plain", text: "\(method) \(pattern) \(values)"))
      }
    }
    on(.get, "/")
    on(.get, "/prompts/:name")
    on(.post, "/prompts/:name")
    on(.get, "/prompts/:name/rules")
    on(.get, "/prompts/new")
    on(.get, "/:name/:id")
    on(.head, "/own")
    on(.get, "/own")
    on(.options, "/own")
    return router
  }()

  @Test(arguments: [
    (Method.get, "/", "GET / "), (.head, "/", "GET / "), (.get, "/prompts/a", "GET /prompts/:name a"),
    (.post, "/prompts/a", "POST /prompts/:name a"), (.get, "/prompts/new", "GET /prompts/new "),
    (.post, "/prompts/new", "405 GET, HEAD, OPTIONS"), (.get, "/prompts/a/rules", "GET /prompts/:name/rules a"),
    (.get, "/x/y%20z", "GET /:name/:id x,y z"), (.get, "/prompts/", "404"), (.get, "/prompts", "404"),
    (.get, "/prompts/a/", "404"), (.get, "//", "404"), (.get, "/a/b/c/d", "404"),
    (.delete, "/prompts/a", "405 GET, HEAD, POST, OPTIONS"), (.options, "/prompts/a", "204 GET, HEAD, POST, OPTIONS"),
    (.head, "/own", "HEAD /own "), (.options, "/own", "OPTIONS /own "), (.delete, "/own", "405 HEAD, GET, OPTIONS"),
    (.options, "*", "204 GET, HEAD, OPTIONS"), (.options, "/nothing", "404"),
  ])
  func `finds the route of a request`(method: Method, target: String, expected: String) throws {
    let answer =
      switch Self.router.reply(to: try Request(method, target)) {
      case .now(let response):
        if case .bytes(let bytes) = response.body, response.status == .ok {
          String(decoding: bytes, as: UTF8.self)
        } else {
          "\(response.status) \(response.header("allow") ?? "")"
        }
      case .refused(.methodNotAllowed(let allowed)): "405 " + allowed.map(\.token).joined(separator: ", ")
      case .refused(let refusal): "\(refusal.status)"
      case .later, .parked: "later"
      }
    #expect(answer == expected)
  }
}

@Suite struct `Accept` {
  @Test(
    arguments: [
      (nil, false), ("*/*", false), ("application/json", true), ("Application/JSON", true),
      ("text/html", false), ("text/html, application/json", true), ("application/json, text/html;q=0.9", true),
      ("application/json;q=0, text/html;q=0", false), ("application/*, text/*", false),
      ("application/json;q=0.5, text/html", false), ("application/json, text/plain, */*", true),
      ("application/*, text/html;q=0.1", true), ("application/*;q=0.1, */*", false),
      ("application/json;q=0, */*;q=0.1", false), ("text/html;q=0, */*", true),
      ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", false),
      ("application/json ; q=0.001", true), ("application/json;q=2", false), ("application/json;q=1.001", false),
      ("application/json;version=1", true), ("application/json; charset=utf-8; q=0.5, text/html;q=0.4", true),
      (",,application/json,,", true), ("application/problem+json", false),
    ] as [(String?, Bool)])
  func `is weighed`(accept: String?, prefersJSON: Bool) throws {
    let request = try Request(.get, "/", headers: accept.map { [("Accept", $0)] } ?? [])
    #expect(request.prefers("application/json", over: "text/html") == prefersJSON)
  }
}

import Testing

@testable import MicroHTTP

@Suite struct `A router` {
  static let router: Router = {
    var router = Router()
    func on(_ method: Method, _ pattern: String) {
      router.on(method, pattern) { request in
        let values = ["name", "id"].compactMap { request.segment($0) }.joined(separator: ",")
        return .now(.text("\(method) \(pattern) \(values)"))
      }
    }
    on(.get, "/")
    on(.get, "/prompts/:name")
    on(.post, "/prompts/:name")
    on(.get, "/prompts/:name/rules")
    on(.get, "/prompts/new")
    on(.get, "/x/:id")
    on(.head, "/own")
    on(.get, "/own")
    on(.options, "/own")
    return router
  }()

  @Test(
    arguments: [
      (Method.post, "/a/1", 9), (.get, "/a/1", nil), (.post, "/a/b", nil), (.post, "/b", nil), (.delete, "/a/1", nil),
    ] as [(Method, String, Int?)])
  func `knows how long a route's body may be`(method: Method, target: String, limit: Int?) throws {
    var router = Router()
    router.on(.get, "/a/:id") { _ in throw HTTPError.notFound }
    router.on(.post, "/a/:id", bodyLimit: 9) { _ in throw HTTPError.notFound }
    router.on(.post, "/a/b") { _ in throw HTTPError.notFound }
    #expect(RoutedApplication(router).handler(for: try Request(method, target)).bodyLimit == limit)
  }

  /// ASVS 1.1.1 | decoding once, before use | targets and forms are decoded once, then matched
  @Test(arguments: [
    (Method.get, "/", "GET / "), (.head, "/", "GET / "), (.get, "/prompts/a", "GET /prompts/:name a"),
    (.post, "/prompts/a", "POST /prompts/:name a"), (.get, "/prompts/new", "GET /prompts/new "),
    (.post, "/prompts/new", "405 GET, HEAD, OPTIONS"), (.get, "/prompts/a/rules", "GET /prompts/:name/rules a"),
    (.get, "/x/y%20z", "GET /x/:id y z"), (.get, "/x/a%2541%C3%A9", "GET /x/:id a%41é"),
    (.get, "/prompts/", "404"), (.get, "/prompts", "404"),
    (.get, "/prompts/a/", "404"), (.get, "/prompts/a/b/rules", "404"), (.get, "/prompts//rules", "404"),
    (.get, "/prompts/rules", "GET /prompts/:name rules"), (.get, "//", "404"), (.get, "/a/b/c/d", "404"),
    (.delete, "/prompts/a", "405 GET, HEAD, POST, OPTIONS"), (.options, "/prompts/a", "204 GET, HEAD, POST, OPTIONS"),
    (.head, "/own", "HEAD /own "), (.options, "/own", "OPTIONS /own "), (.delete, "/own", "405 HEAD, GET, OPTIONS"),
    (.options, "*", "204 GET, HEAD, OPTIONS"), (.options, "/nothing", "404"),
  ])
  func `finds the route of a request`(method: Method, target: String, expected: String) throws {
    let answer: String
    do {
      let reply = try Self.reply(of: Self.router, to: try Request(method, target))
      guard case .now(let response) = reply else { fatalError("no route of these waits") }
      let isFound = response.status == .ok
      answer = isFound ? Self.text(reply) ?? "" : "\(response.status) \(response.header("allow") ?? "")"
    } catch let error as HTTPError {
      answer = (["\(error.status)"] + error.headers.map(\.value)).joined(separator: " ")
    }
    #expect(answer == expected)
  }

  static func reply(of router: Router, to request: Request) throws -> Reply {
    try RoutedApplication(router).handler(for: request).reply(request)
  }

  static func text(_ reply: Reply) -> String? {
    guard case .now(let response) = reply, case .bytes(let bytes) = response.body else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `gives a handler only the parameters of its own route`() throws {
    var router = Router()
    for pattern in ["/:first/and", "/plain/:second"] {
      router.on(.get, pattern) { request in
        let values = ["first", "second", "third"].map { request.segment($0) ?? "-" }
        return .now(.text(values.joined(separator: " ")))
      }
    }
    #expect(Self.text(try Self.reply(of: router, to: Request(.get, "/%C3%A9/and"))) == "é - -")
    #expect(Self.text(try Self.reply(of: router, to: Request(.get, "/plain/b"))) == "- b -")
  }

  @Test func `forgets a route that another request had`() throws {
    let request = try Request(.get, "/prompts/a")
    _ = RoutedApplication(Self.router).handler(for: request)
    #expect(request.segment("name") == "a")
    _ = RoutedApplication(Router()).handler(for: request)
    #expect(request.segment("name") == nil)
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
      (",,application/json,,", true), ("application/problem+json", false), ("\tapplication/json\t;\tq=0.9\t", true),
      ("application/json;Q=0.1,text/html;q=0.2", false), ("application/json;q=", false), ("application/json;", true),
      ("APPLICATION/*, text/html;q=0.1", true), ("applicationx*, text/html;q=0.1", false), ("/*", false), ("", false),
    ] as [(String?, Bool)])
  func `is weighed`(accept: String?, prefersJSON: Bool) throws {
    let request = try Request(.get, "/", headers: accept.map { [("Accept", $0)] } ?? [])
    #expect(request.prefers("application/json", over: "text/html") == prefersJSON)
  }
}

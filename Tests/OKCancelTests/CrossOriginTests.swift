import Testing

@testable import OKCancel

@Suite(.timeLimit(.minutes(5))) struct `Pages of other origins` {
  let live: LiveServer

  init() throws {
    live = try LiveServer(Sample.all) { configuration in
      configuration.allowedOrigins = [Origin("https://tools.example.com")!, Origin("http://localhost:3000")!]
      configuration.apiTokens = ["token"]
    }
  }

  private static let reading = [
    ("GET", "/prompts/email"), ("GET", "/prompts/email/rules"), ("GET", "/prompts/email/schema"),
    ("POST", "/validate/email"), ("POST", "/validate"),
  ]

  private func answer(_ method: String, _ path: String, origin: String?) async throws -> LiveServer.Answer {
    var headers = ["Accept": "application/json"]
    headers["Origin"] = origin
    if method == "GET" { return try await live.get(path, headers: headers) }
    let body = path == "/validate" ? #"{"prompt":"email","values":{}}"# : "{}"
    return try await live.post(path, json: body, headers: headers)
  }

  /// ASVS 3.4.2 | a list for CORS | only listed origins, never `*` with data
  @Test(arguments: reading)
  func `of the list read rules and verdicts, and are named, never *, without credentials`(method: String, path: String)
    async throws
  {
    for origin in ["https://tools.example.com", "http://localhost:3000"] {
      let answer = try await answer(method, path, origin: origin)
      #expect(answer.status == 200)
      #expect(answer.headers["access-control-allow-origin"] == origin)
      #expect(answer.headers["access-control-allow-credentials"] == nil)
      // A header that came twice would read `same-origin, same-origin`, which no browser heeds.
      #expect(answer.headers["cross-origin-opener-policy"] == "same-origin")
    }
  }

  /// Promise 2.11
  @Test(arguments: reading)
  func `that are not on the list read nothing`(method: String, path: String) async throws {
    for origin in [
      "https://evil.example", "https://tools.example.com.evil.example", "http://tools.example.com", "null",
    ] {
      let answer = try await answer(method, path, origin: origin)
      #expect(answer.status == (method == "GET" ? 200 : 403))
      #expect(answer.headers["access-control-allow-origin"] == nil)
    }
  }

  @Test func `read what is wrong with their question too`() async throws {
    for (method, path) in [("GET", "/prompts/emial"), ("POST", "/validate/emial")] {
      let answer = try await answer(method, path, origin: "https://tools.example.com")
      #expect(answer.status == 404)
      #expect(answer.headers["access-control-allow-origin"] == "https://tools.example.com")
    }
  }

  @Test(arguments: reading.filter { $0.0 == "GET" })
  func `keep an answer for only their own origin`(method: String, path: String) async throws {
    let answer = try await answer(method, path, origin: nil)
    #expect(answer.headers["vary"]?.contains("Origin") == true)
    let alone = try await LiveServer(Sample.all).get(path, accept: "application/json")
    #expect(alone.headers["vary"]?.contains("Origin") != true)
  }

  @Test(arguments: [("https://tools.example.com", true), ("https://evil.example", false)])
  func `are told before they send JSON whether they may`(origin: String, mayPost: Bool) async throws {
    let headers = [
      "Origin": origin, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type",
    ]
    let answer = try await live.send("OPTIONS", "/validate", headers: headers)
    #expect(answer.status == 204)
    #expect(answer.headers["access-control-allow-origin"] == (mayPost ? origin : nil))
    #expect(answer.headers["access-control-allow-methods"] == (mayPost ? "POST" : nil))
    #expect(answer.headers["access-control-allow-headers"] == (mayPost ? "Content-Type" : nil))
    #expect(answer.headers["vary"] == "Origin")
  }

  /// Promise 2.11
  /// ASVS 3.4.3 to 3.4.6
  @Test func `frame dialogs where they are listed; the server's own always does`() async throws {
    for path in ["/prompts/email", "/nothing"] {
      let policy = try await live.get(path).headers["content-security-policy"] ?? ""
      #expect(policy.hasSuffix("frame-ancestors 'self' https://tools.example.com http://localhost:3000"))
      let page = try await live.get(path, accept: "text/html")
      #expect(page.text.contains(#"data-origins="https://tools.example.com http://localhost:3000""#))
    }
    let alone = try await LiveServer(Sample.all).get("/prompts/email")
    #expect(alone.headers["content-security-policy"]?.hasSuffix("frame-ancestors 'self'") == true)
    #expect(!alone.text.contains("data-origins"))
  }

  @Test(arguments: ["/okcancel.js", "/embed/modal.js", "/rules.js"])
  func `load scripts from anywhere`(path: String) async throws {
    let answer = try await live.get(path, headers: ["Origin": "https://anywhere.example"])
    #expect(answer.status == 200)
    #expect(answer.headers["access-control-allow-origin"] == "*")
    #expect(answer.headers["cross-origin-resource-policy"] == "cross-origin")
  }

  @Test(arguments: [
    ("https://tools.example.com", "https://tools.example.com"), ("http://localhost:3000", "http://localhost:3000"),
    ("https://tools.example.com:443", "https://tools.example.com"), ("http://a_b.example:80", "http://a_b.example"),
    ("https://a.example:80", "https://a.example:80"), ("http://[::1]:8080", "http://[::1]:8080"),
    ("http://[::1]", "http://[::1]"), ("http://10.0.0.1:65535", "http://10.0.0.1:65535"),
    ("*", nil), ("null", nil), ("", nil), ("https://", nil), ("https://*.example.com", nil),
    ("https://tools.example.com/", nil), ("https://Tools.example.com", nil), ("https://a.example:", nil),
    ("https://a.example:0", nil), ("https://a.example:65536", nil), ("https://a.example:08", nil),
    ("https://a.example:x", nil), ("https://user@a.example", nil), ("ftp://a.example", nil), ("https://::1", nil),
    ("https://[a.example", nil), ("https://[]", nil), ("https://[::1]x", nil), ("https://a b", nil),
    ("https://a.example;script-src *", nil), ("https://ä.example", nil),
  ])
  func `are written as browsers write them`(text: String, expected: String?) {
    #expect(Origin(text)?.description == expected)
  }
}

import Testing

@testable import MicroHTTP
@testable import OKCancel
@testable import Prompts

/// What each route checks before it answers. The table of the server is compared with this one, and every row is tried
/// from outside.
@Suite(.timeLimit(.minutes(5))) struct `Every route` {
  struct Row: Sendable, CustomTestStringConvertible {
    let method: String
    let pattern: String
    /// What the token must allow that it needs, or `nil` if it needs none.
    var scope: APIToken.Scope?
    var needsToken: Bool { scope != nil }
    /// Whether pages of allowed origins read its responses.
    var isShared = false
    var limit: RateLimits.Action?
    /// Whether problems come as pages to clients that prefer them.
    var hasPages = false

    var testDescription: String { "\(method) \(pattern)" }
  }

  static let rows: [Row] = [
    Row(method: "GET", pattern: "/", hasPages: true),
    Row(method: "GET", pattern: "/prompts/:name", isShared: true, hasPages: true),
    Row(method: "POST", pattern: "/prompts/:name", limit: .submit, hasPages: true),
    Row(method: "GET", pattern: "/prompts/:name/rules", isShared: true),
    Row(method: "GET", pattern: "/prompts/:name/schema", isShared: true),
    Row(method: "GET", pattern: "/prompts/:name/done", hasPages: true),
    Row(method: "GET", pattern: "/prompts/:name/answers", scope: .answers),
    Row(method: "POST", pattern: "/validate", isShared: true, limit: .validate),
    Row(method: "POST", pattern: "/validate/:name", isShared: true, limit: .validate),
    Row(method: "POST", pattern: "/asks", scope: .ask, limit: .create),
    Row(method: "GET", pattern: "/asks", scope: .answers),
    Row(method: "GET", pattern: "/asks/:id", scope: .ask),
    Row(method: "GET", pattern: "/asks/:id/events", scope: .ask),
    Row(method: "PATCH", pattern: "/asks/:id", scope: .ask),
    Row(method: "PUT", pattern: "/asks/:id/result", scope: .ask),
    Row(method: "DELETE", pattern: "/asks/:id", scope: .ask),
    Row(method: "POST", pattern: "/mcp", scope: .ask),
    Row(method: "POST", pattern: "/hook", scope: .ask),
    Row(method: "GET", pattern: "/receipts/:receipt", scope: .answers),
    Row(method: "GET", pattern: "/a/:token", limit: .open, hasPages: true),
    Row(method: "POST", pattern: "/a/:token", limit: .submit, hasPages: true),
    Row(method: "GET", pattern: "/a/:token/rules", isShared: true, limit: .open),
    Row(method: "POST", pattern: "/a/:token/validate", isShared: true, limit: .validate),
    Row(method: "GET", pattern: "/a/:token/done", limit: .open, hasPages: true),
    Row(method: "GET", pattern: "/healthz"),
    Row(method: "GET", pattern: "/readyz"),
    Row(method: "GET", pattern: "/.well-known/security.txt"),
    Row(method: "GET", pattern: "/metrics", scope: .metrics),
  ]

  static let token = "a-token-for-these-tests"
  static let allowed = "https://tools.example.com"

  static func server(_ configure: (inout Configuration) -> Void = { _ in }) throws -> LiveServer {
    try LiveServer(Sample.all) { configuration in
      configuration.apiTokens = [token]
      configuration.allowedOrigins = [Origin(allowed)!]
      configuration.securityContact = SecurityContact("mailto:security@example.com")
      configure(&configuration)
    }
  }

  /// The row's path with a prompt, an open ask and its link in it.
  static func path(_ row: Row, on live: LiveServer) async throws -> String {
    let ask = try await live.ask()
    let words = [":name": "email", ":id": ask.id, ":token": String(ask.path.dropFirst(3)), ":receipt": "none"]
    return row.pattern.split(separator: "/", omittingEmptySubsequences: false)
      .map { words[String($0)] ?? String($0) }.joined(separator: "/")
  }

  /// Asks as a program would; what is sent is nothing that a handler could use, so that nothing changes.
  static func send(
    _ row: Row, _ path: String, on live: LiveServer, method: String? = nil, headers: [String: String] = [:]
  ) async throws -> LiveServer.Answer {
    let method = method ?? row.method
    var headers = ["Accept": "application/json"].merging(headers) { $1 }
    if method == "POST" { headers["Content-Type"] = "application/json" }
    return try await live.send(method, path, headers: headers, body: method == "POST" ? Array("[]".utf8) : nil)
  }

  private static let authorized = ["Authorization": "Bearer \(token)"]

  @Test func `is in the table, with what is checked before it answers`() throws {
    let table = try Self.server().server.routes.table
    let names = table.compactMap { $0.pattern.split(separator: "/").first.map(String.init) }
    #expect(Set(names).isSubset(of: Routes.names))
    #expect(
      table.map {
        Row(
          method: $0.method.token, pattern: $0.pattern, scope: $0.scope,
          isShared: $0.readers == .allowedOrigins, limit: $0.limit, hasPages: $0.hasPages
        ).description
      }.sorted() == Self.rows.map(\.description).sorted())
    for route in table { #expect(route.checksHost == !["/healthz", "/readyz"].contains(route.pattern)) }
    #expect(table.filter { $0.caller == .person }.map(\.pattern).allSatisfy { $0.hasPrefix("/a/:token") })
  }

  /// Promise 2.1 | Without the API token, nobody can ask, wait, withdraw or read answers.
  /// ASVS 8.2.1, 8.2.2, 8.3.1 | access by permission, on the server | the API token; a link opens only its own ask
  @Test(arguments: rows)
  func `for programs refuses a missing or wrong token, and no other route does`(row: Row) async throws {
    let live = try Self.server()
    let path = try await Self.path(row, on: live)
    let wrong = ["", "Bearer", "Bearer wrong", "Bearer \(Self.token)x", "Basic \(Self.token)", Self.token]
    for headers in [[:]] + wrong.map({ ["Authorization": $0] }) {
      let answer = try await Self.send(row, path, on: live, headers: headers)
      #expect((answer.status == 401) == row.needsToken)
      guard row.needsToken else { continue }
      #expect(answer.headers["www-authenticate"] == "Bearer")
      #expect(answer.headers["content-type"] == "application/problem+json")
    }
    // Events of an open ask do not end.
    guard !row.pattern.hasSuffix("/events") else { return }
    #expect(try await Self.send(row, path, on: live, headers: Self.authorized).status != 401)
  }

  /// ASVS 3.5.1, 3.5.2
  @Test(arguments: rows)
  func `is read by pages of allowed origins only if it is shared, and changes nothing for others`(row: Row) async throws
  {
    let live = try Self.server()
    let path = try await Self.path(row, on: live)
    for origin in [Self.allowed, "https://evil.example"] {
      let headers = ["Origin": origin, "Sec-Fetch-Site": "cross-site"]
      let answer = try await Self.send(row, path, on: live, headers: headers)
      let isAllowed = origin == Self.allowed
      #expect(answer.headers["access-control-allow-origin"] == (isAllowed && row.isShared ? origin : nil))
      #expect((answer.status == 403) == (!isAllowed && row.method == "POST"))
    }
  }

  @Test(arguments: rows.filter { !$0.hasPages && $0.pattern.contains(":") })
  func `for programs has no page for what is not there, whatever they accept`(row: Row) async throws {
    let live = try Self.server()
    let missing = row.pattern.split(separator: "/").map {
      $0 == ":name" ? "none" : $0.hasPrefix(":") ? "0123456789abcdefghjkmnpqrs" : $0
    }
    let path = "/" + missing.joined(separator: "/")
    for accept in ["*/*", "text/html", "application/json"] {
      let headers = Self.authorized.merging(["Accept": accept]) { $1 }
      let answer = try await Self.send(row, path, on: live, headers: headers)
      #expect(answer.status >= 400)
      #expect(answer.headers["content-type"] == "application/problem+json")
    }
  }

  @Test(arguments: rows.filter { $0.limit != nil })
  func `with a limit says 429 beyond it, before anything else is looked at`(row: Row) async throws {
    let limit = try #require(row.limit)
    let other = try Self.server()
    let path = try await Self.path(row, on: other)
    let live = try Self.server { $0.rateLimits.set(Rate("1/h"), for: limit) }
    #expect(try await Self.send(row, path, on: live).status != 429)
    for accept in ["application/json", "text/html"] {
      let headers = ["Accept": accept, "Origin": "https://evil.example"]
      let answer = try await Self.send(row, path, on: live, headers: headers)
      #expect(answer.status == 429)
      #expect(answer.headers["retry-after"] != nil)
      let isPage = accept == "text/html" && row.hasPages
      #expect(answer.headers["content-type"] == (isPage ? "text/html; charset=utf-8" : "application/problem+json"))
    }
  }

  /// ASVS 4.1.4 (3), 13.4.4 | only known methods, no TRACE | 405 with `Allow`
  @Test(arguments: rows)
  func `answers its own methods, HEAD for GET, and OPTIONS; the rest is 405 with Allow`(row: Row) async throws {
    let live = try Self.server()
    let path = try await Self.path(row, on: live)
    let own = Self.rows.filter { $0.pattern == row.pattern }.map(\.method)
    let allowed = own.flatMap { $0 == "GET" ? ["GET", "HEAD"] : [$0] } + ["OPTIONS"]
    let options = try await Self.send(row, path, on: live, method: "OPTIONS")
    #expect(options.status == 204)
    #expect(options.headers["allow"] == allowed.joined(separator: ", "))
    for method in ["PUT", "POST", "DELETE", "PATCH", "TRACE", "BREW"] where !own.contains(method) {
      let answer = try await Self.send(row, path, on: live, method: method)
      #expect(answer.status == 405)
      #expect(answer.headers["allow"] == allowed.joined(separator: ", "))
    }
    let preflight = try await Self.send(
      row, path, on: live, method: "OPTIONS",
      headers: ["Origin": Self.allowed, "Access-Control-Request-Method": "POST"])
    let mayPost = Self.rows.contains { $0.pattern == row.pattern && $0.method == "POST" && $0.isShared }
    #expect(preflight.headers["access-control-allow-origin"] == (mayPost ? Self.allowed : nil))
    #expect(preflight.headers["access-control-allow-methods"] == (mayPost ? "POST" : nil))
  }
}

extension `Every route`.Row: CustomStringConvertible {
  var description: String {
    "\(method) \(pattern) scope \(scope.map { "\($0)" } ?? "-") shared \(isShared) limit \(limit?.rawValue ?? "-") pages \(hasPages)"
  }
}

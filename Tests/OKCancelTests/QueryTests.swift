import Testing

@testable import OKCancel

@Suite(.timeLimit(.minutes(5))) struct `Query parameters` {
  let live: LiveServer

  init() throws { live = try LiveServer(Sample.all) { $0.apiTokens = ["token"] } }

  /// Asks as a program does, with a body that is no question if it posts.
  private func answer(_ method: String, _ path: String) async throws -> LiveServer.Answer {
    let headers = live.authorized.merging(["Accept": "application/json", "Content-Type": "application/json"]) { $1 }
    return try await live.send(method, path, headers: headers, body: method == "POST" ? Array("{}".utf8) : nil)
  }

  @Test(arguments: [
    ("GET", "/asks?statsu=open", "There is no query parameter `statsu` here; did you mean `status`?"),
    ("GET", "/asks/x?wiat=3", "There is no query parameter `wiat` here; did you mean `wait`?"),
    ("POST", "/prompts/email?reciept", "There is no query parameter `reciept` here; did you mean `receipt`?"),
    ("POST", "/asks?wait=3", "There is no query parameter `wait` here; this route has none."),
    ("GET", "/prompts/email/answers?from=1", "There is no query parameter `from` here; use one of `after`, `limit`"),
    ("GET", "/prompts/email/rules?version=2", "There is no query parameter `version` here; use `lang`"),
    ("POST", "/validate/email?onyl=email", "There is no query parameter `onyl` here; did you mean `only`?"),
    ("GET", "/readyz?wait=1", "There is no query parameter `wait` here; this route has none."),
    ("GET", "/prompts/email?utm=a", "There is no query parameter `utm` here; use one of `lang`, `embedder`"),
  ])
  func `that a route does not take are 400 and name the nearest one`(method: String, path: String, detail: String)
    async throws
  {
    let answer = try await answer(method, path)
    #expect((answer.status, answer.detail) == (400, detail))
  }

  @Test(arguments: ["/?utm_source=mail", "/prompts/email?fbclid=x&lang=en", "/prompts/email/done?outcome=ok&gclid=1"])
  func `that mail and chat programs append are ignored by pages`(path: String) async throws {
    #expect(try await live.get(path, accept: "text/html").status == 200)
  }

  @Test func `come after the API token`() async throws {
    #expect(try await live.get("/asks?statsu=open").status == 401)
  }

  /// Promise 3.14 | The server refuses outcomes, types and parameters that decide something if they are sent twice.
  /// ASVS 15.3.7 | no parameter pollution | parameters sent twice are refused
  @Test(arguments: [
    ("GET", "/asks?status=open&status=open"), ("GET", "/asks/0123456789abcdefghjkmnpqrs?wait=1&wait=2"),
    ("GET", "/prompts/email/answers?after=1&after=2"), ("POST", "/validate/email?only=email&only=email"),
    ("GET", "/prompts/email/done?outcome=ok&outcome=cancel"), ("POST", "/prompts/email?receipt&receipt"),
  ])
  func `that are sent twice are 400 too`(method: String, path: String) async throws {
    let answer = try await answer(method, path)
    #expect(answer.status == 400)
    #expect(answer.detail.contains("appears twice in the query; send it once"))
  }
}

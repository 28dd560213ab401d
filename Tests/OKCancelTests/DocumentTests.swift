import Testing

@testable import OKCancel

@Suite(.timeLimit(.minutes(5))) struct `What a server hands out` {
  let live: LiveServer

  init() throws { live = try LiveServer(Sample.all) }

  @Test func `lists its prompts, as JSON if that is asked for`() async throws {
    let json = try await live.get("/", accept: "application/json")
    #expect(
      json.text
        == #"[{"name":"email","title":"Your Email","href":"/prompts/email"},{"name":"login","title":"Sign In","href":"/prompts/login"},{"name":"order","title":"Order","href":"/prompts/order"}]"#
    )
    let page = try await live.get("/", accept: "*/*")
    #expect(page.headers["content-type"] == "text/html; charset=utf-8")
    #expect(page.text.contains(#"href="/prompts/email""#))
  }

  @Test func `says of each rule who decides it, in the definition as in the rules`() async throws {
    // A browser may decide a pattern that is dear on long texts if another rule keeps the text short.
    let pattern = try Rule.pattern(".*,.*")
    let short = Prompt(title: "Short", fields: [Field("a", rules: [.length(max: 100), pattern])])
    let long = Prompt(title: "Long", fields: [Field("a", rules: [pattern])])
    try live.server.replacePrompts([short.named("short"), long.named("long")])
    for (name, isDear) in [("short", false), ("long", true)] {
      for path in ["/prompts/\(name)", "/prompts/\(name)/rules"] {
        #expect(try await live.get(path, accept: "application/json").text.contains("decidedBy") == isDear, "\(path)")
      }
    }
  }

  @Test func `gives the rules JSON an ETag, and 304 to clients that have it`() async throws {
    let first = try await live.get("/prompts/email/rules")
    #expect(first.headers["content-type"] == "application/json")
    let tag = try #require(first.headers["etag"])
    let again = try await live.get("/prompts/email/rules", headers: ["If-None-Match": tag])
    #expect(again.status == 304)
    #expect(again.bytes.isEmpty)
  }

  @Test func `keeps nothing of what it made of a prompt once another has taken its name`() async throws {
    let paths = ["/prompts/email", "/prompts/email/rules", "/prompts/email/schema"]
    func documents() async throws -> [String] {
      var texts: [String] = []
      for path in paths {
        texts.append(try await live.get(path, accept: "text/html").text)
        texts.append(try await live.get(path, accept: "application/json").text)
      }
      return texts
    }
    func verdict(_ body: String) async throws -> String { try await live.post("/validate/email", json: body).text }

    // Twice, so that what is made once has been made.
    for _ in 0..<2 {
      #expect(try await documents().allSatisfy { $0.contains("email") && !$0.contains("quantity") })
      #expect(
        try await verdict(#"{"email":"alice@example.com"}"#)
          == #"{"isValid":true,"fields":{"email":{"isValid":true}}}"#)
    }
    let tag = try await live.get("/prompts/email/rules").headers["etag"] ?? ""
    let other = Prompt(title: "Order", fields: [Field("quantity", kind: .integer)])
    try live.server.replacePrompts([other.named("email")])
    #expect(try await live.get("/prompts/email/rules", headers: ["If-None-Match": tag]).status == 200)
    #expect(try await live.get("/prompts/login").status == 404)
    for _ in 0..<2 {
      #expect(try await documents().allSatisfy { $0.contains("quantity") && !$0.contains("Email") })
      #expect(
        try await verdict(#"{"quantity":"1"}"#) == #"{"isValid":true,"fields":{"quantity":{"isValid":true}}}"#)
      #expect(try await verdict(#"{"quantity":"x"}"#).contains(#""isValid":false"#))
    }
  }

  @Test(arguments: [
    ("/metrics/", "page"), ("/nothing", "page"), ("/prompt.schema.jsn", "page"), ("/prompts/emial", "question"),
    ("/prompts/email/x", "question"), ("/a/x", "question"), ("/a/x/y", "question"),
  ])
  func `tells a browser what is not there`(path: String, missing: String) async throws {
    let answer = try await live.get(path, accept: "text/html")
    #expect(answer.status == 404)
    #expect(answer.text.contains(#"<p dir="auto">There is no \#(missing) at this address."#))
  }
}

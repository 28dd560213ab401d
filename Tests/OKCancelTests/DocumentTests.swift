import OKCancel
import StrictJSON
import Testing

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

  @Test func `changes the version with the rules, and serves the new ones at once`() async throws {
    let before = try await live.get("/prompts/email/rules")
    var changed = Sample.email
    changed.fields = [Field("email", kind: .email)]
    try live.server.replacePrompts([changed.named("email")])
    let after = try await live.get("/prompts/email/rules", headers: ["If-None-Match": before.headers["etag"] ?? ""])
    #expect(after.status == 200)
    #expect(after.text != before.text)
    #expect(try await live.post("/validate/email", form: "email=bob@gmail").text.contains(#""isValid":true"#))
    #expect(try await live.get("/prompts/login").status == 404)
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
    let other = Prompt(title: "Order", fields: [Field("quantity", kind: .integer)])
    try live.server.replacePrompts([other.named("email")])
    for _ in 0..<2 {
      #expect(try await documents().allSatisfy { $0.contains("quantity") && !$0.contains("Email") })
      #expect(
        try await verdict(#"{"quantity":"1"}"#) == #"{"isValid":true,"fields":{"quantity":{"isValid":true}}}"#)
      #expect(try await verdict(#"{"quantity":"x"}"#).contains(#""isValid":false"#))
    }
  }

  @Test func `serves a definition that reads back as the same prompt`() async throws {
    let answer = try await live.get("/prompts/email", accept: "application/json")
    guard case .string("Your Email")? = try answer.json()["title"] else {
      Issue.record("no title: \(answer.text)")
      return
    }
  }

  @Test func `answers unknown paths, methods and prompts clearly`() async throws {
    let unknown = try await live.get("/nothing", accept: "application/json")
    #expect(unknown.status == 404)
    #expect(unknown.headers["content-type"] == "application/problem+json")
    let prompt = try await live.get("/prompts/emial", accept: "application/json")
    #expect(prompt.status == 404)
    #expect(prompt.text.contains("did you mean `email`?"))
    let method = try await live.send("DELETE", "/prompts/email", headers: [:])
    #expect(method.status == 405)
    #expect(method.headers["allow"]?.contains("POST") == true)
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

  @Test(arguments: [
    "\"><script>alert(1)</script>", "\"\u{301}><script>alert(1)</script>", "</script><script>alert(1)</script>",
  ])
  func `never lets a definition's text become markup`(text: String) async throws {
    let prompt = Prompt(
      title: text, message: text, ok: text, cancel: text,
      fields: [
        Field("a", label: text, placeholder: text, help: text, value: .text(text), rules: [.nonEmpty.saying(text)]),
        Field("b", label: text, kind: .choice, options: [.init(text, title: text)]),
      ])
    let live = try LiveServer([prompt.named("markup")])
    for answer in [
      try await live.get("/prompts/markup"), try await live.get("/"),
      try await live.get("/prompts/markup/done?outcome=ok"),
      try await live.post("/prompts/markup", form: "outcome=ok&a=", headers: ["Accept": "text/html"]),
    ] {
      #expect(!answer.text.contains("<script>alert"))
    }
  }
}

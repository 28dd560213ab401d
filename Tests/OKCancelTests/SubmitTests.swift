import Foundation
import TestSupport
import Testing

@testable import OKCancel
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `POST /prompts/{name}` {
  let live: LiveServer

  init() throws { live = try LiveServer(Sample.all) }

  /// Each request is the prompt's name, and the members of the body; expected are those of the answer.
  @Test(
    arguments: cases(
      #"""
      email "outcome":"ok","values":{"email":"a@b.example"} → "outcome":"ok","values":{"email":"a@b.example"}
      email "outcome":"cancel","values":{"email":5,"x":[]} → "outcome":"cancel"
      login "outcome":"action","action":"forgot" → "outcome":"action","action":"forgot"
      login "outcome":"action","action":"keep","values":{"user":"ann","password":"12345678"}
        → "outcome":"action","action":"keep","values":{"user":"ann","password":"12345678"}
      order "outcome":"ok","values":{"quantity":5,"gift":true,"extras":["card"]}
        → "outcome":"ok","values":{"quantity":5,"note":null,"gift":true,"extras":["card"]}
      order "outcome":"ok","values":{"quantity":"007","note":"hi"}
        → "outcome":"ok","values":{"quantity":7,"note":"hi","gift":false,"extras":[]}
      """#)
  )
  func `answers with the outcome`(request: String, members: String) async throws {
    let parts = request.split(separator: " ", maxSplits: 1)
    let answer = try await live.post("/prompts/\(parts[0])", json: "{\(parts[1])}")
    #expect((answer.status, answer.text) == (200, #"{\#(members),"by":{"via":"link"}}"#))
  }

  /// Promise 1.1 | The server judges every answer itself and trusts nothing that a browser says.
  /// ASVS 2.2.1, 2.2.2 | validation on the server | the server's verdict counts
  @Test func `refuses a forged answer with 422 and every failing field in order`() async throws {
    let answer = try await live.post("/prompts/login", json: #"{"outcome":"ok","values":{"password":"short"}}"#)
    #expect(answer.status == 422)
    #expect(answer.headers["content-type"] == "application/problem+json")
    #expect(
      answer.text
        == ##"{"type":"about:blank","title":"Unprocessable Content","status":422,"code":"invalid-values","detail":"2 fields are not valid; `errors` says what to do in each.","errors":[{"field":"user","rule":"nonEmpty","message":"Enter a value","pointer":"#/values/user"},{"field":"password","rule":"length","message":"Enter at least 8 characters","pointer":"#/values/password"}]}"##
    )
  }

  @Test(arguments: [
    ("outcome=ok&email=alice%40example.com", 200), ("email=alice%40example.com", 200),
    ("outcome=ok&email=nobody", 422), ("outcome=ok", 422), ("outcome=cancel&email=%01&other=1", 200),
    ("outcome=no&email=a%40b.c", 400), ("outcome=ok&email=a%40b.c&email=d%40e.f", 400),
    ("outcome=ok&mail=a%40b.c", 400), ("outcome=action&action=forgot", 400), ("email=%zz", 400),
  ])
  func `judges a form as it judges JSON`(body: String, status: Int) async throws {
    #expect(try await live.post("/prompts/email", form: body).status == status)
  }

  @Test func `takes a form's action by its name alone, as a button sends it`() async throws {
    let answer = try await live.post("/prompts/login", form: "action=keep&user=ann&password=12345678")
    #expect(
      answer.text
        == #"{"outcome":"action","action":"keep","values":{"user":"ann","password":"12345678"},"by":{"via":"link"}}"#)
    #expect(try await live.post("/prompts/login", form: "action=keep&user=ann&password=1").status == 422)
  }

  @Test func `sends a browser on to a page that says so`() async throws {
    let answer = try await live.post(
      "/prompts/email", form: "outcome=ok&email=alice%40example.com", accept: "text/html")
    #expect(answer.status == 303)
    #expect(answer.headers["location"] == "/prompts/email/done?outcome=ok")
    #expect(try await live.get("/prompts/email/done?outcome=ok").status == 200)
    #expect(try await live.get("/prompts/email/done?outcome=other").status == 404)
  }

  /// Promise 4.8
  @Test func `shows a browser the page again, with what was typed, never a password`() async throws {
    let answer = try await live.post(
      "/prompts/login", form: "outcome=ok&user=%22%3E%3Cscript%3E&password=sec-ret", accept: "text/html")
    #expect(answer.status == 422)
    #expect(answer.text.contains("<title>Error: Sign In</title>"))
    #expect(answer.text.contains("&quot;&gt;&lt;script&gt;"))
    #expect(answer.text.contains("Enter at least 8 characters"))
    #expect(!answer.text.contains("sec-ret"))
    #expect(!answer.text.contains("<script>"))
  }

  @Test(arguments: [
    ("name=Ada&drop=x&okcancel-version=OLD", 409), ("outcome=action&action=later&okcancel-version=OLD", 409),
    ("name=Ada&okcancel-version=NEW", 200), ("name=Ada&extension=on&okcancel-version=NEW", 200),
    ("name=Ada&extension=on", 400), ("name=Ada", 200), ("outcome=cancel&okcancel-version=OLD", 200),
    ("name=Ada&okcancel-version=NEW&okcancel-version=NEW", 400),
    (#"{"outcome":"ok","values":{"name":"Ada","drop":"x"},"version":"OLD"}"#, 409),
    (#"{"outcome":"ok","values":{"name":"Ada"},"version":"NEW"}"#, 200),
    (#"{"outcome":"ok","values":{"name":"Ada"}}"#, 200), (#"{"outcome":"cancel","version":"OLD"}"#, 200),
    (#"{"outcome":"ok","values":{"name":"Ada"},"version":1}"#, 400),
  ])
  func `takes no answer to another version of the prompt`(body: String, status: Int) async throws {
    func version() async throws -> String {
      let (page, rules) = (try await live.get("/prompts/name"), try await live.get("/prompts/name/rules").json())
      let version = try #require(rules.text("version"))
      #expect(page.text.contains(#"<input type="hidden" name="okcancel-version" value="\#(version)" tabindex="-1">"#))
      return version
    }
    try live.server.replacePrompts([Self.asking("Create account?", [Field("name"), Field("drop")])])
    let old = try await version()
    // Only the title changes the question.
    try live.server.replacePrompts([Self.asking("Delete account?", [Field("name"), Field("drop")])])
    #expect(try await version() != old)
    try live.server.replacePrompts([Self.asking("Delete account?", [Field("name"), Field("more", value: "new")])])
    let body = body.replacing("OLD", with: old).replacing("NEW", with: try await version())
    if body.hasPrefix("{") {
      let answer = try await live.post("/prompts/name", json: body)
      #expect(answer.status == status)
      #expect(answer.text.contains("prompt-changed") == (status == 409))
      return
    }
    #expect(try await live.post("/prompts/name", form: body).status == status)
    let answer = try await live.post("/prompts/name", form: body, accept: "text/html")
    #expect(answer.status == (status == 200 ? 303 : status))
    guard status == 409, body.hasPrefix("name") else { return }
    // The page again, with what was typed where it still fits.
    for part in ["Delete account?", "The question has changed; check your answer", #"value="Ada""#, #"value="new""#] {
      #expect(answer.text.contains(part), "\(part)")
    }
  }

  @Test func `shows what was typed when the question has gone meanwhile, never a password`() async throws {
    let fields = [Field("note", label: "Your note", kind: .multiline), Field("secret", kind: .password)]
    try live.server.replacePrompts([Self.asking("Anything?", fields)])
    let page = try await live.get("/prompts/name").text
    #expect(page.contains(#"<input type="hidden" name="okcancel-password" value="secret" tabindex="-1">"#))
    let form = "outcome=ok&note=%0Along+%3Ctext%3E&secret=sec-ret&okcancel-password=secret&okcancel-version=1"
    try live.server.replacePrompts([])
    let ask = try await live.server.create(Question(Prompt(title: "Anything?", fields: fields)))
    try await live.server.withdraw(ask.id)
    let path = try #require(ask.link?.path())
    for (path, status, label) in [("/prompts/name", 404, "note"), (path, 410, "Your note")] {
      let answer = try await live.post(path, form: form, accept: "text/html")
      #expect(answer.status == status)
      #expect(answer.text.contains("<span dir=\"auto\">\(label)</span>"), "\(answer.text)")
      #expect(answer.text.contains("<textarea rows=\"4\" readonly dir=\"auto\">\n\nlong &lt;text&gt;</textarea>"))
      #expect(!answer.text.contains("sec-ret"))
      // Only a page's form says which fields are passwords.
      let other = try await live.post(path, form: "note=long&secret=sec-ret", accept: "text/html")
      #expect(other.status == status && !other.text.contains("<textarea"))
    }
  }

  private static func asking(_ title: String, _ fields: [Field]) -> NamedPrompt {
    let later = Prompt.Button("Later", role: .action, name: "later", validates: false)
    return Prompt(title: title, buttons: [.init(nil, role: .cancel), later, .init(nil, role: .ok)], fields: fields)
      .named("name")
  }

  @Test func `gives a retry the answer that it had, whatever the prompt is now`() async throws {
    let (body, headers) = (#"{"outcome":"ok","values":{"email":"a@b.c"}}"#, ["Idempotency-Key": "k"])
    let first = try await live.post("/prompts/email", json: body, headers: headers)
    try live.server.replacePrompts([Prompt(title: "Other", fields: [Field("other")]).named("email")])
    let again = try await live.post("/prompts/email", json: body, headers: headers)
    #expect(first.status == 200 && again.status == 200 && again.text == first.text)
    #expect(try await live.post("/prompts/email", json: body).status == 400)
  }

  /// Promise 2.11 | Other sites' pages cannot answer, read or frame anything unless their origin is allowed.
  /// ASVS 3.5.1, 3.5.2 | no forged requests | `Sec-Fetch-Site`, `Origin`; simple requests too
  @Test(arguments: [
    (["Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"], 403),
    (["Origin": "https://evil.example"], 403), (["Origin": "null"], 403),
    (["Sec-Fetch-Site": "same-site"], 403), (["Origin": "http://127.0.0.1"], 403),
    (["Sec-Fetch-Site": "same-origin", "Origin": "null"], 200),
    (["Sec-Fetch-Site": "cross-site", "Origin": "https://tools.example.com"], 200), ([:], 200),
  ])
  func `refuses posts from other sites' pages`(headers: [String: String], status: Int) async throws {
    let live = try LiveServer(Sample.all) { $0.allowedOrigins = [Origin("https://tools.example.com")!] }
    #expect(try await live.post("/prompts/email", form: "outcome=cancel", headers: headers).status == status)
  }
}

import Foundation
import TestSupport
import Testing

@testable import OKCancel
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `Asking and waiting` {
  let live: LiveServer

  init() throws { live = try LiveServer(Sample.all) { $0.apiTokens = ["one", "two"] } }

  private func make(_ body: String) async throws -> LiveServer.MadeAsk {
    try await live.ask(body, headers: ["Authorization": "Bearer two"])
  }

  private func state(_ created: LiveServer.MadeAsk, wait: Int = 0) async throws -> String {
    try await live.get("/asks/\(created.id)?wait=\(wait)", headers: live.authorized).text
  }

  @Test func `a wrong token is told so, and not that there is none`() async throws {
    let missing = try await live.get("/asks")
    let wrong = try await live.get("/asks", headers: ["Authorization": "Bearer other"])
    #expect((missing.status, wrong.status) == (401, 401))
    #expect(missing.text.contains("This needs the API token"))
    #expect(wrong.text.contains("This API token is not one of the server's"))
  }

  /// Promise 4.12 | Nothing caches the pages of asks.
  /// ASVS 14.3.2 | no caching of private data | `no-store`
  @Test func `a program asks, a person answers, the program goes on with the value`() async throws {
    let created = try await make(#"{"prompt":"email","metadata":{"order":7}}"#)
    async let waiting = state(created, wait: 50)
    #expect(try await live.post(created.path, form: "email=bob").status == 422)
    #expect(
      try await live.post(created.path, json: #"{"outcome":"ok","values":{"email":"a@b.c"}}"#).text
        == #"{"outcome":"ok","values":{"email":"a@b.c"},"by":{"via":"link"}}"#)
    let closed = try await waiting
    #expect(
      closed.contains(#""status":"closed","outcome":"ok","values":{"email":"a@b.c"},"by":{"via":"link"},"closedAt":""#))
    #expect(closed.hasSuffix(#""metadata":{"order":7}}"#))
    #expect(try await state(created) == closed)
    #expect(try await live.post(created.path, form: "email=a%40b.c").status == 409)
    #expect(try await live.post(created.path, json: "{").status == 409)
    #expect(try await live.send("POST", created.path, headers: [:], body: []).status == 409)
    #expect(try await live.post(created.path, form: "email=a%40b.c", accept: "text/html").status == 410)
    #expect(try await live.get(created.path).status == 410)
  }

  @Test(
    arguments: cases(
      #"""
      {"definition":"email"} → “definition” holds the name of a prompt; send it as “prompt”.
      {"schema":"email"} → “schema” holds the name of a prompt; send it as “prompt”.
      {"prompt":{"title":"T","fields":[]}}
        → “prompt” holds a definition; send its “title” and “fields” as a definition.
      {"prompt":{"properties":{}}} → “prompt” holds a JSON Schema; send it as “schema”.
      {"definition":{"type":"object","properties":{}}} → “definition” holds a JSON Schema; send it as “schema”.
      {"schema":{"title":"T","fields":[]}}
        → “schema” holds a definition; send its “title” and “fields” as a definition.
      """#)
  )
  func `what stands under the key of another question is told where it belongs`(
    body: String, detail: String
  ) async throws {
    let refused = try await live.post("/asks", json: body, headers: live.authorized)
    #expect((refused.status, refused.detail) == (400, detail))
  }

  @Test(
    arguments: cases(
      #"""
      "requestedBy":"ada" → `requestedBy` must be an object, not a string; write who it is: `"requestedBy": {"id": "ada@example.com"}`
      "person":["ada"] → `person` must be an object, not a list; write who it is: `"person": {"id": "ada@example.com"}`
      "resultWithin":600 → `resultWithin` must be a string, not the number 600; write a whole number and s, m, h or d, like `"resultWithin": "600s"`; 366 days are the most
      "metadata":"x" → `metadata` must be an object, not a string; write it like `{"ticket": 42}`
      """#)
  )
  func `what is of another type is told a form that it can have`(member: String, message: String) async throws {
    let body = #"{"prompt":"email",\#(member)}"#
    let refused = try await live.post("/asks", json: body, headers: live.authorized)
    let code = try refused.json().text("code")
    #expect(refused.status == 400 && code == "wrong-type")
    let messages = try refused.errors.map { $0.text("message") }
    #expect(messages == [message])
    let end = try await make(#"{"prompt":"email"}"#)
    let headers = live.authorized.merging(["Content-Type": "application/json"]) { $1 }
    let moved = try await live.send("PATCH", "/asks/\(end.id)", headers: headers, body: Array(#"{"expiresAt":5}"#.utf8))
    #expect(moved.text.contains("not the number 5; send a moment like `2030-01-31T09:30:00Z`"), "\(moved.text)")
  }

  @Test func `the definition of an ask holds the values that it begins with, which have no password`() async throws {
    let created = try await make(#"{"prompt":"login","values":{"user":"ada","password":""}}"#)
    let definition = try await live.get(created.path, accept: "application/json").text
    #expect(definition.contains(#""kind":"text","value":"ada""#))
    let refused = try await live.post(
      "/asks", json: #"{"prompt":"login","values":{"user":"ada","password":"hunter2"}}"#, headers: live.authorized)
    #expect(refused.text.contains("a `password` field cannot have an initial value"))
    #expect(!refused.text.contains("hunter2"))
  }

  @Test func `a definition may have fifty fields with all that they can have`() async throws {
    let fields = (1...50).map { number in
      #"{"name":"f\#(number)","label":"L","kind":"text","placeholder":"P","optional":true,"rules":[{"rule":"length","min":1}]}"#
    }
    let created = try await make(#"{"definition":{"title":"T","fields":[\#(fields.joined(separator: ","))]}}"#)
    #expect(try await live.post(created.path, form: "f50=a").status == 200)
  }

  @Test func `a question that was made can be opened, at the limits of what is taken`() async throws {
    let long = [201, 1_000].map { #""\#(String(repeating: "é", count: $0))""# }.joined(separator: ",")
    let nested = String(repeating: #"{"not":"#, count: 24) + #"{"oneOf":["a"]}"# + String(repeating: "}", count: 24)
    let text = #"[{"text":"\#(String(repeating: "x", count: 16_000))"}]"#
    for body in [
      #"{"definition":{"title":"T","fields":[{"name":"a","kind":"choice","options":[\#(long)]}]}}"#,
      #"{"definition":{"title":"T","fields":[{"name":"a","rules":[\#(nested)]}]}}"#,
      #"{"definition":{"title":"T","context":\#(text)},"context":\#(text)}"#,
      #"{"schema":{"title":"T","properties":{"a":{"enum":[\#(long)]}}}}"#,
    ] {
      let created = try await make(body)
      for page in [created.path, created.path + "/rules"] { #expect(try await live.get(page).status == 200) }
      #expect(try await live.post(created.path + "/validate", form: "").status == 200)
      #expect(try await live.post(created.path, form: "outcome=cancel").status == 200)
    }
  }

  @Test func `asks of two definitions are each judged by their own, whichever was read before`() async throws {
    let short = #"{"definition":{"title":"T","fields":[{"name":"a","rules":[{"length":{"max":2}}]}]}}"#
    let long = #"{"definition":{"title":"T","fields":[{"name":"a","rules":[{"length":{"min":3}}]}]}}"#
    for _ in 0..<2 {
      for (definition, valid, invalid) in [(short, "ab", "abc"), (long, "abc", "ab")] {
        let created = try await make(definition)
        #expect(try await live.post(created.path, form: "a=\(invalid)").status == 422)
        #expect(try await live.post(created.path, form: "a=\(valid)").status == 200)
      }
    }
  }

  @Test func `that nobody made has no waiters: they are told so at once`() async throws {
    let id = try await make(#"{"prompt":"email"}"#).id
    let other = id.hasSuffix("0") ? String(id.dropLast()) + "1" : String(id.dropLast()) + "0"
    for wait in ["", "?wait=50"] {
      let answer = try await live.get("/asks/\(other)\(wait)", headers: live.authorized)
      #expect(answer.status == 404)
      #expect(answer.text.contains("There is no ask with this id"))
    }
  }

  @Test func `has a last page at its link once it has ended that way`() async throws {
    let ask = try await make(#"{"prompt":"email"}"#)
    func last(_ query: String) async throws -> LiveServer.Answer { try await live.get("\(ask.path)/done\(query)") }
    for query in ["", "?outcome=ok"] {
      let answer = try await last(query)
      #expect(
        (answer.status, answer.detail) == (404, "This page follows an answer; open \(ask.path) to give one."))
    }
    #expect(try await live.post(ask.path, form: "outcome=cancel").status == 200)
    #expect(try await last("?outcome=cancel").status == 200)
    for query in ["", "?outcome=ok"] {
      let answer = try await last(query)
      #expect((answer.status, try answer.json().text("outcome")) == (410, "cancel"))
    }
  }

  /// Promise 1.13 | Opening a link changes nothing, so link scanners and prefetching cannot answer a question.
  /// ASVS 3.5.3 | safe methods change nothing | only POST and DELETE do
  @Test func `looking at a link changes nothing, however often`() async throws {
    let created = try await make(#"{"prompt":"email"}"#)
    for _ in 0..<50 {
      #expect(try await live.get(created.path).status == 200)
      #expect(try await live.send("HEAD", created.path, headers: ["Sec-Purpose": "prefetch"]).status == 200)
    }
    let open = try await state(created)
    #expect(open.hasPrefix(#"{"prompt":"email","createdAt":""#))
    #expect(open.hasSuffix(#"Z","id":"\#(created.id)","status":"open"}"#))
    let page = try await live.get(created.path)
    #expect(page.headers["cache-control"] == "no-store")
    #expect(try await live.get(created.path + "/rules").text.contains(#""fields":[{"name":"email""#))
    #expect(try await live.post(created.path + "/validate", form: "email=bob").text.contains(#""isValid":false"#))
  }

  @Test func `a definition of its own is checked like a file, with every fault at its JSON Pointer`() async throws {
    let created = try await make(
      #"{"definition":{"title":"Why?","fields":[{"name":"reason","rules":["nonEmpty"]}]},"values":{"reason":"so"}}"#)
    #expect(try await live.get(created.path).text.contains(#"value="so""#))
    let faulty = try await live.post(
      "/asks", json: #"{"definition":{"titel":"x","fields":[{"name":"a","kind":"txt"}]}}"#,
      headers: live.authorized)
    #expect(faulty.status == 400)
    #expect(faulty.text.contains("#/definition/titel"))
    #expect(faulty.text.contains("#/definition/fields/0/kind"))
  }

  @Test func `the same key and body make the same ask, another body is a conflict`() async throws {
    let headers = ["Authorization": "Bearer one", "Idempotency-Key": "order-7"]
    let first = try await live.post("/asks", json: #"{"prompt":"email"}"#, headers: headers)
    #expect(try first.headers["location"] == "/asks/\(first.json().text("id") ?? "")")
    let again = try await live.post("/asks", json: #"{"prompt":"email"}"#, headers: headers)
    #expect((first.status, again.status) == (201, 200))
    #expect(first.text == again.text)
    #expect(try await live.post("/asks", json: #"{"prompt":"login"}"#, headers: headers).status == 409)
  }

  /// ASVS 2.3.1 | steps in order | open, then one outcome, then nothing
  @Test func `a withdrawn question cannot be answered, and its waiter is told`() async throws {
    let created = try await make(#"{"prompt":"email"}"#)
    async let waiting = state(created, wait: 50)
    let answer = try await live.send("DELETE", "/asks/\(created.id)", headers: live.authorized)
    #expect(answer.status == 200)
    #expect(answer.text.hasPrefix(#"{"prompt":"email","createdAt":""#))
    #expect(try await waiting.contains(#""outcome":"withdrawn""#))
    let again = try await live.send("DELETE", "/asks/\(created.id)", headers: live.authorized)
    #expect(again.status == 200)
    #expect(again.text == answer.text)
    #expect(try await live.post(created.path, form: "email=a%40b.c").status == 409)
  }

  @Test func `an ask that expires wakes its waiter`() async throws {
    let created = try await make(#"{"prompt":"email","expiresIn":1}"#)
    #expect(try await state(created, wait: 50).contains(#""outcome":"expired""#))
  }

  @Test(arguments: [
    #"{}"#, #"{"prompt":"email","definition":{}}"#, #"{"prompt":"email","expiresIn":0}"#,
    #"{"prompt":"email","expiresIn":"1"}"#,
    #"{"prompt":"email","metadata":[]}"#, #"{"prompt":"email","values":{"mail":""}}"#, #"{"promt":"email"}"#, #"[]"#,
    #"{"prompt":"email","callback":"https://example.com/"}"#,
  ])
  func `what cannot be an ask is refused and says why`(body: String) async throws {
    #expect(try await live.post("/asks", json: body, headers: live.authorized).status == 400)
  }

  @Test func `a prompt's keys beside its title belong in a definition, which the refusal says`() async throws {
    for key in ["fields", "buttons", "ok"] {
      let answer = try await live.post("/asks", json: #"{"title":"T","\#(key)":[]}"#, headers: live.authorized)
      #expect(answer.text.contains("no key `\(key)`; write it in `definition`, beside the `title`"), "\(answer.text)")
    }
  }

  /// Promise 3.9 | Metadata comes back exactly as sent, or is refused.
  @Test(arguments: [
    (##"{"a":"\ud800"}"##, "#/metadata/a"), (##"{"a/b":[1,{"~":["x","\udfff"]}]}"##, "#/metadata/a~1b/1/~0/1"),
    (##"{"é %":"\ude00\ud83d"}"##, "#/metadata/%C3%A9%20%25"),
  ])
  func `metadata that would not come back as it was sent is refused, with its place`(metadata: String, pointer: String)
    async throws
  {
    let body = #"{"prompt":"email","metadata":\#(metadata)}"#
    let answer = try await live.post("/asks", json: body, headers: live.authorized)
    #expect(answer.status == 400)
    #expect(answer.text.contains(#""pointer":"\#(pointer)""#), "\(answer.text)")
  }

  @Test func `metadata with both halves of a surrogate pair comes back as the character that they are`() async throws {
    let created = try await make(#"{"prompt":"email","metadata":{"a":"\ud83d\ude00"}}"#)
    _ = try await live.post(created.path, form: "outcome=cancel")
    #expect(try await state(created).contains(#""metadata":{"a":"😀"}"#))
    let inKey = #"{"prompt":"email","metadata":{"\ud800":1}}"#
    #expect(try await live.post("/asks", json: inKey, headers: live.authorized).status == 400)
  }

  @Test func `answers to a standing prompt are kept and read on from a cursor`() async throws {
    for name in ["ann", "bob", "eve"] { _ = try await live.post("/prompts/email", form: "email=\(name)%40example.com") }
    _ = try await live.post("/prompts/email", form: "outcome=cancel")
    let headers = live.authorized
    let all = try await live.get("/prompts/email/answers", headers: headers)
    let lines = all.text.split(separator: "\n")
    #expect(lines.count == 3)
    let cursor = try #require(JSON(parsing: Array(lines[1].utf8)).text("cursor"))
    let rest = try await live.get("/prompts/email/answers?after=\(cursor)", headers: headers)
    #expect(rest.text == lines[2] + "\n")
    #expect(rest.text.contains("eve@example.com"))
    #expect(all.headers["link"] == nil && rest.headers["link"] == nil)
    let page = try await live.get("/prompts/email/answers?limit=2", headers: headers)
    #expect(page.text == lines[..<2].joined(separator: "\n") + "\n")
    #expect(page.headers["link"] == "</prompts/email/answers?limit=2&after=\(cursor)>; rel=\"next\"")
    #expect(try await live.get("/prompts/email/answers?limit=3", headers: headers).headers["link"] == nil)
  }

  @Test func `a question of one field takes one line, with its kind and its rules`() async throws {
    let outcome = try await live.server.ask("How many?", kind: .integer, rules: [.nonEmpty]) {
      (link: URL) async throws in
      #expect(try await live.get(link.path).text.contains("How many?"))
      #expect(try await live.post(link.path, form: "value=").status == 422)
      #expect(try await live.post(link.path, form: "value=x").status == 422)
      #expect(try await live.post(link.path, form: "value=7").status == 200)
    }
    #expect(outcome == .ok(["value": 7]))
  }
}

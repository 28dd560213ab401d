import Synchronization
import Testing

@testable import OKCancel
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `The same answer once more` {
  let live: LiveServer
  private let key = ["Idempotency-Key": "answer-7"]
  private let ok = #"{"outcome":"ok","values":{"email":"a@b.c"}}"#

  init() throws { live = try LiveServer(Sample.all) { $0.apiTokens = ["token"] } }

  private func answers(to prompt: String) async throws -> Int {
    try await live.get("/prompts/\(prompt)/answers", headers: live.authorized).text.split(separator: "\n").count
  }

  @Test(arguments: [
    ("email", #"{"outcome":"ok","values":{"email":"a@b.c"}}"#),
    ("login", #"{"outcome":"action","action":"keep","values":{"user":"ann","password":"12345678"}}"#),
    ("order", #"{"outcome":"ok","values":{"quantity":"007","gift":true,"extras":["card"]}}"#),
  ])
  func `with its key gets the same response, receipt too, and is kept once`(prompt: String, body: String)
    async throws
  {
    for path in ["/prompts/\(prompt)", "/prompts/\(prompt)?receipt"] {
      let key = ["Idempotency-Key": "answer to \(path)".replacing(" ", with: "-")]
      let first = try await live.post(path, json: body, headers: key)
      let again = try await live.post(path, json: body, headers: key)
      #expect(first.status == 200)
      #expect((again.status, again.text) == (200, first.text))
      #expect(first.text.contains("receipt") == path.hasSuffix("receipt"))
    }
    #expect(try await answers(to: prompt) == 2)
    // Another key is another answer, and so is one without.
    for headers in [["Idempotency-Key": "other"], [:], [:]] {
      #expect(try await live.post("/prompts/\(prompt)", json: body, headers: headers).status == 200)
    }
    #expect(try await answers(to: prompt) == 5)
  }

  @Test func `leads a browser to the same last page`() async throws {
    for accept in ["text/html", "application/json", "text/html"] {
      let answer = try await live.post("/prompts/email", form: "email=a%40b.c", accept: accept, headers: key)
      #expect(answer.status == (accept == "text/html" ? 303 : 200))
      if answer.status == 303 { #expect(answer.headers["location"] == "/prompts/email/done?outcome=ok") }
    }
    #expect(try await answers(to: "email") == 1)
  }

  @Test func `with another body is a conflict that says what to do`() async throws {
    #expect(try await live.post("/prompts/email", json: ok, headers: key).status == 200)
    for (path, body) in [
      ("/prompts/email", ok.replacing("a@b", with: "d@e")), ("/prompts/email", ok + " "),
      ("/prompts/email?receipt", ok), ("/prompts/email", #"{"outcome":"ok","values":{"email":"invalid"}}"#),
    ] {
      let answer = try await live.post(path, json: body, headers: key)
      #expect(answer.status == 409, "\(path) \(body)")
      #expect(answer.text.contains("was used with another body; use a new key"))
    }
    // Each prompt has its own keys.
    let login = #"{"outcome":"ok","values":{"user":"ann","password":"12345678"}}"#
    #expect(try await live.post("/prompts/login", json: login, headers: key).status == 200)
    #expect(try await answers(to: "email") == 1)
  }

  @Test func `that was refused or is not kept is judged anew`() async throws {
    let invalid = #"{"outcome":"ok","values":{"email":"x"}}"#
    for _ in 0..<2 { #expect(try await live.post("/prompts/email", json: invalid, headers: key).status == 422) }
    for _ in 0..<2 {
      let cancelled = try await live.post("/prompts/email", json: #"{"outcome":"cancel"}"#, headers: key)
      #expect(cancelled.text == #"{"outcome":"cancel","by":{"via":"link"}}"#)
    }
    #expect(try await live.post("/prompts/email", json: ok, headers: key).status == 200)
    #expect(try await answers(to: "email") == 1)
  }

  @Test func `gets its response though a predicate says no by now`() async throws {
    let taken = Mutex<Set<String>>([])
    let prompt = Prompt(title: "Name", fields: [Field("name", rules: [.predicate("free")])])
    let live = try LiveServer(
      [prompt.named("name")], predicates: ["free": { name in taken.withLock { !$0.contains(name) } }])
    let first = try await live.post("/prompts/name", form: "name=ann", headers: key)
    taken.withLock { _ = $0.insert("ann") }
    #expect(first.status == 200)
    #expect(try await live.post("/prompts/name", form: "name=ann", headers: key).text == first.text)
    #expect(try await live.post("/prompts/name", form: "name=ann", headers: ["Idempotency-Key": "new"]).status == 422)
    #expect(try await live.post("/prompts/name", form: "name=ann").status == 422)
  }

  @Test(arguments: [#"{"outcome":"ok","values":{"email":"a@b.c"}}"#, #"{"outcome":"cancel"}"#])
  func `at a link gets the first response, and any other the end`(body: String) async throws {
    for query in ["", "?receipt"] {
      let ask = try await live.ask(), path = ask.path
      let first = try await live.post(path + query, json: body, headers: key)
      #expect(first.status == 200)
      #expect(first.text.contains(ask.id) == !query.isEmpty)
      for _ in 0..<2 {
        let again = try await live.post(path + query, json: body, headers: key)
        #expect((again.status, again.text) == (200, first.text))
      }
      let page = try await live.post(path + query, json: body, accept: "text/html", headers: key)
      #expect(page.status == 303)
      #expect(try await live.get(page.headers["location"] ?? "").status == 200)
      for (other, headers) in [(body + " ", key), (body, ["Idempotency-Key": "other"]), (body, [:])] {
        #expect(try await live.post(path + query, json: other, headers: headers).status == 409)
        let page = try await live.post(path + query, json: other, accept: "text/html", headers: headers)
        #expect(page.status == 410)
      }
      #expect(try await live.get(path).status == 410)
    }
  }

  @Test func `of somebody else is another answer, and says nothing of the first`() async throws {
    let live = try LiveServer(Sample.all) {
      $0.apiTokens = ["token"]
      $0.trustedProxies = [AddressBlock("127.0.0.1")!]
      $0.identity = .headers(.init(id: "X-User"))
    }
    func post(_ path: String, as person: String?) async throws -> LiveServer.Answer {
      try await live.post(path, json: ok, headers: key.merging(person.map { ["X-User": $0] } ?? [:]) { $1 })
    }
    let path = try await live.ask().path, people = ["ada", "carl", nil] as [String?]
    for person in people {
      let answers = try await [post("/prompts/email?receipt", as: person), post("/prompts/email?receipt", as: person)]
      #expect(answers.map(\.status) == [200, 200] && answers[0].text == answers[1].text)
      #expect(try answers[0].json()["by"]?.text("id") == person)
    }
    let all = try await live.get("/prompts/email/answers", headers: live.authorized).text
    #expect(all.split(separator: "\n").count == 3)
    // A link is answered once.
    for person in people + ["ADA"] {
      let answer = try await post(path, as: person), isFirst = person?.lowercased() == "ada"
      #expect(answer.status == (isFirst ? 200 : 409))
      #expect(isFirst || !answer.text.contains("ada"))
    }
  }

  @Test func `at a link is the end, if the program took the question back`() async throws {
    let ask = try await live.ask()
    _ = try await live.send("DELETE", "/asks/\(ask.id)", headers: live.authorized)
    for _ in 0..<2 { #expect(try await live.post(ask.path, json: ok, headers: key).status == 409) }
  }

  @Test func `at a link is the first of 20 at once`() async throws {
    let path = try await live.ask().path
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<20 { group.addTask { try await live.post(path, json: ok, headers: key).status } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == Array(repeating: 200, count: 20))
  }

  @Test(arguments: [("é", 400), (String(repeating: "k", count: 256), 400), ("two words", 400), ("~", 200)])
  func `needs a key that can be one`(text: String, status: Int) async throws {
    let headers = ["Idempotency-Key": text]
    for path in ["/prompts/email", try await live.ask().path] {
      for body in [ok, #"{"outcome":"cancel"}"#].prefix(path.hasPrefix("/a/") ? 1 : 2) {
        let answer = try await live.post(path, json: body, headers: headers)
        #expect(answer.status == status, "\(path)")
        if status == 400 { #expect(answer.text.contains("“Idempotency-Key” must be 1 to 255 visible ASCII")) }
      }
    }
  }
}

import Foundation
import Testing

@testable import OKCancel
@testable import Prompts

/// What a program asks through: a server of its own, and a client of it.
@Suite(.timeLimit(.minutes(5))) struct `Asking from Swift` {
  let live: LiveServer

  init() throws { live = try LiveServer(Sample.all) { $0.apiTokens = ["one"] } }

  enum Door: CaseIterable { case server, client }

  private func asker(_ door: Door) -> any Asker {
    switch door {
    case .server: live.server
    case .client: Client(url: live.server.url, token: "one")
    }
  }

  private func answer(_ ask: CreatedAsk, _ form: String) async throws -> Int {
    try await live.post(try #require(ask.link).path, form: form).status
  }

  @Test(arguments: Door.allCases)
  func `an ask is made, found again by its key, and waited for later`(door: Door) async throws {
    let asker = asker(door)
    let question = Question(Sample.order) {
      $0.values = ["note": "soon", "extras": ["card"]]
      $0.context = [.diff("-old\n+new"), .table(columns: ["a"], rows: [["berth"]])]
      $0.metadata = ["order": 7, "item": 1]
      $0.timeout = .seconds(3600)
      $0.key = "order-7"
    }
    let ask = try await asker.create(question)
    #expect(try await asker.create(question) == ask)
    #expect(try await asker.outcome(of: ask.id, within: .zero) == nil)
    let page = try await live.get(try #require(ask.link).path).text
    for part in ["soon", "+new", "berth"] { #expect(page.contains(part), "\(part)") }
    #expect(try await answer(ask, "quantity=7&extras=box&extras=card") == 200)
    let outcome = try await asker.outcome(of: ask.id)
    #expect(
      outcome
        == .ok(["quantity": 7, "note": nil, "gift": false, "extras": ["box", "card"]]))
    let ended = try #require(try await asker.end(of: ask.id, within: .zero))
    #expect(ended.outcome == outcome && ended.id == ask.id)
    let kept = try await live.get("/asks/\(ask.id)", headers: live.authorized)
    #expect(kept.text.contains(#""metadata":{"item":1,"order":7}"#))
    #expect(try JSONDecoder().decode(Outcome.self, from: Data(kept.bytes)) == outcome)
    let again = try await asker.create(question)
    #expect(again.id == ask.id && again.link == nil)
    #expect(try await asker.ask(question) { _ in Issue.record("it has ended") } == outcome)
    await #expect(throws: (any Error).self) { try await asker.create(Question(Sample.email) { $0.key = "order-7" }) }
  }

  @Test(arguments: Door.allCases)
  func `a standing prompt is asked by its name, in the person's language`(door: Door) async throws {
    let ask = try await asker(door).create(
      Question(promptNamed: "email") {
        $0.values = ["email": "ann@example.com"]
        $0.language = "en"
      })
    #expect(try await live.get(try #require(ask.link).path).text.contains(#"value="ann@example.com""#))
    let list = try await live.get("/asks?prompt=email", headers: live.authorized).text
    #expect(list.contains(ask.id))
  }

  /// Whether the prompt is on offer or the program's own, and whether its rules have closures.
  @Test(arguments: [false, true], [false, true])
  func `whatever a question has, its ask has, with closures and without`(isOffered: Bool, hasClosure: Bool) async throws
  {
    let rule: Rule = hasClosure ? .predicate("no-x") { !$0.contains("x") } : .nonEmpty
    var prompt = Prompt(
      title: "Deploy?", language: "en", translations: ["de": Translation(title: "Ausliefern?")],
      fields: [Field("note", rules: [rule])])
    prompt.context = [.text("of every ask")]
    let secret = try #require(WebhookSecret("whsec_" + Data(repeating: 7, count: 32).base64EncodedString()))
    let prefix = try CallbackPrefix("https://hooks.example/")
    let live = try LiveServer(isOffered ? [prompt.named("deploy")] : []) {
      $0.apiTokens = ["one"]
      $0.allowedCallbacks = [prefix]
      $0.webhookSecrets = [secret]
    }
    for chosen in 0..<(1 << Member.allCases.count) {
      let given = Member.allCases.enumerated().filter { chosen & 1 << $0.offset != 0 }.map(\.element)
      var question = isOffered ? Question(promptNamed: "deploy") : Question(prompt)
      for member in given { member.set(in: &question, chosen) }
      let ask = try await live.server.create(question)
      if question.key != nil { #expect(try await live.server.create(question) == ask) }
      let path = try #require(ask.link).path
      let page = try await live.get(path, headers: ["Accept-Language": "en"]).text
      for part in given.flatMap(\.shown) + ["of every ask"] { #expect(page.contains(part), "\(part) of \(chosen)") }
      if question.language == nil { #expect(page.contains("Deploy?")) }
      #expect(try await live.post(path, form: "note=x").status == (hasClosure ? 422 : 200))
      if hasClosure { #expect(try await live.post(path, form: "note=a").status == 200) }
      let kept = try await live.get("/asks/\(ask.id)", headers: live.authorized).text
      #expect(kept.contains(#""metadata":{"order":7}"#) == given.contains(.metadata))
    }
  }

  /// What a question has besides its prompt.
  private enum Member: CaseIterable {
    case language, context, values, metadata, expiresIn, key, callback

    func set(in question: inout Question, _ number: Int) {
      switch self {
      case .language: question.language = "de"
      case .context: question.context = [.diff("-old\n+launch")]
      case .values: question.values = ["note": "soon"]
      case .metadata: question.metadata = ["order": 7]
      case .expiresIn: question.timeout = .seconds(7200)
      case .key: question.key = "k\(number)"
      case .callback: question.callback = URL(string: "https://hooks.example/x")
      }
    }

    /// What the person's page shows of it.
    var shown: [String] {
      switch self {
      case .language: ["Ausliefern?", #"lang="de""#]
      case .context: ["launch"]
      case .values: [#"value="soon""#]
      case .metadata, .expiresIn, .key, .callback: []
      }
    }
  }

  @Test(arguments: Door.allCases)
  func `what cannot be asked says why`(door: Door) async throws {
    let asker = asker(door)
    func fault(_ question: Question) async -> String {
      do { return try await asker.create(question).id } catch { return "\(error)" }
    }
    let question = { (change: (inout Question) -> Void) in Question(promptNamed: "email", change) }
    for (question, why) in [
      (Question(promptNamed: "nothing"), "nothing"),
      (question { $0.values = ["mail": "a"] }, "did you mean `email`?"),
      (question { $0.metadata = [1] }, "must be an object"),
      (question { $0.metadata = String(repeating: "a", count: 5000) }, "must be an object"),
      (question { $0.metadata = ["a": String(repeating: "a", count: 5000)] }, "4096"),
      (question { $0.timeout = .zero }, "expiresIn"),
      (question { $0.language = "x" }, "language"),
      (question { $0.context = [.link("javascript:", title: nil)] }, "context"),
      (question { $0.callback = URL(string: "https://example.com/") }, "callback"),
      (question { $0.key = "a b" }, "a key has at most 255"),
    ] {
      let said = await fault(question)
      #expect(said.contains(why), "\(said)")
    }
    for id in ["", "x/y", "0000000000000000000000000a"] {
      await #expect(throws: (any Error).self) { try await asker.withdraw(id) }
      await #expect(throws: (any Error).self) { try await asker.outcome(of: id) }
    }
  }

  @Test(arguments: Door.allCases)
  func `an ask is taken back, unless the person was faster`(door: Door) async throws {
    let asker = asker(door)
    let open = try await asker.create(Question(Sample.email))
    async let waiting = asker.outcome(of: open.id)
    #expect(try await asker.withdraw(open.id) == .withdrawn)
    #expect(try await waiting == .withdrawn)
    #expect(try await asker.withdraw(open.id) == .withdrawn)
    #expect(try await answer(open, "email=a%40b.c") == 409)
    let answered = try await asker.create(Question(Sample.email))
    #expect(try await answer(answered, "email=a%40b.c") == 200)
    #expect(try await asker.withdraw(answered.id) == .ok(["email": "a@b.c"]))
  }

  @Test(arguments: Door.allCases)
  func `a cancelled task withdraws its question and throws`(door: Door) async throws {
    let (links, link) = AsyncStream<URL>.makeStream()
    let asker = asker(door)
    let asking = Task { try await asker.ask(Sample.email) { link.yield($0) } }
    var iterator = links.makeAsyncIterator()
    let path = try #require(await iterator.next()).path
    asking.cancel()
    await #expect(throws: CancellationError.self) { try await asking.value }
    #expect(try await live.get(path).status == 410)
  }

  @Test(arguments: Door.allCases)
  func `a task that is cancelled before it asks makes no ask`(door: Door) async throws {
    let asker = asker(door)
    let asking = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await asker.ask(Sample.email) { _ in Issue.record("it was asked") }
    }
    await #expect(throws: CancellationError.self) { try await asking.value }
    #expect(try await live.get("/asks", headers: live.authorized).text.isEmpty)
  }

  @Test(arguments: Door.allCases)
  func `a cancelled task that only waits leaves the ask open`(door: Door) async throws {
    let asker = asker(door)
    let ask = try await asker.create(Question(Sample.email))
    let waiting = Task { try await asker.outcome(of: ask.id) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(try await asker.outcome(of: ask.id, within: .zero) == nil)
  }

  @Test(arguments: Door.allCases)
  func `a person who answers as the task is cancelled is heard`(door: Door) async throws {
    let (live, asker) = (live, asker(door))
    let asking = Task {
      try await asker.ask(Sample.email) { link in
        _ = try await live.post(link.path, form: "email=a%40b.c")
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    #expect(try await asking.value == .ok(["email": "a@b.c"]))
  }

  @Test(arguments: Door.allCases, [nil, "k"])
  func `a program whose time is over leaves a question that got more to whoever has its key`(
    door: Door, key: String?
  ) async throws {
    let (live, asker) = (live, asker(door))
    let question = Question(Sample.email) { ($0.timeout, $0.key) = (.seconds(4), key) }
    let later = Date(timeIntervalSinceNow: 3600).ISO8601Format()
    let outcome = try await asker.ask(question) { _ in
      let asks = try await live.get("/asks", headers: live.authorized)
      let changed = try await live.send(
        "PATCH", "/asks/\(try #require(try asks.json().text("id")))",
        headers: live.authorized.merging(["Content-Type": "application/json"]) { $1 },
        body: Array(#"{"expiresAt":"\#(later)"}"#.utf8))
      #expect(changed.status == 200, "\(changed.text)")
    }
    #expect(outcome == (key == nil ? .withdrawn : .expired))
    let ask = try await live.get("/asks", headers: live.authorized).json()
    #expect(ask.text("status") == (key == nil ? "closed" : "open"))
  }

  private struct NoMail: Error {}

  @Test(arguments: Door.allCases)
  func `a link that cannot be brought to the person withdraws the question`(door: Door) async throws {
    let asker = asker(door)
    await #expect(throws: NoMail.self) { try await asker.ask(Sample.email) { _ in throw NoMail() } }
    let asks = try await live.get("/asks", headers: live.authorized).text
    #expect(asks.contains(#""outcome":"withdrawn""#))
  }

  @Test(arguments: Door.allCases)
  func `answers to a standing prompt are read page by page`(door: Door) async throws {
    let asker = asker(door)
    #expect(try await asker.answers(to: "email", after: nil, limit: 1000).isEmpty)
    for name in ["ann", "bob", "eve"] { _ = try await live.post("/prompts/email", form: "email=\(name)%40b.c") }
    let first = try await asker.answers(to: "email", after: nil, limit: 2)
    let rest = try await asker.answers(to: "email", after: try #require(first.last).cursor, limit: 2)
    #expect((first + rest).map(\.outcome) == ["ann", "bob", "eve"].map { .ok(["email": "\($0)@b.c"]) })
    #expect((first + rest).allSatisfy { $0.subject == nil && abs($0.answeredAt.timeIntervalSinceNow) < 600 })
    // A prompt that is deleted keeps its answers.
    try live.server.replacePrompts([])
    #expect(try await asker.answers(to: "email", after: nil, limit: 1) == Array(first.prefix(1)))
    #expect(try await asker.answers(to: "email", after: try #require(rest.last).cursor, limit: 1).isEmpty)
    await #expect(throws: (any Error).self) { try await asker.answers(to: "nothing", after: nil, limit: 1) }
    await #expect(throws: (any Error).self) { try await asker.answers(to: "email", after: "x&y", limit: 1) }
  }

  @Test func `a link begins with the base URL, if there is one`() async throws {
    let live = try LiveServer([]) { $0.baseURL = "https://ask.example.com" }
    let link = try #require(try await live.server.create(Question(Sample.email)).link)
    #expect(link.absoluteString.hasPrefix("https://ask.example.com/a/"))
    #expect(try await live.get(link.path, headers: ["Host": "ask.example.com"]).status == 200)
  }

  @Test func `outcomes and verdicts are read as the server writes them, and written so again`() async throws {
    for (name, body) in [
      ("order", #"{"outcome":"ok","values":{"quantity":"7","gift":"true","extras":["box"]}}"#),
      ("email", #"{"outcome":"cancel"}"#), ("login", #"{"outcome":"action","action":"forgot"}"#),
      ("login", #"{"outcome":"action","action":"keep","values":{"user":"ann","password":"12345678"}}"#),
    ] {
      let answer = try await live.post("/prompts/\(name)", json: body)
      #expect(answer.status == 200)
      try check(Outcome.self, answer)
    }
    try check(Verdict.self, try await live.post("/validate", json: #"{"rules":["nonEmpty"],"value":""}"#))
    try check(Verdict.self, try await live.post("/validate", json: #"{"rules":["nonEmpty"],"value":"a"}"#))
  }

  /// Decodes what the server has sent, and encodes it to the same members.
  private func check<Kind: Codable & Equatable>(_ type: Kind.Type, _ answer: LiveServer.Answer) throws {
    let value = try JSONDecoder().decode(Kind.self, from: Data(answer.bytes))
    let encoded = try JSONEncoder().encode(value)
    #expect(try JSONDecoder().decode(Kind.self, from: encoded) == value)
    let sent = try #require(try JSONSerialization.jsonObject(with: Data(answer.bytes)) as? [String: Any])
    // The page gets a receipt beside the outcome, and who answered.
    let members = sent.filter { !["receipt", "by"].contains($0.key) } as NSDictionary
    let written = try JSONSerialization.jsonObject(with: encoded)
    #expect(written as? NSDictionary == members, "\(answer.text)")
  }
}

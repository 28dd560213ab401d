import OKCancel
import Testing

func greeting(from asker: some Asker) async throws -> String {
  let prompt = Prompt(title: "Your name", fields: [Field("name", rules: [.notBlank])])
  guard case .ok(let values) = try await asker.ask(prompt) else { return "Goodbye" }
  return "Hello, \(values["name"]?.text ?? "")"
}

@Test func `greets who answers`() async throws {
  let server = try OKCancelServer.answering(["Your name": [.ok(["name": "Ann"]), .cancel]])
  #expect(try await greeting(from: server) == "Hello, Ann")
  #expect(try await greeting(from: server) == "Goodbye")
  await server.drain()
}

@Suite struct `A server that answers by itself` {
  @Test func `leaves open what is not valid, and what it has no answer to`() async throws {
    let free = Rule.predicate("free") { $0 != "taken" }
    let prompt = Prompt(title: "Name", fields: [Field("name", rules: [free])])
    let server = try OKCancelServer.answering(["Name": [.ok(["name": "taken"]), .ok(["name": "ann"])]])
    let refused = try await server.create(Question(prompt))
    let answered = try await server.create(Question(prompt))
    let late = try await server.create(Question(prompt))
    #expect(try await server.outcome(of: answered.id) == .ok(["name": "ann"]))
    #expect(try await server.outcome(of: refused.id, within: .zero) == nil)
    #expect(try await server.outcome(of: late.id, within: .zero) == nil)
    await server.drain()
  }

  @Test func `spends one answer on an ask and its repetition`() async throws {
    let server = try OKCancelServer.answering(["Sure?": [.ok([:]), .cancel]])
    let keyed = Question(Prompt(title: "Sure?")) { $0.key = "one" }
    #expect(try await server.ask(keyed) == .ok([:]))
    #expect(try await server.ask(keyed) == .ok([:]))
    #expect(try await server.ask(Prompt(title: "Sure?")) == .cancel)
    await server.drain()
  }

  @Test(arguments: [Outcome.expired, .withdrawn])
  func `is given no end that no answer brings about`(_ outcome: Outcome) {
    #expect(throws: AskFault.self) { try OKCancelServer.answering(["Sure?": [outcome]]) }
  }
}

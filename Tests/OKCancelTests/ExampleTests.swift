import Foundation
import OKCancel
import Testing

/// The Swift of the README and of `Documentation/swift.md`, as it is written there: that it compiles is most of the test.
@Suite(.timeLimit(.minutes(5))) struct `The guide's Swift` {
  /// Never called: it would take port 8080 and wait for a person.
  func asWritten() async throws {
    let prompt = Prompt(
      title: "Your Email", message: "What’s your email address?", ok: "Submit",
      fields: [
        Field("email", placeholder: "Email", rules: [.nonEmpty, try .pattern(#".+@.+\..+"#)]),
        Field(
          "guests", kind: .integer, optional: true, rules: [.predicate("even") { Int($0)?.isMultiple(of: 2) ?? false }]),
      ])

    let server = try OKCancelServer(prompts: [prompt.named("email")])
    switch try await server.ask(prompt) {
    case .ok(let values): print(values["email"]?.text ?? "", values["guests"]?.integer ?? 0)
    case .cancel, .action, .expired, .withdrawn: print("no answer")
    }
    await server.drain()  // the person's last page is still on its way
  }

  /// Never called either.
  func inOneLine() async throws {
    if case .ok(let values) = try await OKCancelServer().ask("Email", kind: .email) {
      print(values["value"]?.text ?? "")
    }
  }

  /// Never called either.
  func ofTheGuide(token: String, prompt: Prompt, person: String, diff: String, users: any Users) async throws -> Rule {
    var configuration = Configuration()
    configuration.port = 0  // any free one
    let server = try OKCancelServer(configuration: configuration, prompts: [prompt.named("email")])
    await server.drain()
    let client = Client(url: "https://ask.example.com", token: token)
    let outcome = try await client.ask(prompt) { link in try await send(link, to: person) }
    print(outcome)
    let question = Question(prompt) {
      $0.values = ["email": "ann@example.com"]  // initial values
      $0.context = [.diff(diff)]  // what to decide on
      $0.metadata = ["order": 7]  // comes back over HTTP and in callbacks
      $0.key = "order-7"  // the same question again is the same ask
    }
    let ask = try await client.create(question)
    print(ask.id, ask.link as Any)
    print(try await client.outcome(of: ask.id))
    print(try await client.outcome(of: ask.id, within: .seconds(50)) as Any)
    print(try await client.withdraw(ask.id))
    print(try await client.answers(to: "email"))
    return Rule.predicate("free") { name in
      do { return try await users.contains(name) ? .invalid("Choose another name") : .valid } catch {
        return .unchecked
      }
    }
  }

  @Sendable private func send(_ link: URL, to person: String) async throws {}

  protocol Users: Sendable {
    func contains(_ name: String) async throws -> Bool
  }

  @Test func `only asking takes any free port, and a taken one is an error`() async throws {
    var configuration = Configuration()
    #expect(try OKCancelServer().configuration.port == 0)
    #expect(try OKCancelServer(prompts: [Sample.email.named("email")]).configuration.port == 8080)
    configuration.apiTokens = ["token"]
    #expect(try OKCancelServer(configuration: configuration).configuration.port == 8080)
    let first = try OKCancelServer()
    try first.start()
    configuration.port = first.port
    let second = try OKCancelServer(configuration: configuration)
    let fault = await #expect(throws: AskFault.self) { _ = try await second.ask("Your name") { _ in } }
    let port = first.port ?? 0
    #expect(
      fault?.description
        == "Port \(port) on 127.0.0.1 is in use; stop the program that has it or give another port.")
    await first.drain(deadline: .zero, patience: .zero)
  }

  @Test(arguments: [("bob@gmail", false), ("alice@example.com", true)])
  func `a rule judges by itself`(text: String, valid: Bool) throws {
    #expect(try Rule.pattern(#".+@.+\..+"#).isValid(text) == valid)
  }
}

import OKCancel
import Testing

/// The README's Swift, as it is written there: that it compiles is the test of most of it.
@Suite(.timeLimit(.minutes(5))) struct `The README's Swift` {
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
    case .ok(let values): print(values["email"], values["guests"].integer ?? 0)
    case .cancel, .action, .expired, .withdrawn: print("no answer")
    }
    await server.drain()  // the person's last page is still on its way
  }

  @Test(arguments: [("bob@gmail", false), ("alice@example.com", true)])
  func `a rule judges by itself`(text: String, valid: Bool) throws {
    #expect(try Rule.pattern(#".+@.+\..+"#).isValid(text) == valid)
  }
}

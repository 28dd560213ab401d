import Foundation
import OKCancel
import Testing

/// What `Documentation/swift.md` says. Its code is compiled and run by `Tests/Tools/test_swift_guide.py`.
@Suite(.timeLimit(.minutes(5))) struct `The guide's Swift` {
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
}

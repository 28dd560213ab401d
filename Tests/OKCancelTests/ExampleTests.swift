import Foundation
import Testing

@testable import OKCancel

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

  @Test func `an answer becomes a type of the caller's own, and every other end is an error`() async throws {
    struct Order: Decodable {
      let size: String
      let quantity: Int
      let note: String?
    }
    let server = try OKCancelServer.answering(["T": [.ok(["size": "S", "quantity": 3]), .cancel]])
    let prompt = Prompt(
      title: "T", fields: [Field("size"), Field("quantity", kind: .integer), Field("note", optional: true)])
    let order: Order = try await server.ask(prompt) { _ in }
    #expect(order.size == "S" && order.quantity == 3 && order.note == nil)
    let fault = await #expect(throws: AskFault.self) { _ = try await server.ask(prompt, as: Order.self) { _ in } }
    #expect(fault?.description == "there are no values, because the outcome is “cancel”")
    await server.drain(deadline: .zero, patience: .zero)
  }

  @Test func `a server runs until its task is cancelled`() async throws {
    let server = try OKCancelServer()
    let running = Task { try await server.run() }
    while server.port == nil { await Task.yield() }
    running.cancel()
    try await running.value
    #expect(throws: AskFault.self) { try server.start() }
  }
}

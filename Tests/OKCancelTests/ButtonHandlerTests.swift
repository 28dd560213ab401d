import Foundation
import OKCancel
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Handlers of buttons` {
  final class Calls: Sendable {
    let names = Mutex<[String]>([])
    func add(_ name: String) { names.withLock { $0.append(name) } }
  }

  struct Refused: Error {}

  @Test(arguments: [
    ("outcome=ok&note=hi", "ok hi"), ("outcome=cancel", "cancel "), ("action=archive&note=x", "archive x"),
  ])
  func `run once the person has pressed their button, beside the outcome`(form: String, call: String) async throws {
    let calls = Calls()
    let prompt = Prompt(
      title: "Delete it?",
      buttons: [
        .init("Keep", role: .cancel) { calls.add("cancel \($0["note"]?.text ?? "")") },
        .init("Archive", role: .action, name: "archive") { calls.add("archive \($0["note"]?.text ?? "")") },
        .init("Delete", role: .ok, isDestructive: true) { calls.add("ok \($0["note"]?.text ?? "")") },
      ], fields: [Field("note")])
    let live = try LiveServer([]) { $0.apiTokens = ["one"] }
    let outcome = try await live.server.ask(prompt) { link in _ = try await live.post(link.path, form: form) }
    #expect(calls.names.withLock { $0 } == [call])
    #expect(outcome != .withdrawn)
  }

  @Test func `throw what ask throws`() async throws {
    let prompt = Prompt(title: "Sure?", buttons: [.init("Yes", role: .ok) { _ in throw Refused() }])
    let live = try LiveServer([])
    await #expect(throws: Refused.self) {
      try await live.server.ask(prompt) { link in _ = try await live.post(link.path, form: "outcome=ok") }
    }
  }
}

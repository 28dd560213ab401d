import Foundation
import Synchronization
import Testing

@testable import OKCancel

@Suite(.timeLimit(.minutes(1))) struct `Handlers of buttons` {
  struct Refused: Error {}

  @Test(arguments: [
    ("outcome=ok&note=hi", "ok hi"), ("outcome=cancel", "cancel "), ("action=archive&note=x", "archive x"),
  ])
  func `run once the person has pressed their button, beside the outcome`(form: String, call: String) async throws {
    let calls = Mutex<[String]>([])
    @Sendable func add(_ name: String, _ values: Values) {
      calls.withLock { $0.append("\(name) \(values["note"]?.text ?? "")") }
    }
    let prompt = Prompt(
      title: "Delete it?",
      buttons: [
        .init("Keep", role: .cancel) { add("cancel", $0) },
        .init("Archive", role: .action, name: "archive") { add("archive", $0) },
        .init("Delete", role: .ok, isDestructive: true) { add("ok", $0) },
      ], fields: [Field("note")])
    let live = try LiveServer([]) { $0.apiTokens = ["one"] }
    let outcome = try await live.server.ask(prompt) { link in _ = try await live.post(link.path, form: form) }
    #expect(calls.withLock { $0 } == [call])
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

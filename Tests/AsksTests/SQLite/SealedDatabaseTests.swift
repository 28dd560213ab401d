@testable import Asks
import Foundation
import Prompts
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Passwords in the database` {
  let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("asks.sqlite")
  }

  private func open(key: String? = nil) throws -> AskStore {
    try AskStore(path, secrets: .beside(path, environment: key))
  }

  private static let canary = "correct-horse-battery-staple"

  @Test func `stand in no file, before and after it is closed`() async throws {
    let store = try open()
    var draft = AskDraft(definition: bytes(#"{"value":"\#(Self.canary)"}"#), holdsPasswords: true)
    draft.values = bytes(#"{"password":"\#(Self.canary)"}"#)
    let key = try #require(IdempotencyKey("k", body: bytes(#"{"values":{"password":"\#(Self.canary)"}}"#)))
    guard case .created(let ask, let token) = try await store.create(draft, idempotency: key) else {
      Issue.record("no ask was made")
      return
    }
    let (link, secret) = (token.text, values(#"{"password":"\#(Self.canary)"}"#))
    // The open text is found where nothing is sealed: the search itself works.
    _ = try await store.append(.ok(values(#"{"note":"in-the-open"}"#)), to: "p", holdsPasswords: false)
    _ = try await store.append(.ok(secret), to: "p", holdsPasswords: true)
    guard case .closed(let closed) = try await store.close(ask.id, as: .ok(secret)) else {
      Issue.record("the ask was not closed")
      return
    }
    #expect(closed.json.isSealed)
    try expectHidden([Self.canary, link], shown: "in-the-open")
    #expect(text(try store.secrets.json(of: closed)).contains(Self.canary))
    try await store.close()
    try expectHidden([Self.canary, link], shown: "in-the-open")
  }

  private func expectHidden(_ hidden: [String], shown: String) throws {
    let contents = try directory.contents().values
    #expect(contents.contains { $0.range(of: Data(shown.utf8)) != nil })
    for text in hidden {
      #expect(contents.allSatisfy { $0.range(of: Data(text.utf8)) == nil }, "\(text)")
    }
  }

  @Test func `open again after a restart with the same key`() async throws {
    let first = try open()
    let draft = AskDraft(definition: bytes("{}"), holdsPasswords: true)
    guard case .created(let ask, _) = try await first.create(draft, idempotency: nil) else {
      Issue.record("no ask was made")
      return
    }
    _ = try await first.close(ask.id, as: .ok(values(#"{"p":"x"}"#)))
    try await first.close()
    let second = try open()
    let closed = try #require(try await second.ask(ask.id)?.closed)
    #expect(text(try second.secrets.json(of: closed)).contains(#""values":{"p":"x"}"#))
  }
}

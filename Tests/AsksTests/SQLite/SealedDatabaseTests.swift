import Foundation
import TestSupport
import Testing

@testable import Asks
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `Passwords in the database` {
  private let file: DatabaseFile

  init() throws { file = try DatabaseFile() }

  private static let canary = "correct-horse-battery-staple"

  /// Promise 4.1 | Answers with passwords are sealed (ChaCha20-Poly1305), each bound to its place; a changed byte is
  /// detected.
  /// ASVS 14.2.4 | protection by level | passwords are sealed and not logged
  @Test func `stand in no file, before and after it is closed`() async throws {
    let store = try file.open()
    var draft = AskDraft(definition: bytes(#"{"value":"\#(Self.canary)"}"#), holdsPasswords: true)
    draft.values = bytes(#"{"password":"\#(Self.canary)"}"#)
    let key = try #require(IdempotencyKey("k", body: bytes(#"{"values":{"password":"\#(Self.canary)"}}"#)))
    let (ask, token) = try await store.make(draft, key)
    let (link, secret) = (token.text, values(#"{"password":"\#(Self.canary)"}"#))
    // The open text is found where nothing is sealed: the search itself works.
    _ = try await store.append(.ok(values(#"{"note":"in-the-open"}"#)), to: "p", holdsPasswords: false)
    _ = try await store.append(.ok(secret), to: "p", holdsPasswords: true)
    let closed = try #require(try await store.close(ask.id, as: .ok(secret)).ended)
    #expect(closed.json.isSealed)
    try expectHidden([Self.canary, link], shown: "in-the-open")
    #expect(text(try store.secrets.json(of: closed)).contains(Self.canary))
    try await store.close()
    try expectHidden([Self.canary, link], shown: "in-the-open")
  }

  private func expectHidden(_ hidden: [String], shown: String) throws {
    let contents = try file.directory.contents().values
    #expect(contents.contains { $0.range(of: Data(shown.utf8)) != nil })
    for text in hidden {
      #expect(contents.allSatisfy { $0.range(of: Data(text.utf8)) == nil }, "\(text)")
    }
  }

  @Test func `open again after a restart with the same key`() async throws {
    let first = try file.open()
    let (ask, _) = try await first.make(AskDraft(definition: bytes("{}"), holdsPasswords: true))
    _ = try await first.close(ask.id, as: .ok(values(#"{"p":"x"}"#)))
    try await first.close()
    let second = try file.open()
    let closed = try #require(try await second.ask(ask.id)?.closed)
    #expect(text(try second.secrets.json(of: closed)).contains(#""values":{"p":"x"}"#))
  }
}

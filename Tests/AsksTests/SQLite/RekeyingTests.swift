import Foundation
import TestSupport
import Testing

@testable import Asks
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `Changing the key of a database for another` {
  private let file: DatabaseFile
  static let keys = (1...3).map { Data(repeating: $0, count: 32).base64EncodedString() }
  static let ids = try! (1...3).map { try SecretBox(key: [UInt8](repeating: $0, count: 32)).keyID }

  init() throws { file = try DatabaseFile() }

  /// - Parameter keys: their numbers; the first seals.
  private func open(_ keys: Int...) throws -> AskStore {
    try file.open(keys: keys.map { Self.keys[$0] }.joined(separator: ","))
  }

  private static var draft: AskDraft {
    var draft = AskDraft(definition: bytes(#"{"title":"Sign In"}"#), holdsPasswords: true)
    draft.values = bytes(#"{"password":"old"}"#)
    return draft
  }

  /// An open ask, a closed one and an answer, all with passwords, and the request that made each of them.
  private func fill(_ store: AskStore) async throws -> (open: Ask, closed: AskID, key: IdempotencyKey) {
    let key = try #require(IdempotencyKey("once", body: bytes("body")))
    let (open, closed) = (try await store.make(Self.draft, key).ask, try await store.make(Self.draft).ask)
    _ = try await store.close(closed.id, as: .ok(values(#"{"password":"hunter2"}"#)), idempotency: key)
    _ = try await store.append(
      .ok(values(#"{"password":"swordfish"}"#)), to: "login", holdsPasswords: true, receipt: nil,
      idempotency: key)
    return (open, closed.id, key)
  }

  private func expectAll(_ kept: (open: Ask, closed: AskID, key: IdempotencyKey), in store: AskStore) async throws {
    let open = try #require(try await store.ask(kept.open.id))
    #expect(text(try store.secrets.open(open.definition)) == #"{"title":"Sign In"}"#)
    #expect(text(try store.secrets.open(open.values)) == #"{"password":"old"}"#)
    let closed = try #require(try await store.ask(kept.closed)?.closed)
    #expect(text(try store.secrets.json(of: closed)).contains("hunter2"))
    let answer = try #require(try await store.answers(to: "login", after: nil, limit: 1).first)
    #expect(text(try answer.line(openedWith: store.secrets)).contains("swordfish"))
    let again = try #require(try await store.create(Self.draft, idempotency: kept.key).found)
    #expect(again.ask.id == kept.open.id && again.token != nil)
    #expect(try store.secrets.ended(closed, by: kept.key) != nil)
    let known = try #require(try await store.answer(keptWith: kept.key, to: "login")?.found)
    #expect(known.answer.cursor == answer.cursor && known.receipt == nil)
  }

  /// Whether some file still has something that this key sealed.
  private func isUsed(_ key: Int) throws -> Bool {
    let header =
      Data("sealed:1:".utf8)
      + stride(from: 0, to: 16, by: 2).map {
        let digits = Array(Self.ids[key])
        return UInt8(String(digits[$0...$0 + 1]), radix: 16)!
      }
    return try file.directory.contents().values.contains { $0.range(of: header) != nil }
  }

  /// Promise 4.2 | Keys can be rotated: the new key seals, and the old one opens until everything is sealed again;
  /// then nothing that it sealed is left in the database.
  @Test func `the first of several seals, and all of them open`() async throws {
    let old = try open(0)
    let kept = try await fill(old)
    try await old.close()
    let both = try open(1, 0)
    try await expectAll(kept, in: both)
    let (ask, _) = try await both.make(Self.draft)
    try await both.close()
    #expect(try isUsed(1))
    // Each of them is needed now.
    #expect(throws: PlainError(row: "key.wrong", ["expected": Self.ids[0], "given": Self.ids[1]])) { try open(1) }
    #expect(throws: PlainError(row: "key.wrong", ["expected": Self.ids[1], "given": Self.ids[0]])) { try open(0) }
    let again = try open(0, 1)
    try await expectAll(kept, in: again)
    #expect(text(try again.secrets.open(try #require(try await again.ask(ask.id)).values)) == #"{"password":"old"}"#)
  }

  /// Promise 4.2
  @Test(arguments: [1, 100])
  func `sealed anew, everything opens with only the first, and nothing that the old one sealed is left`(batch: Int)
    async throws
  {
    let old = try open(0)
    let kept = try await fill(old)
    try await old.close()
    #expect(try isUsed(0))
    let both = try open(1, 0)
    // Two times definition and values, an outcome, a link, an answer.
    #expect(try await both.rekey(batch: batch) == .init(count: 7, unreadable: []))
    try await expectAll(kept, in: both)
    #expect(try await both.rekey(batch: batch).count == 0)
    try await both.close()
    #expect(try !isUsed(0))
    let new = try open(1)
    try await expectAll(kept, in: new)
    try await new.close()
    #expect(throws: PlainError(row: "key.wrong", ["expected": Self.ids[1], "given": Self.ids[0]])) { try open(0) }
    // And once more, from the second to the third: the first request is still known.
    let next = try open(2, 1)
    #expect(try await next.rekey(batch: batch).count == 7)
    try await next.close()
    try await expectAll(kept, in: try open(2))
  }

  @Test func `one that was interrupted goes on from where it stopped`() async throws {
    let old = try open(0)
    let kept = try await fill(old)
    try await old.close()
    let both = try open(1, 0)
    // As if the answer's had been the last.
    try await both.connection.commit { db in
      let row = try #require(try db.run("SELECT outcome, context FROM answers").first)
      let kept = Sealable(stored: try #require(row.bytes("outcome")), context: row.text("context") ?? "")
      let sealed = try both.secrets.reseal(kept)
      try db.run("UPDATE answers SET outcome = ?", [.bytes(try #require(sealed).stored)])
    }
    try await both.close()
    let again = try open(1, 0)
    #expect(try await again.rekey().count == 6)
    try await again.close()
    try await expectAll(kept, in: try open(1))
  }

  @Test func `what no key opens stays as it is and is told`() async throws {
    let store = try open(0)
    _ = try await fill(store)
    try await store.connection.commit { try $0.run("UPDATE answers SET context = 'elsewhere'") }
    try await store.close()
    let rekeyed = try await open(1, 0).rekey()
    #expect(rekeyed.count == 6)
    #expect(rekeyed.unreadable == ["elsewhere: this is not what was sealed here; restore the database from a backup"])
  }

  @Test func `the key's file may hold several too, a line each`() async throws {
    let old = try file.open()
    let kept = try await fill(old)
    try await old.close()
    let keys = file.path + ".key"
    let line = try String(contentsOfFile: keys, encoding: .utf8)
    #expect(FileManager.default.createFile(atPath: keys, contents: Data((Self.keys[2] + "\n" + line).utf8)))
    chmod(keys, 0o600)
    let both = try file.open()
    #expect(both.secrets.keyID == Self.ids[2])
    _ = try await both.rekey()
    try await both.close()
    try await expectAll(kept, in: try open(2))
  }
}

import Testing

@testable import Asks
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `Making and finding an ask` {
  /// ASVS 8.2.1, 8.2.2, 8.3.1
  @Test(arguments: StoreKind.all)
  func `finds it by id and by link as it was made`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    var draft = AskDraft.sample
    draft.prompt = "email"
    draft.values = bytes(#"{"email":"a@b"}"#)
    draft.terms.metadata = bytes(#"{"ticket":7}"#)
    draft.terms.callback = "https://ci.example.com/hook"
    draft.expiresIn = .seconds(60)
    let (made, token) = try await test.make(draft)
    for found in [try await test.store.ask(made.id), try await test.store.ask(linkedBy: token)] {
      let ask = try #require(found)
      #expect(ask.id == made.id)
      #expect(ask.prompt == "email")
      #expect(text(try test.store.secrets.open(ask.definition)) == #"{"title":"Your Email"}"#)
      #expect(text(try test.store.secrets.open(ask.values)) == #"{"email":"a@b"}"#)
      #expect(text(ask.terms.metadata) == #"{"ticket":7}"#)
      #expect(ask.terms.callback == "https://ci.example.com/hook")
      #expect(ask.createdAt == test.clock.now)
      #expect(ask.expiresAt == test.clock.now + .seconds(60))
      #expect(ask.isOpen)
    }
    #expect(try await test.store.ask(AskID())?.id == nil)
    #expect(try await test.store.ask(linkedBy: LinkToken())?.id == nil)
  }

  @Test(arguments: StoreKind.all)
  func `gives the same ask and link to the same key and body, until it is closed`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    let key = try #require(IdempotencyKey("order-7", body: bytes("{}")))
    let (made, token) = try await test.make(.sample, key)
    let again = try #require(try await test.store.create(.sample, idempotency: key).found)
    #expect(again.ask.id == made.id && again.token?.text == token.text)
    let other = try #require(IdempotencyKey("order-7", body: bytes("{ }")))
    #expect(try await test.store.create(.sample, idempotency: other).isConflict)
    _ = try await test.store.withdraw(made.id)
    let closed = try #require(try await test.store.create(.sample, idempotency: key).found)
    #expect(closed.ask.closed?.outcome == .withdrawn && closed.token == nil)
  }

  @Test(arguments: StoreKind.all)
  func `makes a new ask with a key that was let go of`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    let key = try #require(IdempotencyKey("order-7", body: bytes("{}")))
    let (made, _) = try await test.make(.sample, key)
    try await test.store.releaseKey(of: made.id)
    let (other, token) = try await test.make(.sample, key)
    #expect(other.id != made.id)
    #expect(try await test.store.ask(linkedBy: token)?.id == other.id)
    #expect(try await test.store.ask(made.id)?.isOpen == true)
    // One without a key, and one that does not exist.
    try await test.store.releaseKey(of: made.id)
    try await test.store.releaseKey(of: AskID())
  }

  @Test(arguments: StoreKind.all)
  func `makes one ask of 50 requests at once with one key`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    for round in 0..<20 {
      let results = try await withThrowingTaskGroup(of: CreateResult.self) { group in
        for index in 0..<50 {
          // Every fifth comes with another body.
          let body = bytes(index.isMultiple(of: 5) ? "B" : "A")
          let key = try #require(IdempotencyKey("round-\(round)", body: body))
          group.addTask { [store = test.store] in try await store.create(.sample, idempotency: key) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(results.count { $0.made != nil } == 1)
      #expect(Set(results.compactMap { $0.made?.ask.id ?? $0.found?.ask.id }).count == 1)
      #expect([10, 40].contains(results.count(where: \.isConflict)))
    }
  }
}

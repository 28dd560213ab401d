import Testing

@testable import Asks
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `Keys of answers` {
  private static let answer = Outcome.ok(values(#"{"n":1,"pin":"1234","more":["a"],"none":null}"#))

  private func key(_ text: String, _ body: String = "n=1", by person: String? = nil) throws -> IdempotencyKey {
    var key = try #require(IdempotencyKey(text, body: bytes(body)))
    key.sender = person
    return key
  }

  private func append(
    _ test: StoreUnderTest, _ key: IdempotencyKey, _ outcome: Outcome = answer, by person: String?,
    sealed: Bool = false
  ) async throws -> AppendResult {
    var ended = Ended(outcome)
    ended.by = Ended.by(person).by
    return try await test.store.append(
      ended, to: "poll", holdsPasswords: sealed, receipt: nil, idempotency: key)
  }

  private func append(
    _ test: StoreUnderTest, _ key: IdempotencyKey, _ outcome: Outcome = answer, to prompt: String = "poll",
    sealed: Bool = false, receipt: Receipt? = nil
  ) async throws -> AppendResult {
    try await test.store.append(
      outcome, to: prompt, holdsPasswords: sealed, receipt: receipt, idempotency: key)
  }

  @Test(arguments: StoreKind.all, [false, true])
  func `find the answer that was kept with them, once for each prompt`(_ kind: StoreKind, _ sealed: Bool)
    async throws
  {
    let test = try StoreUnderTest(kind)
    let (first, other, receipt) = (try key("first"), try key("first", "n=2"), Receipt())
    if case .some = try await test.store.answer(keptWith: first, to: "poll") { Issue.record("found what was not kept") }
    let cursor = try #require(try await append(test, first, sealed: sealed, receipt: receipt).cursor)
    // Whatever it was judged to be this time.
    let again = try await append(test, first, .ok(values("{}")), sealed: sealed, receipt: Receipt())
    for result in [again, try await test.store.answer(keptWith: first, to: "poll")] {
      let (answer, given) = try #require(result?.found)
      #expect(answer.cursor == cursor)
      #expect(given == receipt)
      #expect(answer.outcome.isSealed == sealed)
      #expect(try answer.ended(openedWith: test.store.secrets).outcome == Self.answer)
    }
    #expect(try await append(test, other, sealed: sealed).isConflict)
    #expect(try await test.store.answer(keptWith: other, to: "poll")?.isConflict == true)
    #expect(try await append(test, first, to: "other").cursor != nil)
    #expect(try await append(test, try key("second")).cursor != nil)
    #expect(try await test.store.answers(to: "poll", after: nil, limit: 9).count == 2)
    // What names an ask names no answer.
    #expect(try await test.store.create(.sample, idempotency: first).made != nil)
  }

  @Test(arguments: StoreKind.all)
  func `keep one answer of 50 at once`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    for round in 0..<20 {
      let results = try await withThrowingTaskGroup(of: AppendResult.self) { group in
        for index in 0..<50 {
          // Every fifth comes with another body.
          let key = try key("round-\(round)", index.isMultiple(of: 5) ? "B" : "A")
          group.addTask { try await append(test, key, .ok(values(#"{"n":\#(index)}"#)), receipt: Receipt()) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let kept = try await test.store.answers(to: "poll", after: nil, limit: 99)
      #expect(kept.count == round + 1)
      #expect(results.count { $0.cursor != nil } == 1)
      #expect([10, 40].contains(results.count(where: \.isConflict)))
      for case .existing(let answer, _) in results { #expect(answer.cursor == kept.last?.cursor) }
    }
  }

  @Test(arguments: StoreKind.all)
  func `last as long as their answers`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    let first = try key("first")
    #expect(try await append(test, first).cursor != nil)
    test.clock.advance(by: .seconds(60))
    #expect(try await append(test, first).found != nil)
    _ = try await test.store.purgeAll(before: test.clock.now)
    #expect(try await append(test, first).cursor != nil)
  }

  @Test(arguments: StoreKind.all, [Outcome.ok(values(#"{"n":1}"#)), .cancel, .action("later", nil)])
  func `tell the request that ended an ask from others`(_ kind: StoreKind, _ outcome: Outcome) async throws {
    let test = try StoreUnderTest(kind)
    let (ask, token) = try await test.make(.sample(callback: "https://a.example/"))
    let first = try key("first")
    let closed = try #require(try await test.store.close(ask.id, as: outcome, idempotency: first).ended)
    let again = try #require(try await test.store.close(ask.id, as: outcome, idempotency: first).endedBefore)
    let secrets = test.store.secrets
    let found = try #require(try await test.store.ask(linkedBy: token)?.closed)
    for closed in [closed, again, found] {
      #expect(try secrets.ended(closed, by: first) != nil)
      for other in [try key("second"), try key("first", "n=2")] { #expect(try secrets.ended(closed, by: other) == nil) }
      #expect(try secrets.ended(closed).outcome == outcome)
    }
  }

  @Test(arguments: StoreKind.all, [false, true])
  func `are each person's own`(_ kind: StoreKind, _ sealed: Bool) async throws {
    let test = try StoreUnderTest(kind)
    let people: [String?] = ["ada", nil, "carl"]
    var cursors: [StandingAnswer.Cursor] = []
    for person in people {
      let result = try await append(test, try key("first", by: person), .ok(values("{}")), by: person, sealed: sealed)
      cursors.append(try #require(result.cursor))
    }
    for (person, cursor) in zip(people, cursors) {
      let own = try key("first", by: person)
      for result in [try await append(test, own, by: person), try await test.store.answer(keptWith: own, to: "poll")] {
        #expect(result?.found?.0.cursor == cursor)
      }
      #expect(try await append(test, try key("first", "n=2", by: person), by: person).isConflict)
    }
    #expect(try await test.store.answer(keptWith: try key("first", by: "eve"), to: "poll")?.found == nil)
    #expect(try await test.store.answers(to: "poll", after: nil, limit: 9).count == 3)
  }

  @Test(arguments: StoreKind.all, ["ada", nil] as [String?])
  func `that an older version kept are those of who answered`(_ kind: StoreKind, _ answered: String?) async throws {
    let test = try StoreUnderTest(kind)
    // Then everybody's keys were those of visitors without a name.
    let cursor = try #require(try await append(test, try key("first"), by: answered).cursor)
    for person in ["ada", "carl", nil] as [String?] {
      let own = try key("first", by: person)
      let found = try await test.store.answer(keptWith: own, to: "poll")?.found
      #expect(found?.0.cursor == (person == answered ? cursor : nil))
      let result = try await append(test, own, by: person)
      #expect((result.found?.0.cursor == cursor) == (person == answered), "\(person ?? "nobody")")
      #expect((result.cursor == nil) == (person == answered), "\(person ?? "nobody")")
      // From now on it is found.
      #expect(try await append(test, own, by: person).found != nil)
      #expect(try await append(test, try key("first", "n=2", by: person), by: person).isConflict)
    }
  }

  @Test(arguments: StoreKind.all, ["ada", nil] as [String?])
  func `end an ask for the person who sent it`(_ kind: StoreKind, _ answered: String?) async throws {
    let test = try StoreUnderTest(kind)
    let (ask, _) = try await test.make()
    let result = try await test.store.close(ask.id, as: .by(answered), idempotency: try key("first", by: answered))
    let closed = try #require(result.ended)
    for person in ["ada", "carl", nil] as [String?] {
      let own = try key("first", by: person)
      #expect(try (test.store.secrets.ended(closed, by: own) != nil) == (person == answered))
    }
  }

  @Test(arguments: StoreKind.all)
  func `end no ask whose time is over or that another ended`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    let first = try key("first")
    for ending in ["expired", "withdrawn", "keyless"] {
      let (ask, _) = try await test.make(.sample { $0.expiresIn = .seconds(1) })
      switch ending {
      case "expired": test.clock.advance(by: .seconds(2))
      case "withdrawn": _ = try await test.store.withdraw(ask.id)
      default: _ = try await test.store.close(ask.id, as: Self.answer)
      }
      let late = try await test.store.close(ask.id, as: Self.answer, idempotency: first)
      let closed = try #require(late.endedBefore, "\(ending)")
      #expect(try test.store.secrets.ended(closed, by: first) == nil, "\(ending)")
    }
  }
}

import Asks
import Prompts
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Keys of answers` {
  private static let answer = Outcome.ok(values(#"{"n":1,"pin":"1234","more":["a"],"none":null}"#))

  private func key(_ text: String, _ body: String = "n=1") throws -> IdempotencyKey {
    try #require(IdempotencyKey(text, body: bytes(body)))
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
    #expect(try await test.store.answer(keptWith: first, to: "poll") == nil)
    guard case .kept(let cursor) = try await append(test, first, sealed: sealed, receipt: receipt) else {
      Issue.record("not kept")
      return
    }
    // Whatever it was judged to be this time.
    let again = try await append(test, first, .ok(values("{}")), sealed: sealed, receipt: Receipt())
    for result in [again, try await test.store.answer(keptWith: first, to: "poll")] {
      guard case .existing(let answer, let given)? = result else {
        Issue.record("not found: \(String(describing: result))")
        continue
      }
      #expect(answer.cursor == cursor)
      #expect(given == receipt)
      #expect(answer.outcome.isSealed == sealed)
      #expect(try answer.ended(openedWith: test.store.secrets).outcome == Self.answer)
    }
    #expect(try await append(test, other, sealed: sealed) == .conflict)
    #expect(try await test.store.answer(keptWith: other, to: "poll") == .conflict)
    #expect(try await append(test, first, to: "other") == .kept)
    #expect(try await append(test, try key("second")) == .kept)
    #expect(try await test.store.answers(to: "poll", after: nil, limit: 9).count == 2)
    // What names an ask names no answer.
    guard case .created = try await test.store.create(.sample, idempotency: first) else {
      Issue.record("an answer’s key is taken for an ask’s")
      return
    }
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
      #expect(results.count { $0 == .kept } == 1)
      #expect([10, 40].contains(results.count { $0 == .conflict }))
      for case .existing(let answer, _) in results { #expect(answer.cursor == kept.last?.cursor) }
    }
  }

  @Test(arguments: StoreKind.all)
  func `last as long as their answers`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    let first = try key("first")
    #expect(try await append(test, first) == .kept)
    test.clock.advance(by: .seconds(60))
    #expect(try await append(test, first) == .existing)
    _ = try await test.store.purgeAll(before: test.clock.now)
    #expect(try await append(test, first) == .kept)
  }

  @Test(arguments: StoreKind.all, [Outcome.ok(values(#"{"n":1}"#)), .cancel, .action("later", nil)])
  func `tell the request that ended an ask from others`(_ kind: StoreKind, _ outcome: Outcome) async throws {
    let test = try StoreUnderTest(kind)
    let (ask, token) = try await test.make(.sample(callback: "https://a.example/"))
    let first = try key("first")
    guard case .closed(let closed) = try await test.store.close(ask.id, as: outcome, idempotency: first),
      case .alreadyClosed(let again) = try await test.store.close(ask.id, as: outcome, idempotency: first)
    else {
      Issue.record("not closed once")
      return
    }
    let secrets = test.store.secrets
    let found = try #require(try await test.store.ask(linkedBy: token)?.closed)
    for closed in [closed, again, found] {
      #expect(secrets.hasEnded(closed, first))
      for other in [try key("second"), try key("first", "n=2")] { #expect(!secrets.hasEnded(closed, other)) }
      #expect(try secrets.ended(closed).outcome == outcome)
    }
  }

  @Test(arguments: StoreKind.all)
  func `end no ask whose time is over or that another ended`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    let first = try key("first")
    for ending in ["expired", "withdrawn", "keyless"] {
      var draft = AskDraft.sample
      draft.expiresIn = .seconds(1)
      let (ask, _) = try await test.make(draft)
      switch ending {
      case "expired": test.clock.advance(by: .seconds(2))
      case "withdrawn": _ = try await test.store.withdraw(ask.id)
      default: _ = try await test.store.close(ask.id, as: Self.answer)
      }
      guard case .alreadyClosed(let closed) = try await test.store.close(ask.id, as: Self.answer, idempotency: first)
      else {
        Issue.record("\(ending): answered")
        continue
      }
      #expect(!test.store.secrets.hasEnded(closed, first), "\(ending)")
    }
  }
}

/// What became of an answer, without what was kept.
private enum Became { case kept, existing, conflict }

private func == (result: AppendResult?, became: Became?) -> Bool {
  switch (result, became) {
  case (.kept, .kept), (.existing, .existing), (.conflict, .conflict), (nil, nil): true
  default: false
  }
}

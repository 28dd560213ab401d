import Testing

@testable import Asks
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `Many ending one ask at once` {
  /// Promise 1.4 | An ask has one outcome, even if several people answer at once. | `make race`
  /// ASVS 2.3.3, 2.3.4
  @Test(arguments: StoreKind.all)
  func `lets one of 50 win, and all see the same bytes`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    for round in 0..<100 {
      var draft = AskDraft.sample(callback: "https://ci.example.com/hook")
      draft.expiresIn = .seconds(1)
      let (ask, _) = try await test.make(draft)
      // In every fourth round the time is over somewhere among the answers.
      let expires = round.isMultiple(of: 4)
      let waiting = Task { [test] in
        try await test.store.outcome(of: ask.id, atMost: .seconds(60))
      }
      let results: [CloseResult] = try await withThrowingTaskGroup(of: CloseResult?.self) { group in
        for index in 0..<50 {
          group.addTask { [test] in
            if expires, index == 25 {
              test.clock.advance(by: .seconds(1))
              _ = try await test.store.expireDue(limit: 10)
              return nil
            }
            return try await test.store.close(ask.id, as: Self.outcome(index))
          }
        }
        return try await group.reduce(into: []) { results, result in if let result { results.append(result) } }
      }
      let kept = try #require(try await test.store.ask(ask.id)?.closed)
      #expect(results.count(where: \.isClosed) == (kept.outcome == .expired ? 0 : 1))
      for result in results { #expect((result.ended ?? result.endedBefore)?.json == kept.json) }
      #expect(try await waiting.value?.json == kept.json)
      let callbacks = try await test.store.claimCallbacks(limit: 10, perOrigin: 10, lease: .seconds(60))
      #expect(callbacks.map(\.ask) == [ask.id])
      for callback in callbacks { try await test.store.settle(callback, as: .delivered()) }
    }
    #expect(test.store.waiters.count == 0)
  }

  private static func outcome(_ index: Int) -> Outcome {
    switch index % 3 {
    case 0: .cancel
    case 1: .ok(values(#"{"answer":\#(index)}"#))
    default: index == 2 ? .withdrawn : .ok(values("{}"))
    }
  }
}

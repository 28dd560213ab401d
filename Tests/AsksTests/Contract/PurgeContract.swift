import Testing

@testable import Asks
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `Removing what is old` {
  @Test(arguments: StoreKind.all)
  func `takes what was closed before, and leaves open asks and callbacks under way`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    let (open, _) = try await test.make()
    let (old, _) = try await test.make()
    let (awaited, _) = try await test.make(.sample(callback: "https://a.example/"))
    for id in [old.id, awaited.id] { _ = try await test.store.close(id, as: .cancel) }
    _ = try await test.store.append(.cancel, to: "poll", holdsPasswords: false)
    test.clock.advance(by: .seconds(60))
    let (young, _) = try await test.make()
    _ = try await test.store.close(young.id, as: .cancel)

    #expect(try await test.store.purgeAll(before: test.clock.now) == 2)
    #expect(try await test.store.ask(old.id)?.id == nil)
    for id in [open.id, awaited.id, young.id] { #expect(try await test.store.ask(id)?.id == id) }
    #expect(try await test.store.answers(to: "poll", after: nil, limit: 9).isEmpty)

    let callback = try #require(try await test.store.claimCallbacks().first)
    try await test.store.settle(callback, as: .delivered())
    #expect(try await test.store.purgeAll(before: test.clock.now) == 1)
    #expect(try await test.store.ask(awaited.id)?.id == nil)
  }

  @Test(arguments: StoreKind.all)
  func `goes on in small steps while others write`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<500 {
        group.addTask { [test] in
          let (ask, _) = try await test.make()
          _ = try await test.store.close(ask.id, as: .cancel)
        }
      }
      try await group.waitForAll()
    }
    test.clock.advance(by: .seconds(60))
    #expect(try await test.store.purge(before: test.clock.now, limit: 50) == 50)
    let moment = test.clock.now
    async let purged = test.store.purgeAll(before: moment, batch: 10)
    var kept: [AskID] = []
    for _ in 0..<50 {
      let (ask, _) = try await test.make()
      _ = try await test.store.close(ask.id, as: .cancel)
      kept.append(ask.id)
    }
    #expect(try await purged == 450)
    for id in kept { #expect(try await test.store.ask(id)?.closed?.outcome == .cancel) }
  }
}

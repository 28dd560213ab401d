import Testing

@testable import Asks
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `Deliveries that were under way when the program ended` {
  private func close(_ test: StoreUnderTest, _ url: String) async throws -> AskID {
    let (ask, _) = try await test.make(.sample(callback: url))
    _ = try await test.store.close(ask.id, as: .cancel)
    return ask.id
  }

  private func claim(_ test: StoreUnderTest, alone: Bool = false) async throws -> Claimed {
    try await test.store.claim(alone: alone, limit: 9, perReceiver: 9, lease: .seconds(30))
  }

  @Test(arguments: StoreKind.all)
  func `are sent by themselves after all others, and set aside at the third end that they saw alone`(_ kind: StoreKind)
    async throws
  {
    var test = try StoreUnderTest(kind)
    let guilty = try await close(test, "https://a.example/")
    test.clock.advance(by: .seconds(1))
    let innocent = try await close(test, "https://a.example/")
    #expect(try await claim(test).claims.count == 2)
    try await test.endSender()
    let other = try await close(test, "https://b.example/")
    let first = try await claim(test)
    #expect(first.claims.flatMap(\.deliveries).map(\.ask) == [other] && first.setAside.isEmpty)
    let second = try await claim(test)
    #expect(second.claims.isEmpty && !second.foundAny && second.isStruckDue)
    try await test.store.settle(try #require(first.claims.first?.deliveries.first), as: .delivered())
    var (ends, setAside) = (0, [AskID]())
    while try await test.store.statistics().waitingCallbacks > 0 {
      let claimed = try await claim(test, alone: true)
      try #require(claimed.foundAny)
      setAside += claimed.setAside.flatMap(\.deliveries).map(\.ask)
      guard let alone = claimed.claims.first?.deliveries.first else { continue }
      #expect(claimed.claims.count == 1 && claimed.claims[0].deliveries.count == 1)
      if alone.ask == innocent {
        try await test.store.settle(alone, as: .delivered())
      } else {
        ends += 1
        try await test.endSender()
      }
    }
    #expect(ends == 3 && setAside == [guilty])
    #expect(try await test.store.nextDelivery() == nil)
    #expect(try await test.store.statistics().setAside == 1)
  }

  @Test(arguments: StoreKind.all)
  func `have no strike if a stop took them back, and lose it with an attempt that the program outlives`(
    _ kind: StoreKind
  ) async throws {
    var test = try StoreUnderTest(kind)
    let id = try await close(test, "https://a.example/")
    for result in [Delivery.Result.interrupted, .failed(retryAfter: nil)] {
      try await test.store.settle(try #require(try await test.store.claimCallbacks().first), as: result)
      try await test.endSender()
    }
    #expect(try await test.store.claimCallbacks().map(\.ask) == [id])
    try await test.endSender()
    #expect(try await test.store.claimCallbacks().isEmpty)
    let alone = try #require(try await test.store.claimCallbacks(alone: true).first)
    try await test.store.settle(alone, as: .interrupted)
    #expect(try await test.store.claimCallbacks().isEmpty)
    let again = try #require(try await test.store.claimCallbacks(alone: true).first)
    try await test.store.settle(again, as: .failed(retryAfter: nil))
    #expect(try await test.store.claimCallbacks().map(\.ask) == [id])
  }
}

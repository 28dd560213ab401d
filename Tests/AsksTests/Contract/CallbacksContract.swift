import Testing

@testable import Asks
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `Callbacks on their way` {
  private func close(_ test: StoreUnderTest, _ url: String) async throws -> AskID {
    let (ask, _) = try await test.make(.sample(callback: url))
    _ = try await test.store.close(ask.id, as: .cancel)
    return ask.id
  }

  @Test(arguments: StoreKind.all)
  func `are due at once, and one sender's for its lease`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    #expect(try await test.store.nextDelivery() == nil)
    let id = try await close(test, "https://a.example/hook")
    #expect(try await test.store.nextDelivery() == test.clock.now)
    #expect(try await test.store.claimCallbacks().map(\.ask) == [id])
    #expect(try await test.store.claimCallbacks().isEmpty)
    #expect(try await test.store.nextDelivery() == test.clock.now + .seconds(30))
  }

  @Test(arguments: StoreKind.all)
  func `come again when they failed, and no more when delivered or given up`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    for last in [Delivery.Result.delivered(), .givenUp] {
      _ = try await close(test, "https://a.example/hook")
      for attempt in 0..<3 {
        let claimed = try await test.store.claimCallbacks()
        let callback = try #require(claimed.first)
        #expect(claimed.count == 1)
        #expect(callback.attempts == attempt)
        try await test.store.settle(callback, as: .failed(retryAfter: .seconds(5)))
        #expect(try await test.store.claimCallbacks().isEmpty)
        test.clock.advance(by: .seconds(5))
      }
      let callback = try #require(try await test.store.claimCallbacks().first)
      try await test.store.settle(callback, as: last)
      test.clock.advance(by: .seconds(86_400))
      #expect(try await test.store.claimCallbacks().isEmpty)
      #expect(try await test.store.nextDelivery() == nil)
    }
  }

  @Test(arguments: StoreKind.all)
  func `of a sender whose lease is over change nothing but a delivery`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    _ = try await close(test, "https://a.example/hook")
    let slow = try #require(try await test.store.claimCallbacks(limit: 1, perOrigin: 1, lease: .seconds(30)).first)
    test.clock.advance(by: .seconds(30))
    // With several servers it may be that the other one has ended.
    var others = try await test.store.claimCallbacks(limit: 1, perOrigin: 1)
    if others.isEmpty { others = try await test.store.claimCallbacks(alone: true) }
    let quick = try #require(others.first)
    try await test.store.settle(quick, as: .failed(retryAfter: .seconds(5)))
    let due = test.clock.now + .seconds(5)
    try await test.store.settle(slow, as: .failed(retryAfter: .seconds(500)))
    #expect(try await test.store.nextDelivery() == due)
    try await test.store.settle(slow, as: .delivered())
    #expect(try await test.store.nextDelivery() == nil)
  }

  @Test(arguments: StoreKind.all)
  func `that were interrupted are due again at once, as if never tried`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    _ = try await close(test, "https://a.example/hook")
    for _ in 0..<3 {
      let claimed = try await test.store.claimCallbacks(limit: 1, perOrigin: 1, lease: .seconds(30))
      let callback = try #require(claimed.first)
      #expect(callback.attempts == 0)
      try await test.store.settle(callback, as: .interrupted)
    }
  }

  @Test(arguments: StoreKind.all)
  func `to a receiver that does not answer delay no other`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    for index in 0..<10 { _ = try await close(test, "https://dead.example/\(index)") }
    test.clock.advance(by: .seconds(1))
    let alive = try await close(test, "https://alive.example/")
    let claimed = try await test.store.claimCallbacks(limit: 100, perOrigin: 4, lease: .seconds(30))
    #expect(claimed.count == 5)
    #expect(claimed.contains { $0.ask == alive })
    #expect(try await test.store.claimCallbacks(limit: 100, perOrigin: 4, lease: .seconds(30)).isEmpty)
  }
}

import Testing

@testable import Asks
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `Ending an ask` {
  @Test(
    arguments: StoreKind.all,
    [
      (Outcome.ok(values(#"{"email":"a@b"}"#)), #""outcome":"ok","values":{"email":"a@b"}"#),
      (.cancel, #""outcome":"cancel""#),
      (.action("forgot", nil), #""outcome":"action","action":"forgot""#),
      (.action("draft", values(#"{"n":1}"#)), #""outcome":"action","action":"draft","values":{"n":1}"#),
      (.withdrawn, #""outcome":"withdrawn""#),
    ])
  func `writes each outcome as the contract has it`(_ kind: StoreKind, _ expected: (outcome: Outcome, members: String))
    async throws
  {
    let test = try StoreUnderTest(kind)
    let (ask, _) = try await test.make(.sample { $0.terms.metadata = bytes(#"{"k":"v"}"#) })
    let closed = try #require(try await test.store.close(ask.id, as: expected.outcome).ended)
    #expect(
      text(try test.store.secrets.json(of: closed))
        == #"{"createdAt":"2025-11-21T09:30:00.000Z","id":"\#(ask.id)","status":"closed",\#(expected.members),"closedAt":"2025-11-21T09:30:00.000Z","metadata":{"k":"v"}}"#
    )
    #expect(closed.outcome == expected.outcome.kind)
    #expect(try await test.store.ask(ask.id)?.closed?.json == closed.json)
  }

  @Test(arguments: StoreKind.all)
  func `keeps the first outcome`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    let (ask, _) = try await test.make()
    _ = try await test.store.close(ask.id, as: .cancel)
    #expect(try await test.store.close(ask.id, as: .ok(values("{}"))).endedBefore?.outcome == .cancel)
    #expect(try await test.store.close(AskID(), as: .cancel).isUnknown)
  }

  @Test(arguments: StoreKind.all)
  func `lets nobody answer from the moment of expiry on`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    let (early, _) = try await test.make(.sample { $0.expiresIn = .seconds(10) })
    let (late, token) = try await test.make(.sample { $0.expiresIn = .seconds(10) })
    test.clock.advance(by: .milliseconds(9_999))
    #expect(try await test.store.close(late.id, as: .expired).isStillOpen)
    #expect(try await test.store.close(early.id, as: .cancel).isClosed)
    test.clock.advance(by: .milliseconds(1))
    #expect(try await test.store.close(late.id, as: .cancel).endedBefore?.outcome == .expired)
    #expect(try await test.store.ask(linkedBy: token)?.closed?.outcome == .expired)
  }

  @Test(arguments: StoreKind.all)
  func `closes what is overdue when it is read, and all of it when asked to`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    var ids: [AskID] = []
    for seconds in 1...5 {
      ids.append(try await test.make(.sample { $0.expiresIn = .seconds(seconds) }).ask.id)
    }
    test.clock.advance(by: .seconds(4))
    #expect(try await test.store.ask(ids[3])?.closed?.outcome == .expired)
    #expect(try await test.store.expireDue(limit: 2) == 2)
    #expect(try await test.store.expireDue(limit: 2) == 1)
    #expect(try await test.store.expireDue(limit: 2) == 0)
    #expect(try await test.store.ask(ids[4])?.isOpen == true)
  }

  @Test(arguments: StoreKind.all)
  func `closes all that are overdue but the one that cannot be read`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    var ids: [AskID] = []
    for _ in 0..<3 { ids.append(try await test.make(.sample { $0.expiresIn = .seconds(1) }).ask.id) }
    let unreadable = ids.removeFirst().description
    _ = try await test.store.database.withSession { session in
      try session.run("UPDATE asks SET people = $1 WHERE id = $2", [.bytes(bytes("no JSON")), .text(unreadable)])
    }
    test.clock.advance(by: .seconds(1))
    await #expect(throws: StoreFault.self) { try await test.store.expireDue(limit: 9) }
    let closed = try await test.store.asks(areOpen: false, of: nil, after: nil, limit: 9)
    #expect(Set(closed.map(\.id)) == Set(ids))
  }
}

import Testing

@testable import Asks
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `The result of an answer` {
  private func answered(_ test: StoreUnderTest, _ draft: AskDraft = .sample) async throws -> AskID {
    let ask = try await test.make(draft).ask
    #expect(try await test.store.close(ask.id, as: Ended(.ok([:]))).isClosed)
    return ask.id
  }

  private func result(_ test: StoreUnderTest, _ id: AskID) async throws -> AskResult? {
    let closed = try #require(try await test.store.ask(id)?.closed)
    return try test.store.secrets.result(of: closed, at: test.clock.now)
  }

  @Test(arguments: StoreKind.all)
  func `is the first that the program gives, and the same may come again`(_ kind: StoreKind) async throws {
    var test = try StoreUnderTest(kind)
    let id = try await answered(test)
    #expect(try await result(test, id) == nil)
    let failed = AskResult.failed("Cluster \u{202E}unreachable\n")
    for isFirst in [true, false] {
      guard case .finished(let closed, let isNew) = try await test.store.finish(id, as: failed) else {
        Issue.record("it was not kept")
        return
      }
      #expect(isNew == isFirst && closed.outcome == .ok)
      test.clock.advance(by: .seconds(1))
    }
    for other in [.done, .failed(), .failed("Cluster")] as [AskResult] {
      guard case .otherResult(let first) = try await test.store.finish(id, as: other) else {
        Issue.record("\(other) was kept")
        return
      }
      #expect(first.saysTheSame(as: failed))
    }
    try await test.endSender()
    let kept = try #require(try await result(test, id))
    #expect(kept.saysTheSame(as: failed) && kept.at != nil)
    #expect(AskResult(kept.json) == kept)
  }

  @Test(arguments: StoreKind.all)
  func `belongs to an ask that was answered`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    let open = try await test.make().ask.id
    guard case .notAnswered(nil) = try await test.store.finish(open, as: .done) else {
      Issue.record("an open ask has a result")
      return
    }
    for (outcome, takes) in [
      (.ok([:]), true), (.action("later", nil), true), (.cancel, false), (.withdrawn, false),
    ] as [(Outcome, Bool)] {
      let id = try await test.make().ask.id
      #expect(try await test.store.close(id, as: Ended(outcome)).isClosed)
      let isKept = if case .finished = try await test.store.finish(id, as: .done) { true } else { false }
      #expect(isKept == takes, "\(outcome)")
    }
    guard case .unknown = try await test.store.finish(AskID(at: test.clock.now), as: .done) else {
      Issue.record("there is no such ask")
      return
    }
  }

  @Test(arguments: StoreKind.all)
  func `is one, though several are given at once`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    for _ in 0..<5 {
      let id = try await answered(test)
      let results = (0..<8).map { AskResult.failed("\($0)") }
      let finished = await results.sideBySide { result -> AskResult? in
        if case .finished = try await test.store.finish(id, as: result) { result } else { nil }
      }.compactMap { try? $0.get() }
      let kept = try await result(test, id)
      #expect(finished.count == 1 && finished.first.map { kept?.saysTheSame(as: $0) } == true)
    }
  }

  @Test(arguments: StoreKind.all)
  func `is unknown once its time is over, until it comes`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    var draft = AskDraft.sample
    draft.terms.resultWithin = .seconds(600)
    let id = try await answered(test, draft)
    #expect(try await test.store.ask(id)?.terms.resultWithin == .seconds(600))
    test.clock.advance(by: .seconds(599))
    #expect(try await result(test, id) == nil)
    test.clock.advance(by: .seconds(1))
    #expect(try await result(test, id) == AskResult(.unknown))
    _ = try await test.store.finish(id, as: .done)
    #expect(try await result(test, id)?.status == .done)
    let cancelled = try await test.make(draft).ask.id
    _ = try await test.store.close(cancelled, as: Ended(.cancel))
    test.clock.advance(by: .seconds(600))
    #expect(try await result(test, cancelled) == nil)
  }

  @Test(arguments: StoreKind.all)
  func `comes to a reader of the list as a change of its own`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    var ids: [AskID] = []
    for _ in 0..<4 {
      ids.append(try await answered(test))
      test.clock.advance(by: .seconds(1))
    }
    func list(after cursor: ListedAsk.Cursor?) async throws -> [ListedAsk] {
      let after = try cursor.map { try #require(ListedAsk.Cursor($0.description)) }
      return try await test.store.asks(areOpen: nil, of: nil, after: after, limit: 9)
    }
    let all = try await list(after: nil)
    #expect(all.map(\.id) == ids)
    _ = try await test.store.finish(ids[1], as: .done)
    // Whatever was read before, nothing is missed: also after the ask that has moved.
    for (index, cursor) in all.map(\.cursor).enumerated() {
      let rest = [2, 3].filter { $0 > index } + [1]
      #expect(try await list(after: cursor).map(\.id) == rest.map { ids[$0] }, "after \(index)")
    }
    let moved = try #require(try await list(after: nil).last)
    #expect(moved.id == ids[1])
    #expect(text(try moved.line(openedWith: test.store.secrets)).contains(#""result":{"status":"done","at":"#))
    #expect(try await list(after: moved.cursor).isEmpty)
    let next = try await answered(test)
    #expect(try await list(after: moved.cursor).map(\.id) == [next])
    #expect(Set(try await list(after: nil).map(\.id)) == Set(ids + [next]))
  }

  @Test(arguments: StoreKind.all)
  func `has a callback of its own only if its ask waits for it`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    for (within, messages) in [(nil, [.closed]), (.seconds(60), [.closed, .result])] as [(Duration?, [Message])] {
      var draft = AskDraft.sample(callback: "https://a.example/hook")
      draft.terms.resultWithin = within
      let id = try await answered(test, draft)
      _ = try await test.store.finish(id, as: .done)
      let claimed = try await test.store.claimCallbacks()
      #expect(claimed.map(\.ask) == messages.map { _ in id })
      #expect(Set(claimed.map(\.message)) == Set(messages))
      for callback in claimed { try await test.store.settle(callback, as: .delivered()) }
      test.clock.advance(by: .seconds(3600))
      #expect(try await test.store.claimCallbacks().isEmpty)
    }
  }

  @Test(arguments: StoreKind.all)
  func `is sealed with the answer if that can hold a password`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    let definition = bytes(#"{"title":"T","fields":[{"name":"p","kind":"password"}]}"#)
    let id = try await answered(test, AskDraft(definition: definition, holdsPasswords: true))
    guard case .finished(let closed, _) = try await test.store.finish(id, as: .failed("hunter2")) else {
      Issue.record("it was not kept")
      return
    }
    #expect(closed.result?.isSealed == true)
    #expect(try await result(test, id)?.text == "hunter2")
  }
}

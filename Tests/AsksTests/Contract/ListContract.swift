import Testing

@testable import Asks
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `A list of asks` {
  @Test(arguments: StoreKind.all)
  func `holds open and closed ones, oldest first, from any cursor on`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    var ids: [AskID] = []
    for index in 0..<12 {
      ids.append(try await test.make(.sample { $0.prompt = ["poll", "other", nil][index % 3] }).ask.id)
      // Two of them have the same moment.
      if index % 2 == 1 { test.clock.advance(by: .milliseconds(1)) }
    }
    for index in [0, 1, 5, 6] { _ = try await test.store.close(ids[index], as: .cancel) }
    func list(
      _ areOpen: Bool?, of prompt: String? = nil, after: ListedAsk.Cursor? = nil, limit: Int = 100
    ) async throws -> [ListedAsk] {
      try await test.store.asks(areOpen: areOpen, of: prompt, after: after, limit: limit)
    }
    let all = try await list(nil)
    #expect(Set(all.map(\.id)) == Set(ids))
    #expect(all.map(\.createdAt) == all.map(\.createdAt).sorted())
    #expect(Set(try await list(false).map(\.id)) == Set([0, 1, 5, 6].map { ids[$0] }))
    #expect(try await list(true).count == 8)
    #expect(Set(try await list(nil, of: "poll").map(\.id)) == Set([0, 3, 6, 9].map { ids[$0] }))
    #expect(Set(try await list(true, of: "poll").map(\.id)) == Set([3, 9].map { ids[$0] }))
    #expect(try await list(nil, of: "none").isEmpty)
    // Page by page it is the same.
    for areOpen in [nil, true, false] as [Bool?] {
      var (pages, after) = ([AskID](), ListedAsk.Cursor?.none)
      while let page = try await list(areOpen, after: after, limit: 3).nonEmpty {
        pages += page.map(\.id)
        let last = try #require(page.last).cursor.description
        let cursor: ListedAsk.Cursor = try #require(ListedAsk.Cursor(last))
        after = cursor
      }
      #expect(pages == (try await list(areOpen).map(\.id)))
    }
  }

  /// Promise 1.10 | A program that follows the list of asks misses none.
  @Test(arguments: StoreKind.all)
  func `is in the order of commits, so that a program that follows it misses none`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    let (writers, each) = (8, 25)
    async let made = withThrowingTaskGroup(of: [AskID].self) { group in
      for writer in 0..<writers {
        group.addTask {
          var ids: [AskID] = []
          for number in 0..<each {
            ids.append(try await test.make().ask.id)
            if number % 2 == 0 { _ = try await test.store.close(ids[number], as: .cancel) }
            // Clocks are set back, and one reads another time than the next.
            if (writer + number) % 3 == 0 { test.clock.advance(by: .milliseconds(writer % 2 == 0 ? 5 : -9)) }
          }
          return ids
        }
      }
      return try await group.reduce([], +)
    }
    var (followed, cursor) = ([AskID](), ListedAsk.Cursor?.none)
    while followed.count < writers * each, !Task.isCancelled {
      let part = try await test.store.asks(areOpen: nil, of: nil, after: cursor, limit: 7)
      followed += part.map(\.id)
      if let last = part.last { cursor = ListedAsk.Cursor("\(last.cursor)") }
    }
    let ids = try await made
    #expect(followed.count == Set(followed).count)
    #expect(Set(followed) == Set(ids))
    // After the newest are gone, their positions do not come again.
    for id in ids { _ = try await test.store.close(id, as: .cancel) }
    test.clock.advance(by: .seconds(86_400))
    let kept = try await test.make().ask.id
    #expect(try await test.store.purgeAll(before: test.clock.now) == ids.count)
    #expect(try await test.store.asks(areOpen: nil, of: nil, after: cursor, limit: 9).map(\.id) == [kept])
  }

  @Test(arguments: StoreKind.all, [false, true])
  func `has a line of JSON for each, sealed or not`(_ kind: StoreKind, _ sealed: Bool) async throws {
    let test = try StoreUnderTest(kind)
    var draft = AskDraft(definition: bytes(#"{"title":"T"}"#), holdsPasswords: sealed)
    draft.prompt = "poll"
    draft.terms.metadata = bytes(#"{"order":7}"#)
    let id = try await test.make(draft).ask.id
    func line() async throws -> String {
      let asks = try await test.store.asks(areOpen: nil, of: nil, after: nil, limit: 1)
      return text(try #require(asks.first).line(openedWith: test.store.secrets))
    }
    let head =
      #"{"cursor":"1763717400000-\#(id)","prompt":"poll","createdAt":"2025-11-21T09:30:00.000Z","#
      + #""expiresAt":"2025-11-22T09:30:00.000Z","id":"\#(id)","#
    #expect(try await line() == head + #""status":"open","metadata":{"order":7}}"#)
    _ = try await test.store.close(id, as: .ok(values(#"{"pin":"1"}"#)))
    let closed = #""status":"closed","outcome":"ok","values":{"pin":"1"},"closedAt":"2025-11-21T09:30:00.000Z","#
    #expect(try await line() == head + closed + #""metadata":{"order":7}}"#)
  }

  @Test(arguments: [
    "", "1", "-", "1-", "01-00000000000000000000000000", "-1-00000000000000000000000000", "1-x", "1-0-0",
  ])
  func `refuses a cursor that no server wrote`(_ text: String) { #expect(ListedAsk.Cursor(text) == nil) }
}

extension Array {
  fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}

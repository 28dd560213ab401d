import Testing

@testable import Asks
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `Answers to a standing prompt` {
  @Test(arguments: StoreKind.all)
  func `are listed in order, each once, from any cursor on`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    var cursors: [StandingAnswer.Cursor] = []
    for index in 0..<7 {
      cursors.append(
        try await test.store.append(.ok(values(#"{"n":\#(index)}"#)), to: "poll", holdsPasswords: false))
      _ = try await test.store.append(.cancel, to: "other", holdsPasswords: false)
    }
    let first = try await test.store.answers(to: "poll", after: nil, limit: 3)
    #expect(first.map(\.cursor) == Array(cursors[..<3]))
    let text = try #require(first.last).cursor.description
    let cursor = try #require(StandingAnswer.Cursor(text))
    let rest = try await test.store.answers(to: "poll", after: cursor, limit: 100)
    #expect(rest.map(\.cursor) == Array(cursors[3...]))
    #expect(try await test.store.answers(to: "poll", after: cursors[6], limit: 100).isEmpty)
    #expect(try await test.store.answers(to: "none", after: nil, limit: 100).isEmpty)
    // Read until the bytes are enough: the answer that makes them so is the last.
    let sizes = first.map(\.outcome.stored.count)
    for (bytes, count) in [(1, 1), (sizes[0], 1), (sizes[0] + 1, 2), (sizes[0] + sizes[1] + 1, 3)] {
      #expect(try await test.store.answers(to: "poll", after: nil, limit: 3, bytes: bytes).count == count)
    }
  }

  @Test(arguments: StoreKind.all, [false, true])
  func `say who gave them, sealed with a password`(_ kind: StoreKind, _ sealed: Bool) async throws {
    let test = try StoreUnderTest(kind)
    let given = Ended.by("ada@example.com", in: ["release"])
    _ = try await test.store.append(given, to: "poll", holdsPasswords: sealed, receipt: nil, idempotency: nil)
    let answer = try #require(try await test.store.answers(to: "poll", after: nil, limit: 1).first)
    #expect(text(answer.outcome.stored).contains("ada@example.com") == !sealed)
    #expect(
      text(try answer.line(openedWith: test.store.secrets)).contains(
        #""by":{"id":"ada@example.com","via":"header"}"#))
    #expect(try answer.ended(openedWith: test.store.secrets).by?.person == Person(id: "ada@example.com"))
  }

  @Test(arguments: StoreKind.all, [false, true])
  func `read as a line of JSON, sealed or not`(_ kind: StoreKind, _ sealed: Bool) async throws {
    let test = try StoreUnderTest(kind)
    let cursor = try await test.store.append(
      .ok(values(#"{"pin":"1234"}"#)), to: "poll", holdsPasswords: sealed)
    let answer = try #require(try await test.store.answers(to: "poll", after: nil, limit: 1).first)
    #expect(answer.outcome.isSealed == sealed)
    #expect(
      text(try answer.line(openedWith: test.store.secrets))
        == #"{"cursor":"\#(cursor)","answeredAt":"2025-11-21T09:30:00.000Z","outcome":"ok","values":{"pin":"1234"}}"#
    )
  }

  @Test(arguments: StoreKind.all, [false, true])
  func `carry what they are about`(_ kind: StoreKind, _ sealed: Bool) async throws {
    let test = try StoreUnderTest(kind)
    let receipt = Receipt()
    _ = try await test.store.append(
      .ok(values("{}")), to: "poll", about: "user-7", holdsPasswords: sealed, receipt: receipt)
    let answer = try #require(try await test.store.answer(for: receipt))
    #expect(text(try answer.line(openedWith: test.store.secrets)).hasSuffix(#""values":{},"subject":"user-7"}"#))
    let ended = try answer.ended(openedWith: test.store.secrets)
    #expect(ended.outcome.word == "ok" && ended.subject == "user-7")
  }

  @Test(arguments: ["", "-1", "+1", "01", "1 ", "x", "9999999999999999999"])
  func `refuse a cursor that no server wrote`(_ text: String) { #expect(StandingAnswer.Cursor(text) == nil) }
}

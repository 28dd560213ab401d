import Asks
import Prompts
import Testing

@Suite("Answers to a standing prompt")
struct AnswersContract {
  @Test("are listed in order, each once, from any cursor on", arguments: StoreKind.all)
  func list(_ kind: StoreKind) async throws {
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

  @Test("read as a line of JSON, sealed or not", arguments: StoreKind.all, [false, true])
  func line(_ kind: StoreKind, _ sealed: Bool) async throws {
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

  @Test("refuse a cursor that no server wrote", arguments: ["", "-1", "+1", "01", "1 ", "x", "9999999999999999999"])
  func cursor(_ text: String) { #expect(StandingAnswer.Cursor(text) == nil) }
}

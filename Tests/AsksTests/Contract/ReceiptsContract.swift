import Testing

@testable import Asks
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `Receipts of answers` {
  @Test(arguments: StoreKind.all, [false, true])
  func `lead to the one answer that they were given for`(_ kind: StoreKind, _ sealed: Bool) async throws {
    let test = try StoreUnderTest(kind)
    let receipts = (0..<3).map { _ in Receipt() }
    for (index, receipt) in receipts.enumerated() {
      let outcome = Outcome.ok(values(#"{"n":\#(index)}"#))
      _ = try await test.store.append(outcome, to: "poll", holdsPasswords: sealed, receipt: receipt)
      _ = try await test.store.append(outcome, to: "poll", holdsPasswords: sealed)
    }
    let answer = try #require(try await test.store.answer(for: receipts[1]))
    #expect(answer.prompt == "poll")
    #expect(
      text(try answer.json(redeeming: receipts[1], openedWith: test.store.secrets))
        == #"{"receipt":"\#(receipts[1])","prompt":"poll","cursor":"\#(answer.cursor)","answeredAt":"2025-11-21T09:30:00.000Z","outcome":"ok","values":{"n":1}}"#
    )
    #expect(try await test.store.answer(for: Receipt()) == nil)
  }

  @Test(arguments: StoreKind.all)
  func `go with their answer`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    let receipt = Receipt()
    _ = try await test.store.append(.ok(values("{}")), to: "poll", holdsPasswords: false, receipt: receipt)
    let answer = try #require(try await test.store.answer(for: receipt))
    _ = try await test.store.purgeAll(before: answer.answeredAt + .seconds(1))
    #expect(try await test.store.answer(for: receipt) == nil)
  }

  @Test(arguments: ["", "x", "0000000000000000000000000", "8zzzzzzzzzzzzzzzzzzzzzzzzz", "0000000000000000000000000A"])
  func `are read as they were written`(_ text: String) { #expect(Receipt(text) == nil) }
}

import Testing

@testable import Asks
@testable import Prompts

@Suite struct `A message to a channel` {
  private func entry(ended: Bool = false) -> NoticeEntry {
    NoticeEntry(
      ask: AskID(), title: String(repeating: "A", count: 150), language: .english, askedBy: nil, requestedBy: nil,
      expiresAt: .zero, link: ended ? nil : "https://ask.example.com/a/x", ended: ended ? (.ok, "Ada", .zero) : nil)
  }

  @Test func `is an end once all that it told of has ended, even what it has no room to show`() {
    let rows: [(ended: [Bool], event: String)] = [
      ([true], "closed"), ([false], "changed"), ([true, false], "changed"), ([true, true], "closed"),
      (Array(repeating: true, count: 40), "closed"), (Array(repeating: true, count: 39) + [false], "changed"),
    ]
    for row in rows {
      let message = NoticeMessage(.closed, row.ended.map(entry), id: "m")
      #expect(message.event == row.event, "\(row.ended.count)")
    }
    #expect(NoticeMessage(.asked, [entry()], id: "m").event == "asked")
    #expect(NoticeMessage(.reminder, [entry()], id: "m").event == "reminder")
  }

  @Test func `is tried for as long as its question is open, and its end for a day`() {
    let pauses = (1...20).map { RetrySchedule.notices.pause(afterAttempts: $0, chance: 1) }
    let first = [1, 2, 4, 8, 16, 32] + Array(repeating: 60, count: 9)
    #expect(pauses == (first + Array(repeating: 300, count: 5)).map { .seconds($0) })
    #expect(RetrySchedule.notices.pause(afterAttempts: .max, chance: 0) == .seconds(300))
    var (attempts, tried) = (0, Duration.zero)
    while let pause = RetrySchedule.ends.pause(afterAttempts: attempts + 1, chance: 0) {
      (attempts, tried) = (attempts + 1, tried + pause)
    }
    #expect(tried >= .seconds(86_400) && tried < .seconds(86_400 + 300))
  }
}

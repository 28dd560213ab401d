import Foundation
import Testing

@testable import Asks
@testable import Prompts

@Suite struct `Values of an ask` {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (951_782_400_000, "2000-02-29T00:00:00.000Z"), (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
      (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ] as [(Int64, String)])
  func `write moments as RFC 3339`(_ milliseconds: Int64, _ text: String) {
    #expect(Timestamp(milliseconds: milliseconds).description == text)
  }

  @Test func `agree with another calendar on every day of eight centuries`() {
    let style = Date.ISO8601FormatStyle()
    for day in stride(from: Int64(-141_000), to: 150_000, by: 1) {
      let ours = Timestamp(milliseconds: day * 86_400_000).description
      let theirs = style.format(Date(timeIntervalSince1970: Double(day) * 86_400))
      if ours.prefix(10) != theirs.prefix(10) {
        Issue.record("\(ours) is \(theirs)")
        return
      }
    }
  }

  @Test func `tell the system's time`() {
    let difference = Double(WallClock.system.now.milliseconds) / 1000 - Date().timeIntervalSince1970
    #expect(abs(difference) < 5)
  }

  /// Promise 2.7 | Links and receipts have 128 bits from the system's random generator; the server accepts nothing
  /// else as one.
  /// ASVS 11.5.1 | 128 random bits | from the system's generator
  @Test func `read back ids and tokens, and nothing else`() throws {
    for _ in 0..<200 {
      let token = LinkToken()
      #expect(token.text.utf8.count == 26)
      #expect(LinkToken(token.text)?.digest == token.digest)
      #expect(try #require(AskID(AskID().description)) != AskID())
      #expect(LinkToken().digest != token.digest)
    }
    let zero = String(repeating: "0", count: 26)
    #expect(LinkToken("7" + String(repeating: "z", count: 25))?.text == "7" + String(repeating: "z", count: 25))
    for text in [
      "", "0", zero + "0", "8" + zero.dropLast(), zero.dropLast() + "u", zero.dropLast() + "Z", zero.dropLast() + "é",
    ] {
      #expect(LinkToken(String(text)) == nil, "\(text)")
      #expect(AskID(String(text)) == nil, "\(text)")
    }
  }

  @Test func `give an ask an id that sorts by the moment it was made at, and differs from every other`() {
    let moments = [0, 1, 1_763_717_400_000, 1_763_717_400_001, 1 << 47].map(Timestamp.init(milliseconds:))
    let ids = moments.map { AskID(at: $0).description }
    #expect(ids == ids.sorted())
    #expect(ids.allSatisfy { AskID($0)?.description == $0 })
    #expect(Set((0..<1000).map { _ in AskID(at: moments[2]) }).count == 1000)
  }

  @Test func `print no token`() {
    let token = LinkToken()
    #expect(!"\(token)".contains(token.text))
  }

  @Test(arguments: [
    ("", false), ("a", true), ("a b", false), ("é", false), ("a\n", false),
    (String(repeating: "k", count: 255), true), (String(repeating: "k", count: 256), false),
  ])
  func `refuse idempotency keys that are none`(_ text: String, _ isKey: Bool) {
    #expect((IdempotencyKey(text, body: []) != nil) == isKey)
  }

  @Test func `know by the prompt whether there is a password to seal`() {
    #expect(!AskDraft(Prompt(title: "T", fields: [Field("email", kind: .email)])).holdsPasswords)
    let draft = AskDraft(Prompt(title: "T", fields: [Field("p", kind: .password)]), named: "login")
    #expect(draft.holdsPasswords)
    #expect(draft.prompt == "login")
    #expect(text(draft.definition).hasPrefix(#"{"title":"T""#))
  }

  @Test func `try a callback again as Standard Webhooks has it, each time a little later`() {
    let schedule = RetrySchedule.standardWebhooks
    let pauses = (1...10).map { schedule.pause(afterAttempts: $0, chance: 0) }
    #expect(
      pauses == [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, nil].map { $0.map { .seconds($0) } })
    #expect(schedule.pause(afterAttempts: 0, chance: 0) == nil)
    #expect(schedule.pause(afterAttempts: 2, chance: 0.5) == .seconds(315))
  }

  @Test(arguments: [
    ("https://A.example:8443/x?y", "https://a.example:8443"), ("http://a.example", "http://a.example"),
    ("https://a.example?q", "https://a.example"), ("nothing", "unreadable:"),
    ("smtp://ops:swordfish@a.example", "unreadable:"),
  ])
  func `group callbacks by origin`(_ url: String, _ origin: String) { #expect(CallbackURL.origin(of: url) == origin) }

  /// ASVS 16.5.1 | errors reveal no internals | no paths and no database messages
  @Test(
    arguments: [
      StoreFault.file("/secret/place", errno: 5), StoreFault("read-only", ["path": "/secret/place"]),
      StoreFault("not-a-database", ["path": "/secret/place"]),
      StoreFault("foreign-database", ["path": "/secret/place"]), StoreFault("newer-schema", ["path": "/secret/place"]),
      StoreFault("damaged", ["path": "/secret/place", "detail": "secret words"]),
      StoreFault("in-use", ["path": "/secret/place"]),
      StoreFault("not-durable", ["setting": "secret", "value": "words"]),
      StoreFault("write-failed", ["detail": "secret words"]),
      StoreFault("read-failed", ["detail": "secret words"]),
      StoreFault("orphaned-key", ["key": "/secret/place.key", "path": "/secret/place"]),
      StoreFault("orphaned-log", ["log": "/secret/place-wal", "path": "/secret/place"]),
      StoreFault("gone", ["file": "secret.sqlite"]),
      Rescue.failed(detail: "secret words").fault(ofLog: "secret.sqlite-wal"),
    ])
  func `say of a fault of the store nothing of the inside to strangers`(_ fault: StoreFault) {
    #expect(fault.description.contains("secret"))
    #expect(!fault.publicDescription.contains("secret"))
    #expect(fault.publicDescription.contains("; try again later, and if it goes on, tell the operator"))
  }
}

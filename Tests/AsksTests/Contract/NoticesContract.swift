import Testing

@testable import Asks
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `Notices on their way` {
  private static let channels = [
    ("ops", "ntfy+http://127.0.0.1:9/a?every=10s"),
    ("mail", "smtp://127.0.0.1:9/?from=okcancel@example.com&domains=example.com"),
  ].map { name, url in
    do { return try Channel(name: name, url: url) } catch { preconditionFailure("\(url): \(error)") }
  }

  private func ask(
    _ test: StoreUnderTest, _ channels: [String] = ["ops"], for only: [String] = [], remindBefore: Duration? = nil
  ) async throws -> AskID {
    var draft = AskDraft.sample
    var notices = Notices()
    (notices.noticePlan.channels, notices.noticePlan.remindBefore) = (channels, remindBefore)
    notices.linkedFrom = "https://ask.example.com"
    (draft.terms.notices, draft.terms.answerers.only) = (notices, only.map { Answerers.Entry($0) })
    return try #require(try await test.store.create(draft, idempotency: nil, through: Self.channels).made).ask.id
  }

  private func claim(_ test: StoreUnderTest, limits: [String: Int] = [:], alone: Bool = false) async throws -> [Claim] {
    try await test.store.claim(
      through: Self.channels, alone: alone, limit: 9, perReceiver: 4, limits: limits, lease: .seconds(15)
    ).claims
  }

  @Test(arguments: StoreKind.all)
  func `go out together, no sooner than their channel allows, and once`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    let first = try await ask(test)
    let claimed = try #require(try await claim(test).first)
    #expect(
      claimed.origin == "ops" && claimed.deliveries.map(\.ask) == [first] && claimed.deliveries[0].message == .asked)
    #expect(try await claim(test).isEmpty)
    try await test.store.settle(claimed.deliveries[0], as: .delivered(sent: "m1"))
    let others = [try await ask(test), try await ask(test)]
    #expect(try await claim(test).isEmpty)
    test.clock.advance(by: .seconds(10))
    #expect(try await claim(test, limits: ["ops": 0]).isEmpty)
    let both = try #require(try await claim(test).first)
    #expect(Set(both.deliveries.map(\.ask)) == Set(others))
    for notice in both.deliveries { try await test.store.settle(notice, as: .delivered(sent: "m2")) }
    test.clock.advance(by: .seconds(3600))
    #expect(try await claim(test).isEmpty)
    #expect(Set(try await test.store.asks(toldBy: "m2", tried: nil)) == Set(others))
    #expect(try await test.store.statistics().waitingNotices == 0)
  }

  @Test(arguments: StoreKind.all)
  func `are taken back when the ask ends, at once and even if they are on their way`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    let (sent, unsent, underWay) = (try await ask(test), try await ask(test), try await ask(test))
    let notices = try #require(try await claim(test).first).deliveries
    func notice(_ id: AskID) throws -> Delivery { try #require(notices.first { $0.ask == id }) }
    try await test.store.settle(try notice(sent), as: .delivered(sent: "m"))
    try await test.store.settle(try notice(unsent), as: .failed(retryAfter: nil))
    for id in [sent, unsent, underWay] { _ = try await test.store.close(id, as: .cancel) }
    try await test.store.settle(try notice(underWay), as: .delivered(sent: "n"))
    let back = try #require(try await claim(test).first).deliveries
    #expect(Set(back.map(\.ask)) == [sent, underWay] && back.allSatisfy { $0.message == .closed && $0.attempts == 0 })
    #expect(Set(back.map(\.sent)) == ["m", "n"])
    for notice in back { try await test.store.settle(notice, as: .delivered(sent: notice.sent)) }
    test.clock.advance(by: .seconds(3600))
    #expect(try await claim(test).isEmpty)
    let entry = try #require(try await test.store.entry(of: sent))
    #expect(entry.link == nil && entry.ended?.outcome == .cancel)
  }

  @Test(arguments: StoreKind.all)
  func `that are on their way and cannot be updated are not sent again`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    for result in [Delivery.Result.delivered(), .failed(retryAfter: nil), .interrupted, .givenUp] {
      let id = try await ask(test)
      let claimed = try #require(try await claim(test).first)
      _ = try await test.store.close(id, as: .cancel)
      try await test.store.settle(claimed.deliveries[0], as: result)
      test.clock.advance(by: .seconds(3600))
      #expect(try await claim(test).isEmpty, "\(result)")
    }
  }

  @Test(arguments: StoreKind.all)
  func `go to who was added, not to who was removed, and at the new time again`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    let id = try await ask(
      test, ["for"], for: ["ada@example.com", "bob@example.com", "eve@evil.example", "group:x"],
      remindBefore: .seconds(3600))
    func origins() async throws -> [String] {
      let claimed = try await claim(test)
      for each in claimed {
        for notice in each.deliveries { try await test.store.settle(notice, as: .delivered()) }
      }
      return claimed.map { "\($0.origin) \($0.deliveries.map(\.message.rawValue).sorted().joined())" }.sorted()
    }
    #expect(try await origins() == ["mail ada@example.com asked", "mail bob@example.com asked"])
    let end = test.clock.now + .seconds(9000)
    _ = try await test.store.change(
      id, for: [.person("ada@example.com"), .person("dora@example.com")], expiresAt: end, through: Self.channels)
    #expect(try await origins() == ["mail dora@example.com asked"])
    test.clock.advance(by: .seconds(5399))
    #expect(try await origins() == [])
    test.clock.advance(by: .seconds(1))
    #expect(try await origins() == ["mail ada@example.com reminder", "mail dora@example.com reminder"])
    test.clock.advance(by: .seconds(60))
    _ = try await test.store.change(
      id, for: ["ada", "dora", "fay"].map { .person("\($0)@example.com") }, through: Self.channels)
    #expect(try await origins() == ["mail fay@example.com askedreminder"])
    test.clock.advance(by: .seconds(3540))
    #expect(try await test.store.ask(id)?.closed?.outcome == .expired)
    #expect(try await origins() == [])
  }

  @Test(arguments: StoreKind.all)
  func `that were under way in one message when the program ended go out one by one`(_ kind: StoreKind) async throws {
    var test = try StoreUnderTest(kind)
    let ids = [try await ask(test), try await ask(test), try await ask(test)]
    #expect(try await claim(test).first?.deliveries.count == 3)
    try await test.endSender()
    #expect(try await claim(test).isEmpty)
    var ended: Set<AskID> = []
    // The last of them ends the program each time.
    for _ in 0..<5 {
      test.clock.advance(by: .seconds(10))
      let claimed = try await claim(test, alone: true)
      let notice = try #require(claimed.first?.deliveries.first)
      #expect(claimed.count == 1 && claimed[0].deliveries.count == 1)
      if ended.count < 2 {
        try await test.store.settle(notice, as: .delivered())
        ended.insert(notice.ask)
      } else {
        try await test.endSender()
        #expect(try await claim(test, alone: true).isEmpty)
      }
    }
    let setAside = try #require(Set(ids).subtracting(ended).first)
    #expect(
      try await test.store.statistics()
        == StoreStatistics(
          openAsks: 3, waitingCallbacks: 0, waitingNotices: 0, failingNotices: 0, setAside: 1))
    _ = try await test.store.change(setAside, expiresAt: test.clock.now + .seconds(9000), through: Self.channels)
    #expect(try await test.store.nextDelivery() == nil)
  }

  @Test(arguments: StoreKind.all)
  func `that may have arrived keep the name of their message, and are taken back by it`(_ kind: StoreKind) async throws
  {
    let test = try StoreUnderTest(kind)
    let (one, other) = (try await ask(test), try await ask(test))
    let lost = try #require(try await claim(test).first).deliveries
    let name = try #require(lost[0].tried)
    #expect(lost.map(\.tried) == [name, name] && lost.map(\.id).min() == name)
    for notice in lost { try await test.store.settle(notice, as: .failed(retryAfter: nil), mayHaveArrived: true) }
    _ = try await test.store.close(one, as: .cancel)
    let third = try await ask(test)
    test.clock.advance(by: .seconds(10))
    let next = try #require(try await claim(test).first).deliveries
    let end = try #require(next.first { $0.message == .closed })
    #expect(end.ask == one && end.sent == nil && end.tried == name)
    #expect(Set(try await test.store.asks(toldBy: "m", tried: name)) == [one, other])
    let news = Dictionary(grouping: next.filter { $0.message == .asked }, by: \.ask)
    #expect(news[other]?[0].tried == name)
    let fresh = try #require(news[third]?.first)
    #expect(try await !test.store.knowsNames("ops"))
    try await test.store.settle(fresh, as: .delivered(sent: "n"))
    #expect(try await test.store.knowsNames("ops"))
    // What was refused has no name that anybody knows.
    try await test.store.settle(try #require(news[other]?.first), as: .failed(retryAfter: nil))
    _ = try await test.store.close(other, as: .cancel)
    try await test.store.settle(end, as: .delivered(sent: "m"))
    test.clock.advance(by: .seconds(10))
    #expect(try await claim(test).isEmpty)
    #expect(try await test.store.told(of: other).map(\.state) == [.withdrawn])
    #expect(try await test.store.told(of: one).map(\.state) == [.sent])
  }

  @Test(arguments: StoreKind.all)
  func `are updated when the end of their question moves, without a turn`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    let id = try await ask(test)
    try await test.store.settle(
      try #require(try await claim(test).first?.deliveries.first), as: .delivered(sent: "m"))
    _ = try await test.store.change(id, for: [.person("ada")], through: Self.channels)
    #expect(try await claim(test).isEmpty)
    _ = try await test.store.change(id, expiresAt: test.clock.now + .seconds(60), through: Self.channels)
    let update = try #require(try await claim(test).first?.deliveries.first)
    #expect(update.message == .asked && update.sent == "m" && update.isUpdate && update.attempts == 0)
    // An end that comes meanwhile is told afterwards.
    #expect(try await test.store.withdraw(id).isClosed)
    try await test.store.settle(update, as: .delivered(sent: "m"))
    #expect(try await claim(test).first?.deliveries.map(\.message) == [.closed])
  }

  @Test(arguments: StoreKind.all)
  func `are updated if the end of their question moved while they were on their way`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    let id = try await ask(test)
    var notice = try #require(try await claim(test).first?.deliveries.first)
    // Of the message, then of its update.
    for seconds in [60, 120] {
      let shown = try #require(try await test.store.entry(of: id)).expiresAt
      _ = try await test.store.change(id, expiresAt: test.clock.now + .seconds(seconds), through: Self.channels)
      try await test.store.settle(notice, as: .delivered(sent: "m"), shownEnd: shown)
      #expect(try await test.store.told(of: id).map(\.state) == [.sent])
      notice = try #require(try await claim(test).first?.deliveries.first)
      #expect(notice.message == .asked && notice.sent == "m" && notice.attempts == 0)
    }
    let shown = try #require(try await test.store.entry(of: id)).expiresAt
    try await test.store.settle(notice, as: .delivered(sent: "m"), shownEnd: shown)
    #expect(try await claim(test).isEmpty)
  }

  @Test(arguments: StoreKind.all)
  func `that were sent were tried, also if the end came while they were on their way`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    for name in [nil, "m"] {
      let id = try await ask(test)
      let notice = try #require(try await claim(test).first?.deliveries.first)
      _ = try await test.store.close(id, as: .cancel)
      try await test.store.settle(notice, as: .delivered(sent: name))
      let told = try await test.store.told(of: id)
      #expect(told.map(\.state) == [.sent] && told.map(\.attempts) == [1])
      test.clock.advance(by: .seconds(10))
      for end in try await claim(test).flatMap(\.deliveries) {
        try await test.store.settle(end, as: .delivered(sent: name))
      }
      #expect(try await test.store.told(of: id).map(\.attempts) == [1])
      test.clock.advance(by: .seconds(10))
    }
  }

  @Test(arguments: StoreKind.all)
  func `say what became of them`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    let id = try await ask(test, ["ops"], remindBefore: .seconds(60))
    func told() async throws -> Told { try #require(try await test.store.told(of: id).first) }
    #expect(
      try await test.store.told(of: id)
        == [Told(channel: "ops", state: .waiting, attempts: 0, at: test.clock.now, error: nil)])
    test.clock.advance(by: .seconds(1))
    try await test.store.settle(
      try #require(try await claim(test).first?.deliveries.first), as: .failed(retryAfter: nil), error: "responded 403")
    #expect(
      try await told()
        == Told(channel: "ops", state: .waiting, attempts: 1, at: test.clock.now, error: "responded 403"))
    #expect(try await test.store.statistics().failingNotices == 1)
    test.clock.advance(by: .seconds(10))
    try await test.store.settle(
      try #require(try await claim(test).first?.deliveries.first), as: .givenUp, error: "responded 400")
    #expect(try await told().state == .failed)
    #expect(try await test.store.statistics().failingNotices == 0)
  }

  /// Each stored moment that is compared with the clock, but for those of a question itself: how to make one of them
  /// wait, and for how long at most.
  private static let waits:
    [(name: String, seconds: Int, make: @Sendable (StoreUnderTest, Claim) async throws -> Void)] = [
      ("turn", 10, { test, claim in try await test.store.settle(claim.deliveries[0], as: .delivered()) }),
      (
        "attempt", 50,
        { test, claim in
          try await test.store.settle(claim.deliveries[0], as: .failed(retryAfter: .seconds(50)))
        }
      ),
      ("lease", 30, { _, _ in }),
    ]

  @Test(arguments: StoreKind.all)
  func `wait no longer than for their own time, whatever the clock does`(_ kind: StoreKind) async throws {
    for shift in [-3600, 3600] {
      for wait in Self.waits {
        let test = try StoreUnderTest(kind)
        _ = try await ask(test)
        try await wait.make(test, try #require(try await claim(test).first))
        test.clock.advance(by: .seconds(shift))
        try await test.store.rewind(asItStarts: false)
        if wait.name == "turn" {
          _ = try await ask(test)
          #expect(try await !claim(test).isEmpty, "\(wait.name) \(shift)")
          continue
        }
        if shift < 0 {
          #expect(try await claim(test).isEmpty, "\(wait.name) \(shift)")
          #expect(try await test.store.nextDelivery() == test.clock.now + .seconds(wait.seconds), "\(wait.name)")
          test.clock.advance(by: .seconds(wait.seconds))
        }
        let found = try await test.store.claim(
          through: Self.channels, limit: 9, perReceiver: 4, lease: .seconds(15))
        #expect(found.foundAny, "\(wait.name) \(shift)")
      }
      // What was never tried is due at once, and a reminder keeps its moment, as its question does.
      let test = try StoreUnderTest(kind)
      let id = try await ask(test, remindBefore: .seconds(80_000))
      let end = try #require(try await test.store.ask(id)).expiresAt
      test.clock.advance(by: .seconds(shift))
      try await test.store.rewind(asItStarts: false)
      try await test.store.settle(
        try #require(try await claim(test).first?.deliveries.first { $0.message == .asked }), as: .delivered())
      #expect(try await test.store.nextDelivery() == end - .seconds(80_000))
      #expect(try await test.store.ask(id)?.expiresAt == end)
    }
  }

  @Test(arguments: StoreKind.all)
  func `that failed are due as a server starts, which somebody may have set right`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    _ = try await ask(test, remindBefore: .seconds(60))
    try await test.store.settle(
      try #require(try await claim(test).first?.deliveries.first), as: .failed(retryAfter: .seconds(900)))
    test.clock.advance(by: .seconds(10))
    #expect(try await claim(test).isEmpty)
    try await test.store.rewind(asItStarts: true)
    #expect(try await claim(test).first?.deliveries.map(\.message) == [.asked])
  }

  @Test(arguments: StoreKind.all)
  func `show the title in the ask's language, its link and no value`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    var draft = AskDraft(
      definition: bytes(#"{"title":"A","language":"en","askedIn":"de","translations":{"de":{"title":"Ä"}}}"#),
      holdsPasswords: false)
    draft.terms.notices = Notices()
    draft.terms.notices?.linkedFrom = "https://ask.example.com"
    draft.values = bytes(#"{"a":"secret"}"#)
    let created = try await test.store.create(draft, idempotency: nil, through: Self.channels)
    let (ask, token) = try #require(created.made)
    let entry = try #require(try await test.store.entry(of: ask.id))
    #expect(entry.title == "Ä" && entry.language.tag == "de")
    #expect(entry.link == "https://ask.example.com/a/\(token.text)")
    let message = NoticeMessage(.asked, [entry], id: "x")
    #expect(message.body.hasPrefix("Bis ") && message.body.hasSuffix("\n\nhttps://ask.example.com/a/\(token.text)"))
  }
}

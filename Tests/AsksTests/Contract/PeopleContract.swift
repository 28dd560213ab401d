import TestSupport
import Testing

@testable import Asks
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `Who may answer an ask` {
  @Test(arguments: StoreKind.all)
  func `is kept, and given back with the ask and in lists, but not with the outcome`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    let other = try await test.make().ask.id
    let (made, token) = try await test.make(
      .sample(for: ["ada@example.com", "group:release"], notBy: ["bob@example.com", "ask:\(other)"]) {
        $0.terms.requestedBy = Person(id: "carl", name: "Carl")
        $0.terms.person = Person(id: "ada@example.com")
      })
    let members =
      #""for":["ada@example.com","group:release"],"notBy":["bob@example.com","ask:\#(other)"],"#
      + #""requestedBy":{"id":"carl","name":"Carl"},"person":{"id":"ada@example.com"}"#
    for ask in [made, try await test.store.ask(made.id), try await test.store.ask(linkedBy: token)] {
      let ask = try #require(ask)
      #expect(text(ask.createdJSON(link: nil)).contains(members))
      #expect(ask.terms.apartFrom == [other.description])
    }
    func line() async throws -> String {
      let listed = try await test.store.asks(areOpen: nil, of: nil, after: nil, limit: 9)
      return text(try #require(listed.last).line(openedWith: test.store.secrets))
    }
    #expect(try await line().contains(members))
    let closed = try #require(try await test.store.close(made.id, by: "ada@example.com").ended)
    let json = text(try test.store.secrets.json(of: closed))
    #expect(json.contains(#""by":{"id":"ada@example.com","via":"header"}"#))
    #expect(!json.contains("requestedBy") && !json.contains("notBy"))
    #expect(try await line().contains(members))
  }

  private typealias Rule = (
    for: [String], notBy: [String], requestedBy: String?, person: String?, allows: [String?]
  )

  private static let rules: [Rule] = [
    ([], [], nil, nil, ["ada", "bob", "carl", nil]),
    (["ADA"], [], nil, nil, ["ada"]),
    (["group:release"], [], nil, nil, ["carl"]),
    (["ada", "carl"], ["ADA"], nil, nil, ["carl"]),
    ([], ["ada"], nil, nil, ["bob", "carl"]),
    ([], ["group:release"], nil, nil, ["ada", "bob"]),
    // Without a name the routes decide.
    ([], [], "Ada", nil, ["bob", "carl", nil]),
    (["ada", "bob"], [], "ada", nil, ["bob"]),
    ([], [], nil, "ada", ["ada", nil]),
    (["bob"], [], nil, "ada", []),
    ([], [], "ada", "ada", []),
  ]

  @Test(arguments: StoreKind.all)
  func `is decided when it closes`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    for rule in Self.rules {
      for visitor in ["ada", "bob", "carl", nil] {
        let (ask, _) = try await test.make(
          .sample(for: rule.for, notBy: rule.notBy) {
            $0.terms.requestedBy = rule.requestedBy.map { Person(id: $0) }
            $0.terms.person = rule.person.map { Person(id: $0) }
          })
        let result = try await test.store.close(ask.id, by: visitor, in: visitor == "carl" ? ["release"] : [])
        #expect(result.isClosed == rule.allows.contains(visitor), "\(rule), \(visitor ?? "nobody")")
        #expect(result.isNotAllowed != result.isClosed)
        #expect(try await test.store.ask(ask.id)?.isOpen == result.isNotAllowed)
        guard result.isNotAllowed else { continue }
        #expect(try await test.store.withdraw(ask.id).isClosed)
      }
    }
  }

  @Test(arguments: StoreKind.all)
  func `can be changed while it is open, and is judged anew`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    let (read, _) = try await test.make(.sample(for: ["ada"], notBy: ["carl"]))
    let others = [Answerers.Entry.person("bob"), .person("carl")]
    let changed = try #require(try await test.store.change(read.id, for: others).ask)
    #expect(changed.terms.answerers.only == others)
    #expect(changed.expiresAt == read.expiresAt)
    // Judged by what was read before, she would be allowed.
    #expect(try await test.store.close(read, by: "ada").isNotAllowed)
    #expect(try await test.store.close(read.id, by: "carl").isNotAllowed)
    #expect(try await test.store.close(read.id, by: "bob").isClosed)
    #expect(try await test.store.change(read.id, for: [.person("ada")]).isTooLate)
    #expect(try await test.store.change(AskID(), for: [.person("ada")]).isUnknown)
  }

  @Test(arguments: StoreKind.all)
  func `is waited for until an end that is moved`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    let (read, _) = try await test.make(.sample { $0.expiresIn = .seconds(10) })
    let later = test.clock.now + .seconds(60)
    #expect(try await test.store.change(read.id, expiresAt: later).ask?.expiresAt == later)
    test.clock.advance(by: .seconds(10))
    // As it was read, its time is over.
    #expect(try await test.store.close(read, as: Ended(.expired)).isStillOpen)
    #expect(try await test.store.expireDue(limit: 9) == 0)
    #expect(try await test.store.ask(read.id)?.isOpen == true)
    #expect(try await test.store.asks(areOpen: true, of: nil, after: nil, limit: 9).map(\.expiresAt) == [later])

    // Earlier, too.
    _ = try await test.store.change(read.id, expiresAt: test.clock.now + .seconds(1))
    let waiting = Task { try await test.store.outcome(of: read.id, atMost: .seconds(60)) }
    while test.store.waiters.count == 0, !Task.isCancelled { await Task.yield() }
    test.clock.advance(by: .seconds(1))
    // Whoever waits may have closed it already.
    _ = try await test.store.expireDue(limit: 9)
    #expect(try await waiting.value?.outcome == .expired)
    #expect(try await test.store.change(read.id, expiresAt: later).isTooLate)
  }

  @Test(arguments: StoreKind.all)
  func `is decided once, whatever is changed meanwhile`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    for seed in 0..<50 as Range<UInt64> {
      let (ask, _) = try await test.make(.sample(for: ["ada"]) { $0.expiresIn = .seconds(1) })
      test.clock.advance(by: .seconds(1) - .milliseconds(1))
      let end = test.clock.now + .seconds(5)
      var work: [@Sendable () async throws -> Void] = [
        { _ = try await test.store.change(ask.id, for: [.person("bob")], expiresAt: end) },
        { _ = try await test.store.close(ask, by: "ada") }, { _ = try await test.store.close(ask, by: "bob") },
        { _ = try await test.store.change(ask.id, for: [.person("ada"), .person("bob")]) },
        {
          test.clock.advance(by: .milliseconds(1))
          _ = try await test.store.expireDue(limit: 9)
        },
      ]
      var random = SeededGenerator(seed: seed)
      work.shuffle(using: &random)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for one in work { group.addTask { try await one() } }
        try await group.waitForAll()
      }
      let found = try #require(try await test.store.ask(ask.id))
      guard let closed = found.closed else { continue }
      // Who answered is among those who might at the end: nothing changes after it.
      let json = try JSON(parsing: try test.store.secrets.json(of: closed))
      if let by = json["by"]?.text("id") { #expect(found.terms.admit(Person(id: by)), "seed \(seed)") }
      if closed.outcome == .expired { #expect(closed.closedAt >= found.expiresAt, "seed \(seed)") }
    }
  }
}

extension AskDraft {
  /// One with these entries in its own `for` and `notBy`.
  static func sample(
    for only: [String] = [], notBy never: [String] = [], _ change: (inout AskDraft) -> Void = { _ in }
  ) -> AskDraft {
    var draft = sample
    draft.terms.answerers.only = only.map { Answerers.Entry($0) }
    draft.terms.answerers.never = never.map { Answerers.Entry($0) }
    change(&draft)
    return draft
  }
}

extension Ended {
  /// An answer of somebody, or of nobody with a name.
  static func by(_ id: String?, in groups: [String] = []) -> Ended {
    var ended = Ended(.ok(["n": 1]))
    ended.by = id.map { By(.header, Person(id: $0, name: nil, groups: groups)) } ?? By(.link)
    return ended
  }
}

extension AskStore {
  func close(_ id: AskID, by person: String?, in groups: [String] = []) async throws -> CloseResult {
    try await close(id, as: .by(person, in: groups))
  }

  /// The same for an ask that was read before.
  func close(_ ask: Ask, by person: String?) async throws -> CloseResult { try await close(ask, as: .by(person)) }
}

import TestSupport
import Testing

@testable import Asks
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `Two asks that are not for one person` {
  /// An older ask and a younger one that names it.
  private func pair(_ test: StoreUnderTest) async throws -> (older: AskID, younger: AskID) {
    let older = try await test.make().ask.id
    return (older, try await test.make(.sample(notBy: ["ask:\(older)"])).ask.id)
  }

  /// How many rows say so.
  private func rows(_ test: StoreUnderTest) async throws -> Int {
    try await test.store.database.withSession { session in
      Int(try session.run("SELECT count(*) AS count FROM pairs", []).first?.integer("count") ?? -1)
    }
  }

  @Test(arguments: StoreKind.all, [true, false])
  func `are answered by two, whichever is first`(_ kind: StoreKind, _ isOlderFirst: Bool) async throws {
    let test = try StoreUnderTest(kind)
    for (answers, second, isAllowed) in [
      ("ada", "bob", true), ("ada", "ada", false), ("ADA", "ada", false), ("e\u{301}", "\u{E9}", false),
      // Nobody with a name may be anybody. The younger one is for nobody without a name.
      (isOlderFirst ? nil : "ada", isOlderFirst ? "ada" : nil, false),
    ] as [(String?, String?, Bool)] {
      let (older, younger) = try await pair(test)
      let (one, other) = isOlderFirst ? (older, younger) : (younger, older)
      let asked = try #require(try await test.store.ask(other))
      #expect(try await test.store.mayBeAnswered(asked, by: second.map { Person(id: $0) }))
      #expect(try await test.store.close(one, by: answers).isClosed)
      #expect(try await test.store.mayBeAnswered(asked, by: second.map { Person(id: $0) }) == isAllowed)
      #expect(try await test.store.close(other, by: second).isClosed == isAllowed)
      if !isAllowed {
        #expect(try await test.store.close(other, by: second).isNotAllowed)
        if answers != nil { #expect(try await test.store.close(other, by: "someone else").isClosed) }
      }
      _ = try await test.store.withdraw(other)
      #expect(try await rows(test) == 0)
    }
  }

  @Test(arguments: StoreKind.all)
  func `block nothing if one expired, was withdrawn, or is open`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    for isOlderFirst in [true, false] {
      for outcome in [.withdrawn, .expired] as [Outcome] {
        let older = try await test.make(.sample { $0.expiresIn = .seconds(isOlderFirst ? 1 : 60) }).ask.id
        let younger = try await test.make(
          .sample(notBy: ["ask:\(older)"]) { $0.expiresIn = .seconds(isOlderFirst ? 60 : 1) }
        ).ask.id
        let (one, other) = isOlderFirst ? (older, younger) : (younger, older)
        if outcome == .expired { test.clock.advance(by: .seconds(1)) }
        #expect(try await test.store.close(one, as: outcome).isClosed)
        let late = try await test.make(.sample(notBy: ["ask:\(one)"])).ask.id
        for id in [other, late] { #expect(try await test.store.close(id, by: "ada").isClosed) }
        #expect(try await rows(test) == 0)
      }
    }
  }

  @Test(arguments: StoreKind.all)
  func `may be made when one is answered, or known no longer than that`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    let (named, nameless) = (try await test.make().ask.id, try await test.make().ask.id)
    _ = try await test.store.close(named, by: "ada")
    _ = try await test.store.close(nameless, as: .cancel)
    let (afterNamed, afterNameless, both) = (
      try await test.make(.sample(notBy: ["ask:\(named)"])).ask.id,
      try await test.make(.sample(notBy: ["ask:\(nameless)"])).ask.id,
      try await test.make(.sample(notBy: ["ask:\(named)", "ask:\(named)", "bob"])).ask.id
    )
    // Who answered is known for as long as the other is open, though what they answered is gone.
    test.clock.advance(by: .seconds(1))
    #expect(try await test.store.purgeAll(before: test.clock.now) == 2)
    for id in [afterNamed, both] { #expect(try await test.store.close(id, by: "Ada").isNotAllowed) }
    #expect(try await test.store.close(afterNameless, by: "carl").isNotAllowed)
    #expect(try await test.store.close(both, by: "bob").isNotAllowed)
    for id in [afterNamed, both] { #expect(try await test.store.close(id, by: "carl").isClosed) }
    _ = try await test.store.withdraw(afterNameless)
    #expect(try await rows(test) == 0)

    let key = try #require(IdempotencyKey("deploy", body: bytes("{}")))
    for missing in [named.description, AskID().description, "'},{", ""] {
      let draft = AskDraft.sample(notBy: ["ask:\(both)", "ask:\(missing)"])
      for key in [nil, key] {
        guard case .unknownOther(missing) = try await test.store.create(draft, idempotency: key) else {
          Issue.record("made without \(missing)")
          return
        }
      }
    }
    #expect(try await rows(test) == 0)
    // What refused it took no key, no position, and no place in a list.
    let (ask, _) = try await test.make(.sample(notBy: ["ask:\(both)"]), key)
    test.clock.advance(by: .seconds(1))
    #expect(try await test.store.purgeAll(before: test.clock.now) == 3)
    let again = try await test.store.create(.sample(notBy: ["ask:\(both)"]), idempotency: key)
    #expect(again.found?.ask.id == ask.id)
    #expect(try await test.store.asks(areOpen: nil, of: nil, after: nil, limit: 9).map(\.position) == [6])
  }

  @Test(arguments: StoreKind.all)
  func `are never answered by one person, however many answer at once`(_ kind: StoreKind) async throws {
    let test = try StoreUnderTest(kind)
    for seed in 0..<50 as Range<UInt64> { try await raceApart([test.store], seed: seed) }
    #expect(try await rows(test) == 0)
  }
}

/// Makes asks of which no two are for one person, some of them while others are answered, and lets a few people answer
/// all of them at once, at any of these stores.
///
/// - Parameters:
///   - tolerates: whether an error is expected: it may have been written or not.
///   - disturb: does something meanwhile.
func raceApart(
  _ stores: [AskStore], seed: UInt64, tolerates: @escaping @Sendable (any Error) -> Bool = { _ in false },
  disturb: (@Sendable () async throws -> Void)? = nil
) async throws {
  var random = SeededGenerator(seed: seed)
  @Sendable func make(notBy others: [AskID], at store: AskStore) async throws -> AskID? {
    do {
      let draft = AskDraft.sample(notBy: others.map { "ask:\($0)" })
      return try await store.create(draft, idempotency: nil).made?.ask.id
    } catch  where tolerates(error) { return nil }
  }
  // Each connection that was killed fails one call.
  @Sendable func persisting<Result: Sendable>(_ call: @Sendable () async throws -> Result) async throws -> Result {
    for _ in 0..<50 { do { return try await call() } catch  where tolerates(error) {} }
    return try await call()
  }
  var ids: [AskID] = []
  for _ in 0..<3 {
    if let id = try await make(notBy: ids, at: stores.randomElement(using: &random) ?? stores[0]) { ids.append(id) }
  }
  // As both were read before anybody answered.
  let asks = try await withThrowingTaskGroup(of: Ask?.self) { group in
    for id in ids { group.addTask { try await persisting { try await stores[0].ask(id) } } }
    return try await group.reduce(into: [Ask]()) { if let ask = $1 { $0.append(ask) } }
  }
  var work: [@Sendable () async throws -> AskID?] = []
  for person in ["ada", "bob", "carl", "Ada"] {
    for ask in asks {
      let store = stores.randomElement(using: &random) ?? stores[0]
      work.append {
        _ = try await store.close(ask, by: person)
        return nil
      }
    }
  }
  let store = stores.randomElement(using: &random) ?? stores[0]
  let named = ids
  work.append { try await make(notBy: named, at: store) }
  if seed.isMultiple(of: 3), let id = ids.first {
    work.append {
      _ = try await store.withdraw(id)
      return nil
    }
  }
  work.append {
    try await disturb?()
    return nil
  }
  work.shuffle(using: &random)
  try await withThrowingTaskGroup(of: AskID?.self) { group in
    for one in work {
      group.addTask { do { return try await one() } catch  where tolerates(error) { return nil } }
    }
    for try await id in group { if let id { ids.append(id) } }
  }
  for id in ids.dropFirst(3) { _ = try? await stores[0].close(id, by: "ada") }
  var answered: [String] = []
  for id in ids {
    guard let closed = try await persisting({ try await stores[0].ask(id) })?.closed else { continue }
    let json = try JSON(parsing: try stores[0].secrets.json(of: closed))
    if let person = json["by"]?.text("id") { answered.append(Person.key(person)) }
  }
  #expect(Set(answered).count == answered.count, "seed \(seed): \(answered)")
  // What is disturbed may fail as a whole.
  #expect(!answered.isEmpty || disturb != nil, "seed \(seed)")
  for id in ids { _ = try await persisting { try await stores[0].withdraw(id) } }
}

import Foundation
import Synchronization
import Testing

@testable import Asks
@testable import Prompts

/// Two nodes of one database that do the same work at once, or one of which is gone.
@Suite(.timeLimit(.minutes(5))) struct `Two nodes on one PostgreSQL` {
  private static let (old, new) = (Data(repeating: 7, count: 32), Data(repeating: 8, count: 32))

  private let clock = TestClock()
  private let address: PostgreSQLAddress

  init() throws { address = try PostgreSQLServer.shared.get().makeAddress() }

  private func node(_ keys: Data...) throws -> AskStore {
    let keys = (keys.isEmpty ? [Self.old] : keys).map { $0.base64EncodedString() }.joined(separator: ",")
    return try AskStore(
      address, secrets: SecretSource(environment: keys, file: ""), clock: clock.wallClock)
  }

  /// Both do the same again and again, side by side, until each finds nothing more to do.
  ///
  /// - Returns: how much they did together.
  private func together(
    _ nodes: [AskStore], _ work: @escaping @Sendable (AskStore) async throws -> Int
  ) async throws -> Int {
    try await withThrowingTaskGroup(of: Int.self) { group in
      for node in nodes {
        group.addTask {
          var total = 0
          while case let count = try await work(node), count > 0 { total += count }
          return total
        }
      }
      return try await group.reduce(0, +)
    }
  }

  @Test func `take over the callbacks of one that died with them`() async throws {
    let (dying, living) = (try node(), try node())
    let (ask, _) = try await dying.make(.sample(callback: "https://a.example/hook"))
    _ = try await dying.close(ask.id, as: .cancel)
    let lost = try #require(try await dying.claimCallbacks().first)
    try await dying.close()
    #expect(try await living.claimCallbacks().isEmpty)
    #expect(try await living.nextDelivery() == clock.now + .seconds(30))
    clock.advance(by: .seconds(30))
    #expect(try await living.claimCallbacks().isEmpty)
    let taken = try await living.claimCallbacks(alone: true)
    #expect(taken.map(\.id) == [lost.id])
    #expect(taken.map(\.attempts) == [0])
    try await living.settle(taken[0], as: .delivered())
    #expect(try await living.nextDelivery() == nil)
  }

  @Test func `take back the strike of a callback whose receiver was slower than the lease`() async throws {
    let (slow, other) = (try node(), try node())
    let (ask, _) = try await slow.make(.sample(callback: "https://a.example/hook"))
    _ = try await slow.close(ask.id, as: .cancel)
    let claimed = try #require(try await slow.claimCallbacks().first)
    clock.advance(by: .seconds(30))
    #expect(try await other.claimCallbacks().isEmpty)
    try await slow.settle(claimed, as: .failed(retryAfter: .seconds(5)))
    clock.advance(by: .seconds(5))
    #expect(try await other.claimCallbacks().map(\.attempts) == [1])
  }

  @Test func `expire and remove each ask once`() async throws {
    let nodes = [try node(), try node()]
    var draft = AskDraft.sample(callback: "https://a.example/hook")
    draft.expiresIn = .seconds(1)
    var ids: [AskID] = []
    for index in 0..<200 {
      ids.append(try await nodes[index % 2].make(draft).ask.id)
      _ = try await nodes[index % 2].append(.cancel, to: "poll", holdsPasswords: false)
    }
    clock.advance(by: .seconds(1))
    #expect(try await together(nodes) { try await $0.expireDue(limit: 7) } == 200)
    for id in ids { #expect(try await nodes[0].ask(id)?.closed?.outcome == .expired) }
    // One callback for each, claimed once.
    let claimed = Mutex<[Delivery]>([])
    _ = try await together(nodes) { node in
      let callbacks = try await node.claimCallbacks(limit: 9, perOrigin: 500, lease: .seconds(30))
      claimed.withLock { $0 += callbacks }
      for callback in callbacks { try await node.settle(callback, as: .delivered()) }
      return callbacks.count
    }
    #expect(claimed.withLock { $0.map(\.ask.description).sorted() } == ids.map(\.description).sorted())
    clock.advance(by: .seconds(1))
    let moment = clock.now
    #expect(try await together(nodes) { try await $0.purge(before: moment, limit: 7) } == 400)
    #expect(
      try await nodes[0].statistics()
        == StoreStatistics(openAsks: 0, waitingCallbacks: 0, waitingNotices: 0, failingNotices: 0, setAside: 0))
  }

  /// What a node sealed, and the request that it came with.
  private struct Sealed: Sendable {
    let ask: AskID
    let key: IdempotencyKey
    let pin: String
  }

  private func seal(_ pin: String, at node: AskStore) async throws -> Sealed {
    let key = try #require(IdempotencyKey("key-\(pin)", body: bytes(pin)))
    var draft = AskDraft(definition: bytes(#"{"title":"PIN"}"#), holdsPasswords: true)
    draft.values = bytes(#"{"pin":"\#(pin)"}"#)
    let (ask, _) = try await node.make(draft, key)
    let outcome = Outcome.ok(values(#"{"pin":"\#(pin)"}"#))
    _ = try await node.close(ask.id, as: outcome, idempotency: key)
    _ = try await node.append(outcome, to: "pins", holdsPasswords: true, receipt: nil, idempotency: key)
    return Sealed(ask: ask.id, key: key, pin: pin)
  }

  private func expect(_ sealed: Sealed, openAt node: AskStore) async throws {
    let ask = try #require(try await node.ask(sealed.ask))
    #expect(text(try node.secrets.open(ask.values)) == #"{"pin":"\#(sealed.pin)"}"#)
    let closed = try #require(ask.closed)
    #expect(text(try node.secrets.json(of: closed)).contains(sealed.pin))
    #expect(try node.secrets.ended(closed, by: sealed.key) != nil)
    #expect(try await node.create(.sample, idempotency: sealed.key).found?.ask.id == sealed.ask)
    let answer = try #require(try await node.answer(keptWith: sealed.key, to: "pins")?.found?.answer)
    #expect(text(try answer.line(openedWith: node.secrets)).contains(sealed.pin))
  }

  @Test func `change their key one after the other, and then anew`() async throws {
    let (before, both, after) = (try node(Self.old), try node(Self.old, Self.new), try node(Self.new, Self.old))
    var sealed: [Sealed] = []
    // What each sealed with its first key, each of the others opens that has it.
    for (pin, writer) in [("1111", before), ("2222", both), ("3333", after)] {
      sealed.append(try await seal(pin, at: writer))
    }
    for one in sealed {
      try await expect(one, openAt: both)
      try await expect(one, openAt: after)
    }
    // While nodes with the new key first go on.
    let isDone = Atomic(false)
    let writing = Task {
      var more: [Sealed] = []
      while !isDone.load(ordering: .relaxed) { more.append(try await seal("\(4444 + more.count)", at: after)) }
      return more
    }
    while try await after.answers(to: "pins", after: nil, limit: 99).count < 5, !Task.isCancelled { await Task.yield() }
    let keys = [Self.new, Self.old].map { $0.base64EncodedString() }.joined(separator: ",")
    let source = SecretSource(environment: keys, file: "")
    // Of both that the old key sealed: definition, values, outcome and answer.
    #expect(try await AskStore(address, secrets: source).rekey() == .init(count: 8, unreadable: []))
    isDone.store(true, ordering: .relaxed)
    sealed += try await writing.value
    #expect(try await AskStore(address, secrets: source).rekey() == .init(count: 0, unreadable: []))
    let only = try node(Self.new)
    for one in sealed { try await expect(one, openAt: only) }
  }
}

@Suite(.timeLimit(.minutes(5))) struct `What a statement touches` {
  /// Blocks that a statement reads or writes, planning apart.
  private func blocks(
    _ statement: StoreStatement, _ arguments: [String: String], _ session: PostgreSQLSession
  ) throws -> Int {
    try session.run("BEGIN")
    defer { _ = try? session.run("ROLLBACK") }
    let writes: [StoreStatement] = [
      .create, .createApart, .close, .closeApart, .change, .lock, .append, .claim, .settle, .purgeAsks,
      .purgeAnswers, .offer,
    ]
    if writes.contains(statement) { try session.run(PostgreSQLWorker.settings) }
    let given = statement.parameters.map { arguments[$0] ?? "NULL" }.joined(separator: ", ")
    let call = given.isEmpty ? "" : "(\(given))"
    let plan =
      try session.run("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE s_\(statement)\(call)")[0].first ?? ""
    #expect(!plan.contains(#""JIT""#), "\(statement) is compiled at each use")
    // Those of the whole stand first.
    let counts = ["Hit", "Read"].compactMap { kind in
      plan.firstMatch(of: try! Regex(#""Shared \#(kind) Blocks": (\d+)"#)).flatMap { Int($0.output[1].substring ?? "") }
    }
    #expect(counts.count == 2)
    return counts.reduce(0, +)
  }

  /// Fills up to so many asks, nine of ten closed, and as many answers.
  private func fill(from first: Int, to last: Int, _ session: PostgreSQLSession, isAnalyzed: Bool) throws {
    try session.run(
      """
      INSERT INTO asks (id, link_hash, idempotency_key, idempotency_body, definition, initial, metadata, holds_passwords,
        created_at, expires_at, position, outcome, closed_at, closed, closed_by)
      SELECT md5(n::text), sha256(int8send(n)), sha256(int8send(-n)), sha256(int8send(n)), convert_to(repeat('d', 400), 'UTF8'),
        '{}', '{}', false, n, n, n, CASE WHEN n % 10 > 0 THEN 'ok' END, CASE WHEN n % 10 > 0 THEN n END,
        CASE WHEN n % 10 > 0 THEN convert_to(repeat('c', 200), 'UTF8') END, CASE WHEN n % 10 > 0 THEN n::text::xid8 END
      FROM generate_series(\(first), \(last)) n;
      INSERT INTO answers (position, prompt, answered_at, context, outcome, receipt, idempotency_key, idempotency_body)
      SELECT nextval('answer_positions'), 'p' || n % 10, n, '', convert_to(repeat('o', 80), 'UTF8'), md5(n::text),
        sha256(int8send(n)), sha256(int8send(-n))
      FROM generate_series(\(first), \(last)) n;
      INSERT INTO positions SELECT prompt, max(position) FROM answers GROUP BY prompt
        ON CONFLICT (prompt) DO UPDATE SET last = excluded.last;
      INSERT INTO pairs SELECT md5(n::text), md5((n + 10)::text), 'p' || n FROM generate_series(\(first), \(last), 10) n;
      \(isAnalyzed ? "ANALYZE" : "")
      """)
  }

  /// Also with plans that were made when the tables were empty: nothing was analyzed since.
  @Test(arguments: [true, false]) func `does not grow with what is stored`(isAnalyzed: Bool) throws {
    let address = try PostgreSQLServer.shared.get().makeAddress()
    _ = try AskStore(address, secrets: .test)
    let session = try PostgreSQLSession(address)
    let now = "5000000000"
    let answer = ["prompt": "'p1'", "answered_at": now, "context": "''", "outcome": "'{}'"]
    let keyed = answer.merging(["receipt": "'new'", "idempotency_key": "'\\x04'", "idempotency_body": "'\\x05'"]) { $1 }
    let ask = [
      "id": "'new'", "link_hash": "'\\x01'", "idempotency_key": "'\\x02'", "idempotency_body": "'\\x03'",
      "definition": "'{}'", "initial": "'{}'", "metadata": "'{}'", "holds_passwords": "false", "created_at": now,
      "expires_at": now,
    ]
    let end = [
      "id": "md5('70')", "outcome": "'ok'", "closed_at": now, "closed": "'{}'", "url": "'https://a.example/'",
      "origin": "'https://a.example'", "answered_by": "'ada'",
    ]
    let statements: [(StoreStatement, [String: String])] = [
      (.create, ask), (.createApart, ask.merging(["others": "json_build_array(md5('70'), md5('71'))"]) { $1 }),
      (.place, ["created_at": "100", "id": "md5('70')"]), (.openAsks, ["after": "100", "limit": "9"]),
      (.closedAsksOfPrompt, ["after": "100", "limit": "9", "prompt": "'poll'"]),
      (.askByLink, ["link_hash": "sha256(int8send(70))"]), (.askByID, ["id": "md5('70')"]),
      (.close, end), (.closeApart, end), (.change, ["id": "md5('70')", "expires_at": now]),
      (.lock, ["ids": "ARRAY[md5('70'), md5('71')]"]),
      (.append, answer), (.append, keyed),
      (.append, keyed.merging(["idempotency_key": "sha256(int8send(70))"]) { $1 }),
      (.answerByKey, ["idempotency_key": "sha256(int8send(70))"]),
      (.askByKey, ["idempotency_key": "sha256(int8send(-70))"]),
      (.endings, ["ids": "ARRAY[md5('70'), md5('71')]"]), (.answerByReceipt, ["receipt": "md5('70')"]),
      (.answers, ["prompt": "'p1'", "after": "100", "limit": "20"]), (.due, ["now": "0", "limit": "100"]),
      (.nextDelivery, [:]), (.offer, ["id": "'this'", "prompts": "'{}'"]), (.receivers, ["now": now]),
      (
        .claim,
        ["origin": "'https://a.example'", "strikes": "0", "now": now, "limit": "4", "leased_until": now, "ended": now]
      ),
      (.purgeAsks, ["before": "500", "limit": "2"]), (.purgeAnswers, ["before": "500", "limit": "2"]),
      (
        .settle,
        [
          "delivery": "md5('71')", "state": "'delivered'", "counts": "1", "due_at": "0", "attempts": "0",
          "kind": "'closed'", "now": "0",
        ]
      ),
    ]
    try session.run("SET plan_cache_mode = force_generic_plan")
    for (statement, _) in statements {
      _ = try? session.run("PREPARE s_\(statement) AS \(statement.sql)")
    }
    if !isAnalyzed {
      // The first use makes the plan.
      for table in ["asks", "answers", "positions", "deliveries", "turns", "pairs"] {
        try session.run("ALTER TABLE \(table) SET (autovacuum_enabled = false)")
      }
      for (statement, arguments) in statements { _ = try blocks(statement, arguments, session) }
    }
    let sizes = [1_000, ProcessInfo.processInfo.environment["OKCANCEL_ROWS"].flatMap { Int($0) } ?? 30_000]
    var counts: [[Int]] = []
    var filled = 0
    for size in sizes {
      try fill(from: filled + 1, to: size, session, isAnalyzed: isAnalyzed)
      filled = size
      counts.append(try statements.map { try blocks($0.0, $0.1, session) })
    }
    for (place, (statement, _)) in statements.enumerated() {
      let (few, many) = (counts[0][place], counts[1][place])
      print("\(statement): \(few) blocks at \(sizes[0]) rows, \(many) at \(sizes[1])")
      // A level more in each index that it looks into, or writes into with a check before.
      #expect(many <= few + 20, "\(statement): \(few) blocks, then \(many)")
    }
    let total = try session.text(
      """
      SELECT string_agg(name || ' ' || size, ', ') FROM (
        SELECT relname AS name, round(pg_total_relation_size(oid) / \(sizes[1]).0) AS size FROM pg_class
        WHERE relname IN ('asks', 'answers') AND relnamespace = current_schema()::regnamespace) AS sizes
      """)
    print("bytes per row with indexes: \(total ?? "")")
  }
}

import Foundation
import TestSupport
import Testing

@testable import Asks
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `Several servers on one PostgreSQL` {
  /// A store in the database, as another server would open it.
  private func store(direct: PostgreSQLAddress? = nil) throws -> AskStore {
    try AskStore(address, direct: direct, secrets: .test)
  }

  private let address: PostgreSQLAddress

  init() throws { address = try PostgreSQLServer.shared.get().makeAddress() }

  private func make(_ store: AskStore, _ draft: AskDraft = .sample) async throws -> AskID {
    try await store.make(draft).ask.id
  }

  /// Closes asks at one node while somebody waits at another, and says how long after the commit each was woken.
  private func wake(_ number: Int, listening: Bool) async throws -> [Duration] {
    let nowhere = try PostgreSQLAddress("postgresql://okcancel@/okcancel?host=/nowhere")
    let (near, far) = (try store(), try store(direct: listening ? nil : nowhere))
    var durations: [Duration] = []
    for _ in 0..<number {
      let id = try await make(near)
      let waiting = Task {
        let closed = try await far.outcome(of: id, atMost: .seconds(30))
        return (closed, ContinuousClock.now)
      }
      while far.waiters.count == 0, !Task.isCancelled { await Task.yield() }
      // Its own look into the store comes first.
      _ = try await far.ask(id)
      let closed = try #require(try await near.close(id, as: .cancel).ended)
      let committed = ContinuousClock.now
      let (woken, moment) = try await waiting.value
      #expect(woken?.json == closed.json)
      durations.append(moment - committed)
    }
    return durations.sorted()
  }

  @Test func `wake each other’s waiters within milliseconds`() async throws {
    let durations = try await wake(50, listening: true)
    // Without the database's news each would take about a second.
    #expect(durations[25] < .milliseconds(500), "\(durations)")
    print("commit to waiter on another node: median \(durations[25]), longest \(durations[49])")
  }

  @Test func `wake each other’s waiters within a second or so, if the database tells no news`() async throws {
    let durations = try await wake(3, listening: false)
    #expect(durations[2] < .seconds(20), "\(durations)")
  }

  @Test func `give answers in the order of their commits, whatever is held up`() async throws {
    let (one, other) = (try store(), try PostgreSQLSession(address))
    try other.run("BEGIN")
    let append = StoreCall(
      .append,
      only: [
        "prompt": .text("poll"), "answered_at": .integer(1), "context": .text(""),
        "outcome": .bytes(bytes(#"{"outcome":"cancel"}"#)),
      ])
    let held = try other.run(append.statement.sql, append.values)[0].integer("position")
    let third = try PostgreSQLSession(address)
    let late = Task { try await one.append(.ok(values("{}")), to: "poll", holdsPasswords: false) }
    // Other prompts go on, and readers see nothing that a later answer could come before.
    while try third.run("SELECT count(*) FROM pg_locks WHERE NOT granted")[0].first == "0", !Task.isCancelled {
      await Task.yield()
    }
    #expect(try await one.answers(to: "poll", after: nil, limit: 9).isEmpty)
    try other.run("COMMIT")
    let cursor = try await late.value
    let kept = try await one.answers(to: "poll", after: nil, limit: 9)
    #expect(kept.map(\.cursor.position) == [held, cursor.position])
    #expect(try await one.answers(to: "poll", after: kept[0].cursor, limit: 9).map(\.cursor) == [cursor])
  }

  @Test func `open one new database at once, with one key`() async throws {
    let stores = try await withThrowingTaskGroup(of: AskStore.self) { group in
      for _ in 0..<4 { group.addTask { try store() } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let id = try await make(stores[0])
    for store in stores { #expect(try await store.ask(id)?.isOpen == true) }
    #expect(throws: PlainError.self) {
      try AskStore(
        address, secrets: SecretSource(environment: String(repeating: "A", count: 43) + "=", file: ""))
    }
    try PostgreSQLSession(address).run("UPDATE okcancel SET version = 99")
    #expect(throws: StoreFault("newer-schema", ["path": "\(address)"])) { try store() }
  }

  @Test func `open a database of an older one, which goes on`() async throws {
    let old = try PostgreSQLSession(address)
    try await store().close()
    try old.run(
      """
      ALTER TABLE asks DROP COLUMN closed_request; DROP TABLE nodes; UPDATE okcancel SET version = 1;
      ALTER TABLE asks DROP COLUMN people, DROP COLUMN revision, DROP COLUMN answered_by; DROP TABLE pairs;
      ALTER TABLE answers DROP COLUMN idempotency_key, DROP COLUMN idempotency_body;
      ALTER TABLE asks DROP COLUMN position; DROP FUNCTION okcancel_position; DELETE FROM positions
      """)
    // As that version had it, which knew no positions of asks and no keys of answers.
    try old.run(
      """
      PREPARE make AS INSERT INTO asks (id, link_hash, definition, initial, metadata, holds_passwords, created_at, expires_at)
      VALUES ($1, sha256(convert_to($1, 'UTF8')), '{"title":"T"}', '{}', '{}', false, $2, 9000000000000)
      """)
    var ids: [AskID] = []
    func make(_ moment: Int) throws {
      ids.append(AskID(at: Timestamp(milliseconds: Int64(moment))))
      try old.run("EXECUTE make ('\(ids[ids.count - 1])', \(moment))")
    }
    try old.run(
      """
      PREPARE append AS WITH next AS (
        INSERT INTO positions (prompt, last) VALUES ($1::text, nextval('answer_positions'))
        ON CONFLICT (prompt) DO UPDATE SET last = nextval('answer_positions') RETURNING last)
      INSERT INTO answers (prompt, position, answered_at, context, outcome, receipt)
      SELECT $1::text, last, $2::bigint, $3::text, $4::bytea, $5::text FROM next RETURNING position
      """)
    func append(_ moment: Int) throws {
      try old.run("EXECUTE append ('poll', \(moment), '', '{\"outcome\":\"cancel\"}', NULL)")
    }
    try append(1)
    for moment in [3, 1, 2] { try make(moment) }
    let new = try store()
    try append(2)
    // The clock of the older node is late.
    try make(0)
    ids.append(try await self.make(new))
    let order = [1, 2, 0, 3, 4].map { ids[$0] }
    for from in 0..<5 {
      let cursor = from == 0 ? nil : ListedAsk.Cursor("\([1, 2, 3, 0][from - 1])-\(order[from - 1])")
      let listed = try await new.asks(areOpen: nil, of: nil, after: cursor, limit: 9)
      #expect(listed.map(\.id) == Array(order[from...]))
    }
    #expect(try await new.answers(to: "poll", after: nil, limit: 9).map(\.answeredAt.milliseconds) == [1, 2])
    #expect(try old.text("SELECT version FROM okcancel") == "\(PostgreSQLOpening.version)")
    // Who answered one that the older node closes is not known.
    try old.run("UPDATE asks SET outcome = 'ok', closed = '{}', closed_at = 1 WHERE id = '\(ids[0])'")
    let younger = try await self.make(new, .sample(notBy: ["ask:\(ids[0])"]))
    #expect(try await new.close(younger, by: "ada").isNotAllowed)
    _ = try store()
  }

  @Test func `are where an SQLite file can move to, and back, with all that it holds`() async throws {
    let directory = try TemporaryDirectory()
    let clock = TestClock()
    let (first, second) = (directory.file("a.sqlite"), directory.file("b.sqlite"))
    let key = try #require(IdempotencyKey("order-7", body: bytes("{}")))
    let receipt = Receipt()
    func open(_ path: String) throws -> AskStore {
      try AskStore(path, secrets: .test, clock: clock.wallClock)
    }
    let old = try open(first)
    let (original, token) = try await old.make(.sample, key)
    for index in 0..<1200 {
      let outcome = Outcome.ok(values(#"{"pin":\#(index)}"#))
      _ = try await old.append(
        outcome, to: index.isMultiple(of: 2) ? "poll" : "other", holdsPasswords: index < 9,
        receipt: index == 4 ? receipt : nil)
    }
    // Of a password, so that its body's fingerprint moves too.
    let keyed = try await old.append(
      .ok(values(#"{"pin":7}"#)), to: "keyed", holdsPasswords: true, receipt: nil, idempotency: key)
    let (ended, _) = try await old.make(.sample(callback: "https://a.example/"))
    _ = try await old.close(ended.id, as: .cancel, idempotency: key)
    let younger = try await make(old, .sample(for: ["ada", "bob"], notBy: ["ask:\(original.id)"]))
    // The last cursor is not given again, though its answer is gone.
    let kept = try await old.answers(to: "poll", after: nil, limit: 9999)
    try await old.close()

    let moved = Moved(key: key, original: original, token: token, ended: ended, receipt: receipt, kept: kept)
    func copy() throws -> [(table: String, rows: Int)] {
      try StoreCopy.toPostgreSQL.run(file: first, address: address, secrets: .test)
    }
    let counts = try copy()
    #expect(counts.map(\.table) == ["asks", "answers", "deliveries", "turns", "pairs"])
    #expect(counts.map(\.rows) == [3, 1201, 1, 0, 2])
    #expect(throws: StoreFault("not-empty", ["database": "\(address)"])) { try copy() }
    let shared = try AskStore(address, secrets: .test, clock: clock.wallClock)
    try await moved.check(shared)
    // A new key opens what the old one sealed, and afterwards only the new one is needed.
    try await shared.close()
    let new = SecretSource(
      environment: Data(repeating: 8, count: 32).base64EncodedString() + "," + (SecretSource.test.environment ?? ""),
      file: "")
    let rekeyed = try await AskStore(address, secrets: new).rekey()
    // Ten answers and a link.
    #expect(rekeyed.count == 11 && rekeyed.unreadable.isEmpty)
    let only = SecretSource(environment: Data(repeating: 8, count: 32).base64EncodedString(), file: "")
    let opened = try AskStore(address, secrets: only)
    #expect(try await opened.create(.sample, idempotency: key).found?.ask.id == original.id)
    try await opened.close()
    let back = try StoreCopy.toSQLite.run(file: second, address: address, secrets: only)
    #expect(back.map(\.rows) == [3, 1202, 1, 0, 2])
    let young = try AskStore(second, secrets: only, clock: clock.wallClock)
    #expect(
      try await young.answers(to: "poll", after: nil, limit: 9999).map(\.cursor).dropLast() == kept.map(\.cursor)[...])
    let reopened = try AskStore(address, secrets: only, clock: clock.wallClock)
    for store in [reopened, young] as [AskStore] {
      let found = try #require(try await store.answer(keptWith: key, to: "keyed")?.found)
      #expect(found.answer.cursor == keyed.cursor && found.receipt == nil)
      #expect(try found.answer.ended(openedWith: store.secrets).outcome == .ok(["pin": 7]))
      let closed = try #require(try await store.ask(ended.id)?.closed)
      #expect(try store.secrets.ended(closed, by: key) != nil)
      #expect(try await store.close(younger, by: "carl").isNotAllowed)
      #expect(try await store.close(younger, by: "ada").isClosed)
      #expect(try await store.close(original.id, by: "ada").isNotAllowed)
    }
    #expect(try await young.append(.cancel, to: "poll", holdsPasswords: false).position > 1202)
  }

  @Test func `are not copied while one of them runs, and do not start during a copy`() async throws {
    let directory = try TemporaryDirectory()
    let node = try store()
    let session = try PostgreSQLSession(address)
    let held = """
      SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = hashtext('okcancel'::regclass::oid::text)::oid
      """
    while try session.text(held) == "0", !Task.isCancelled { await Task.yield() }
    func copy() throws -> [(table: String, rows: Int)] {
      try StoreCopy.toSQLite.run(file: directory.file("a.sqlite"), address: address, secrets: .test)
    }
    #expect(throws: StoreFault("in-use", ["path": "\(address)"])) { try copy() }
    try await node.close()
    try session.run("BEGIN; SELECT pg_advisory_xact_lock(\(PostgreSQLSession.usage))")
    #expect(throws: StoreFault("in-use", ["path": "\(address)"])) { try store() }
    try session.run("COMMIT")
    #expect(try copy().map(\.rows) == [0, 0, 0, 0, 0])
  }

  @Test func `say of a write that waited for a lock what to do`() async throws {
    let (node, other) = (try store(), try PostgreSQLSession(address))
    try await node.tryWrite()
    try other.run("BEGIN; LOCK TABLE answers IN EXCLUSIVE MODE")
    let fault = StoreFault("locked", ["database": "\(address)"])
    await #expect(throws: fault) { try await node.append(.cancel, to: "poll", holdsPasswords: false) }
    #expect("\(fault)".contains("pg_stat_activity"))
    #expect(fault.publicDescription == "the database is busy, and nothing was kept; try again in a moment")
    // One that connects meanwhile prepares nothing, and says the same.
    let late = try store()
    await #expect(throws: fault) { try await late.tryWrite() }
    try other.run("COMMIT")
    _ = try await node.append(.cancel, to: "poll", holdsPasswords: false)
  }

  @Test func `claim each callback once`() async throws {
    let stores = [try store(), try store()]
    var ids: Set<AskID> = []
    for index in 0..<60 {
      let id = try await make(stores[index % 2], .sample(callback: "https://\(index % 3).example/hook"))
      _ = try await stores[0].close(id, as: .cancel)
      ids.insert(id)
    }
    let claimed = try await withThrowingTaskGroup(of: [Delivery].self) { group in
      for index in 0..<40 {
        group.addTask { try await stores[index % 2].claimCallbacks(limit: 5, perOrigin: 100, lease: .seconds(30)) }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(claimed.count == 60)
    #expect(Set(claimed.map(\.ask)) == ids)
  }

  @Test func `take no other write with one that fails`() async throws {
    let store = try store()
    try PostgreSQLSession(address).run(
      """
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no''; END';
      CREATE TRIGGER refuse BEFORE INSERT ON answers FOR EACH ROW WHEN (NEW.prompt = 'bad') EXECUTE FUNCTION refuse()
      """)
    let kept = await withTaskGroup(of: Int.self) { group in
      for index in 0..<50 {
        group.addTask {
          let prompt = index == 25 ? "bad" : "good"
          return (try? await store.append(.cancel, to: prompt, holdsPasswords: false)) == nil ? 0 : 1
        }
      }
      return await group.reduce(0, +)
    }
    #expect(kept == 49)
    #expect(try await store.answers(to: "good", after: nil, limit: 100).count == 49)
    #expect(try await store.answers(to: "bad", after: nil, limit: 100).isEmpty)
  }

  @Test func `take over the callbacks of a version before, whose servers go on with theirs`() async throws {
    let clock = TestClock()
    let old = try AskStore(address, secrets: .test, clock: clock.wallClock)
    let ids = [try await make(old), try await make(old)]
    for id in ids { _ = try await old.close(id, as: .cancel) }
    try await old.close()
    let session = try PostgreSQLSession(address)
    try session.run(
      """
      CREATE TABLE callbacks (
        ask text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES asks (id) ON DELETE CASCADE, url text COLLATE "C" NOT NULL,
        origin text COLLATE "C" NOT NULL, state text COLLATE "C" NOT NULL DEFAULT 'waiting',
        attempts bigint NOT NULL DEFAULT 0, due_at bigint NOT NULL, leased_until bigint NOT NULL DEFAULT 0);
      INSERT INTO callbacks (ask, url, origin, due_at) VALUES ('\(ids[0])', 'https://a.example/', 'https://a.example', 0);
      UPDATE okcancel SET version = 6
      """)
    let store = try AskStore(address, secrets: .test, clock: clock.wallClock)
    // As a server of that version queues, claims and settles.
    try session.run(
      "INSERT INTO callbacks (ask, url, origin, due_at) VALUES ('\(ids[1])', 'https://b.example/', 'https://b.example', 0)"
    )
    try session.run(
      """
      WITH due AS (SELECT ask FROM callbacks WHERE state = 'waiting' AND origin = 'https://b.example' FOR UPDATE SKIP LOCKED)
      UPDATE callbacks SET leased_until = 0 WHERE ask = ANY (ARRAY(SELECT ask FROM due))
      """)
    let claimed = try await store.claimCallbacks()
    #expect(claimed.map(\.ask).sorted { "\($0)" < "\($1)" } == ids.sorted { "\($0)" < "\($1)" })
    for callback in claimed { try await store.settle(callback, as: .delivered()) }
    #expect(try session.text("SELECT count(*) FROM callbacks WHERE state = 'delivered'") == "2")
  }

  @Test func `find every row by an index`() throws {
    _ = try store()
    let session = try PostgreSQLSession(address)
    try session.run(
      """
      INSERT INTO asks (id, link_hash, idempotency_key, idempotency_body, definition, initial, metadata,
        holds_passwords, created_at, expires_at, outcome, closed_at, closed, closed_by)
      SELECT lpad(n::text, 26, '0'), int8send(n), int8send(n), '', '{}', '{}', '{}', false, 0, n,
        CASE WHEN n % 10 > 0 THEN 'cancel' END, CASE WHEN n % 10 > 0 THEN n END, CASE WHEN n % 10 > 0 THEN ''::bytea END,
        CASE WHEN n % 10 > 0 THEN n::text::xid8 END
      FROM generate_series(1, 20000) n;
      INSERT INTO answers (position, prompt, answered_at, context, outcome, receipt, idempotency_key, idempotency_body)
      SELECT n, 'p' || n % 10, n, '', '{}', n::text, int8send(n), '' FROM generate_series(1, 20000) n;
      INSERT INTO deliveries (id, ask, url, origin, state, due_at)
      SELECT id, id, 'u', 'o' || closed_at % 7, CASE WHEN closed_at % 3 = 0 THEN 'waiting' ELSE 'delivered' END, closed_at
      FROM asks WHERE outcome IS NOT NULL;
      INSERT INTO positions SELECT 'p' || n, n FROM generate_series(1, 2000) n;
      ANALYZE; SET plan_cache_mode = force_generic_plan
      """)
    for statement in StoreStatement.allCases where statement != .notify {
      try session.run("PREPARE s_\(statement) AS \(statement.sql)")
      let nulls = statement.parameters.map { _ in "NULL" }.joined(separator: ", ")
      let arguments = nulls.isEmpty ? "" : "(\(nulls))"
      let plan = try session.run("EXPLAIN EXECUTE s_\(statement)\(arguments)").compactMap(\.first)
      for table in ["asks", "answers", "deliveries", "positions"] {
        #expect(!plan.contains { $0.contains("Seq Scan on \(table)") }, "\(statement): \(plan.joined(separator: "\n"))")
      }
    }
  }
}

/// What a database holds before it is copied.
private struct Moved {
  let key: IdempotencyKey
  let original: Ask
  let token: LinkToken
  let ended: Ask
  let receipt: Receipt
  let kept: [StandingAnswer]

  func check(_ store: AskStore) async throws {
    let found = try #require(try await store.create(.sample, idempotency: key).found)
    #expect(found.ask.id == original.id && found.token?.text == token.text)
    #expect(try await store.ask(linkedBy: token)?.id == original.id)
    let answers = try await store.answers(to: "poll", after: nil, limit: 9999)
    #expect(answers.map(\.cursor) == kept.map(\.cursor))
    #expect(answers.map(\.outcome) == kept.map(\.outcome))
    #expect(try await store.answer(for: receipt)?.outcome == kept[2].outcome)
    #expect(
      try store.secrets.open(Sealable(stored: kept[2].outcome.stored, context: answers[2].outcome.context))
        == bytes(#"{"outcome":"ok","values":{"pin":4}}"#))
    let callbacks = try await store.claimCallbacks()
    #expect(callbacks.map(\.ask) == [ended.id])
    for callback in callbacks { try await store.settle(callback, as: .interrupted) }
    let next = try await store.append(.cancel, to: "poll", holdsPasswords: false)
    #expect(next.position > 1201)
  }
}

@Suite struct `A database’s clock` {
  private let clock = DatabaseClock()
  private let moment = Timestamp(milliseconds: 1_000_000_000_000)

  @Test func `is what the database said last, whatever the machine’s own says`() {
    clock.set(moment, sent: .now)
    #expect(clock.now >= moment)
    #expect(clock.now < moment + .seconds(60))
    // Set back.
    clock.set(moment - .seconds(3600), sent: .now)
    #expect(clock.now < moment - .seconds(3500))
  }

  @Test func `stays if what is said is old, and agrees`() {
    clock.set(moment, sent: .now)
    // It took nine seconds to be told, so anything up to nine seconds later is as likely.
    clock.set(moment - .seconds(5), sent: .now - .seconds(9))
    #expect(clock.now >= moment)
  }
}

@Suite(.timeLimit(.minutes(5))) struct `A PostgreSQL that cannot be used` {
  private func becomesWell(_ store: AskStore) async throws {
    let end = ContinuousClock.now + .seconds(30)
    repeat {
      try await Task.sleep(for: .milliseconds(50))
      _ = try? await store.tryWrite()
    } while store.fault != nil && .now < end
    #expect(store.fault == nil)
  }

  @Test func `refuses writes while it is away, and comes back by itself`() async throws {
    let server = try PostgreSQLServer()
    let store = try AskStore(try server.makeAddress(), secrets: .test)
    try await store.tryWrite()
    #expect(store.fault == nil)
    // Each of those that read meanwhile is told once.
    let readers = Task {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<50 { group.addTask { while !Task.isCancelled { _ = try? await store.ask(AskID()) } } }
      }
    }
    // By then all of them read.
    for _ in 0..<100 { _ = try await store.ask(AskID()) }
    server.order("stop")
    readers.cancel()
    await readers.value
    await #expect(throws: StoreFault.self) { try await store.tryWrite() }
    await #expect(throws: StoreFault.self) { _ = try await store.ask(AskID()) }
    #expect(store.fault != nil)
    server.order("start")
    try await becomesWell(store)
    #expect(try await store.ask(AskID())?.id == nil)
    server.order("restart")
    try await becomesWell(store)
    try await store.close()
    await #expect(throws: StoreFault("closed")) { try await store.tryWrite() }
  }

  @Test(arguments: [
    ("CREATE TABLE asks (); CREATE VIEW settings AS SELECT 1", "it has tables of another program (asks, settings)"),
    ("CREATE TABLE okcancel (name text)", "its table okcancel belongs to another program"),
  ])
  func `is refused if its tables are another program’s`(_ sql: String, _ reason: String) throws {
    let address = try PostgreSQLServer.shared.get().makeAddress()
    try PostgreSQLSession(address).run(sql)
    let fault = #expect(throws: StoreFault.self) { _ = try AskStore(address, secrets: .test) }
    #expect("\(try #require(fault))".contains(reason + "; name an empty database"))
  }

  @Test func `is refused if it is not there, though its server is`() throws {
    let server = try PostgreSQLServer()
    let address = try PostgreSQLAddress("postgresql://okcancel@/nothing?host=\(server.folder)")
    let fault = #expect(throws: StoreFault.self) { _ = try PostgreSQLSession(address) }
    #expect("\(try #require(fault))".hasSuffix("; create the database, or name another"))
  }

  @Test(arguments: [
    ("postgresql://ann@a,b/asks", ["a:5432", "b:5432"]), ("postgresql://a:1,b/asks", ["a:1", "b:5432"]),
    ("postgresql://a:1,b:2/asks", ["a:1", "b:2"]), ("postgresql:///asks?host=/a,/b", ["/a", "/b"]),
    ("postgresql://a:1/asks", ["a:1"]), ("postgresql:///asks", [""]),
  ])
  func `is looked for at each server of its address`(text: String, servers: [String]) throws {
    #expect(try PostgreSQLAddress(text).servers.map(\.description) == servers)
  }

  @Test(arguments: [
    ("40001", "holds a lock"), ("42501", "refused a write, and nothing was kept"), ("22001", "writing failed"),
  ])
  func `says what to do about a write by its code`(code: String, words: String) throws {
    let fault = PQError(code: code, message: "no").fault(try PostgreSQLAddress("postgresql://a/asks"))
    #expect("\(fault)".contains(words))
  }

  @Test(arguments: [
    (nil, "cannot be reached"), ("57P03", "cannot be reached"), ("53300", "cannot be reached"),
    ("08P01", "cannot be reached"), ("28P01", "does not let this user in"), ("42P05", "--database-direct"),
    ("3F000", "cannot be used: PostgreSQL 3F000: no"),
  ])
  func `says why there is no connection by its code`(code: String?, words: String) throws {
    let fault = ConnectionError(code: code, message: "no").fault(try PostgreSQLAddress("postgresql://a/asks"))
    #expect("\(fault)".contains(words))
  }

  /// Promise 4.3
  @Test func `is refused at the start, with a reason and without its password`() throws {
    let server = try PostgreSQLServer()
    func refusal(_ address: PostgreSQLAddress) -> String {
      do {
        _ = try AskStore(address, secrets: .test)
        return "opened"
      } catch {
        return "\(error)"
      }
    }
    let address = try server.makeAddress()
    #expect(refusal(address) == "opened")
    let owner = try PostgreSQLSession(try PostgreSQLAddress("postgresql://postgres@/postgres?host=\(server.folder)"))
    try owner.run("ALTER SYSTEM SET fsync = off")
    try owner.run("SELECT pg_reload_conf()")
    while try owner.text("SHOW fsync") == "on" {}
    #expect(refusal(address).hasSuffix("fsync is off, with which an acknowledged answer could be lost; set fsync = on"))
    server.makeReplica()
    #expect(refusal(address).hasSuffix("it only reads, like a replica; name the primary server"))
    let gone = try PostgreSQLAddress("postgresql://ann:secret@127.0.0.1:1/asks?sslpassword=secret")
    #expect(gone.hasPassword)
    #expect("\(gone)" == "postgresql://ann@127.0.0.1:1/asks")
    #expect(refusal(gone).hasPrefix("postgresql://ann@127.0.0.1:1/asks cannot be reached ("))
    #expect(!refusal(gone).contains("secret"))
    #expect {
      try PostgreSQLAddress("postgresql://ann:secret@[/")
    } throws: { !"\($0)".contains("secret") }
  }
}

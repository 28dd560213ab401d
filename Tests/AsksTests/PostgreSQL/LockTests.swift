import TestSupport
import Testing

@testable import Asks
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `Transactions of several servers` {
  private let address: PostgreSQLAddress
  private let store: AskStore

  init() throws {
    address = try PostgreSQLServer.shared.get().makeAddress()
    store = try AskStore(address, secrets: .test)
  }

  private func make() async throws -> String {
    try await store.make().ask.id.description
  }

  /// Closes an ask, and locks others with it.
  private func close(_ ask: String, locking others: String...) -> StoreCall {
    let values: NamedValues = [
      "outcome": .text("cancel"), "closed_at": .integer(1), "closed": .bytes(bytes("{}")), "id": .text(ask),
    ]
    return StoreCall(.close, only: values, locks: ([ask] + others).map { .ask($0) })
  }

  private func create() -> StoreCall {
    let id = StoreValue.id(AskID())
    let values: NamedValues = [
      "id": id, "link_hash": .bytes(LinkToken().digest), "definition": .bytes([]), "initial": .bytes([]),
      "metadata": .bytes([]), "holds_passwords": .flag(false), "created_at": .integer(1), "expires_at": .integer(2),
    ]
    return StoreCall(.create, only: values, locks: [.positions])
  }

  private func append(to prompt: String) -> StoreCall {
    let values: NamedValues = [
      "prompt": .text(prompt), "answered_at": .integer(1), "context": .text(""), "outcome": .bytes([]),
    ]
    return StoreCall(.append, only: values, locks: [.prompt(prompt)])
  }

  @Test func `never wait for each other in a circle, in whatever order they were told to lock two asks`() async throws {
    let sessions = try (0..<2).map { _ in
      let session = try PostgreSQLSession(address)
      try session.beginExchanges(prepares: false)
      return Alone(session)
    }
    // Holds a row for long enough that the other transaction comes between.
    try PostgreSQLSession(address).run(
      """
      CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.004); RETURN NEW; END';
      CREATE TRIGGER pause BEFORE UPDATE ON asks FOR EACH ROW EXECUTE FUNCTION pause()
      """)
    for seed in 0..<100 as Range<UInt64> {
      let (one, other, third) = (try await make(), try await make(), try await make())
      let errors = try await withThrowingTaskGroup(of: [String].self) { group in
        for (place, session) in sessions.enumerated() {
          var random = SeededGenerator(seed: 2 * seed + UInt64(place))
          var calls = [
            close(one, locking: other), close(other, locking: one), close(third, locking: one), close(third),
            append(to: "poll"), append(to: "email"),
          ]
          // Not always: those that make asks wait for each other before anything else.
          if seed.isMultiple(of: 4) { calls.append(create()) }
          calls.shuffle(using: &random)
          let requests = PostgreSQLWorker.transaction(of: calls.sorted(by: StoreCall.precedes))
          group.addTask {
            var errors: [String] = []
            try session.value.exchange(requests) { _, result in
              if let error = result.error { errors.append("\(error)") }
            }
            return errors
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      try #require(errors.isEmpty, "seed \(seed)")
    }
  }

  @Test func `begin once all that they read is committed`() async throws {
    let (one, other) = (try await make(), try await make())
    let (holder, watcher) = (try PostgreSQLSession(address), try PostgreSQLSession(address))
    try holder.run("BEGIN; SELECT FROM asks WHERE id = '\(other)' FOR UPDATE")
    let call = close(one, locking: other)
    let write = Task { [store] in try await store.database.write(call) }
    // Or until it is written, which it must not be.
    let isWaiting = """
      SELECT (EXISTS (SELECT FROM pg_locks WHERE NOT granted) OR EXISTS (SELECT FROM asks WHERE closed_at = 1))::text
      """
    while try watcher.text(isWaiting) == "false", !Task.isCancelled { await Task.yield() }
    #expect(try watcher.text("SELECT outcome FROM asks WHERE id = '\(one)'") == nil)
    try holder.run("COMMIT")
    #expect(try await write.value.map { $0.text("id") } == [one])
  }

  @Test(arguments: [true, false])
  func `see who answered another ask, though that was not committed when they began`(isOlderFirst: Bool) async throws {
    let older = try await make()
    let younger = try await store.make(.sample(notBy: ["ask:\(older)"])).ask.id.description
    let (one, other) = isOlderFirst ? (older, younger) : (younger, older)
    let (holder, watcher) = (try PostgreSQLSession(address), try PostgreSQLSession(address))
    // The younger one names the older, which is therefore locked too.
    try holder.run("BEGIN")
    if !isOlderFirst { try holder.run("SELECT FROM asks WHERE id = '\(older)' FOR UPDATE") }
    let values: NamedValues = [
      "outcome": .text("ok"), "closed_at": .integer(1), "closed": .bytes(bytes("{}")), "id": .text(one),
      "answered_by": .text("ada"), "revision": .integer(isOlderFirst ? 1 : 0),
    ]
    let call = StoreCall(.closeApart, only: values)
    #expect(try holder.run(call.statement.sql, call.values).count == 1)
    let id = try #require(AskID(other))
    let write = Task { [store] in try await store.close(id, by: "ada") }
    let isWaiting = """
      SELECT (EXISTS (SELECT FROM pg_locks WHERE NOT granted)
        OR EXISTS (SELECT FROM asks WHERE id = '\(other)' AND outcome IS NOT NULL))::text
      """
    while try watcher.text(isWaiting) == "false", !Task.isCancelled { await Task.yield() }
    try holder.run("COMMIT")
    #expect(try await write.value.isNotAllowed)
  }

  @Test func `keep two asks from one person, over two nodes whose connections are killed`() async throws {
    let server = try PostgreSQLServer.shared.get()
    let address = try server.makeAddress(for: "race")
    let nodes = [try AskStore(address, secrets: .test), try AskStore(address, secrets: .test)]
    let deadlocks = """
      SELECT pg_stat_force_next_flush(), deadlocks::text AS deadlocks FROM pg_stat_database WHERE datname = current_database()
      """
    let watcher = try PostgreSQLSession(try server.makeAddress())
    let before = try watcher.run(deadlocks)[0].text("deadlocks")
    for seed in 0..<100 as Range<UInt64> { try await raceApart(nodes, seed: seed) }
    #expect(try PostgreSQLSession(address).text("SELECT count(*) FROM pairs") == "0")
    for seed in 100..<150 as Range<UInt64> {
      try await raceApart(nodes, seed: seed, tolerates: { $0 is StoreFault }) {
        // Wherever in their transactions they are.
        try await Task.sleep(for: .milliseconds(Int(seed % 7) * 3))
        try PostgreSQLSession(address).run(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'race' AND pid <> pg_backend_pid()
          """)
      }
    }
    for node in nodes { try await node.close() }
    #expect(try watcher.run(deadlocks)[0].text("deadlocks") == before)
  }

  @Test func `lock and send no more for an ask that is not kept apart from others`() async throws {
    let values: NamedValues = ["id": .text("a"), "outcome": .text("ok")]
    let requests = PostgreSQLWorker.transaction(of: [StoreCall(.close, only: values, locks: [.ask("a")])])
    let statements = requests.compactMap { if case .call(let call) = $0 { call.statement } else { nil } }
    #expect(statements == [.close, .notify])
  }

  /// A session that only one task uses at a time.
  private struct Alone: @unchecked Sendable {
    let value: PostgreSQLSession
    init(_ session: PostgreSQLSession) { value = session }
  }
}

@Suite struct `A table with a key of two columns` {
  private static let table = StoreTable(
    "pairs",
    """
    note bytes,
    number number NOT NULL,
    name text NOT NULL,
    PRIMARY KEY (name, number)
    """)

  @Test func `is copied whole, wherever a batch ends`() throws {
    #expect(Self.table.key == ["name", "number"])
    let directory = try TemporaryDirectory()
    let (first, last) = (try SQLite(path: directory.file("a")), try SQLite(path: directory.file("b")))
    let middle = try PostgreSQLSession(try PostgreSQLServer.shared.get().makeAddress())
    try first.execute(SQLDialect.sqlite.creation(of: Self.table))
    try last.execute(SQLDialect.sqlite.creation(of: Self.table))
    try middle.run(SQLDialect.postgreSQL.creation(of: Self.table))
    for number in 0..<1300 {
      try first.run(
        "INSERT INTO pairs VALUES (?, ?, ?)",
        [.bytes([UInt8(number % 7)]), .integer(number), .text("p\(number / 600)")])
    }
    #expect(try first.copy(Self.table, to: middle) { _ in } == 1300)
    #expect(try middle.copy(Self.table, to: last) { _ in } == 1300)
    let all = "SELECT name, number, note FROM pairs ORDER BY number"
    #expect(try last.run(all).map(\.values) == first.run(all).map(\.values))
  }
}

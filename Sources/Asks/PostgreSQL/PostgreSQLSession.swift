internal import CPQ
internal import Foundation
internal import Glibc
internal import Prompts

/// Looks at a PostgreSQL before a server uses it, and makes its tables or adds what they lack.
struct PostgreSQLOpening {
  let address: PostgreSQLAddress

  /// - Returns: the box of these keys, bound to the database, and its clock.
  func open(with source: SecretSource) throws -> (SecretBox, DatabaseClock) {
    let session = try PostgreSQLSession(address)
    do {
      try check(session)
      let clock = try session.clock()
      var attempt = 0
      while true {
        attempt += 1
        do {
          return try session.transaction {
            try conform(session)
            return (try source.bind(to: session), clock)
          }
        } catch let error as PQError where attempt < 5 && (error.isConflict || Self.isRace(error)) {
          // Another node made the first table at the same moment.
        }
      }
    } catch let error as PQError {
      throw StoreFault.unsuitable(database: "\(address)", detail: "\(error)")
    }
  }

  private static func isRace(_ error: PQError) -> Bool { ["23505", "42P07", "42710"].contains(error.code) }

  private func check(_ session: PostgreSQLSession) throws {
    guard session.version >= 150_000 else { throw refusal("it is older than PostgreSQL 15") }
    guard try session.text("SHOW fsync") == "on" else {
      throw refusal("fsync is off, with which an acknowledged answer could be lost; set fsync = on")
    }
    guard try session.text("SHOW server_encoding") == "UTF8" else {
      throw refusal("its encoding is not UTF8; make the database with ENCODING 'UTF8'")
    }
  }

  private func refusal(_ detail: String) -> StoreFault { .unsuitable(database: "\(address)", detail: detail) }

  private static let remedy =
    "name an empty database, or an empty schema with options=-csearch_path%3DNAME in the address"

  /// Relations where ours would be, though there is no `okcancel`: in one statement, since another node may be making
  /// all of them.
  private static let selectForeign = """
    SELECT string_agg(relname, ', ' ORDER BY relname) FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace
      AND relname IN ('asks', 'answers', 'callbacks', 'positions', 'answer_positions', 'settings', 'nodes')
      AND NOT EXISTS (
        SELECT FROM pg_class
        WHERE relname = 'okcancel' AND relnamespace = current_schema()::regnamespace)
    """

  /// Under a lock of the row in `okcancel`: the first node makes the tables, the others wait and find them.
  private func conform(_ session: PostgreSQLSession) throws {
    if try session.text("SELECT to_regclass('okcancel')::text") == nil {
      let foreign = try session.text(Self.selectForeign)
      if let foreign { throw refusal("it has tables of another program (\(foreign)); \(Self.remedy)") }
      try session.run("CREATE TABLE okcancel (version bigint NOT NULL); INSERT INTO okcancel VALUES (0)")
    }
    let columns = try session.text(
      "SELECT string_agg(attname, ',') FROM pg_attribute WHERE attrelid = 'okcancel'::regclass AND attnum > 0")
    guard columns == "version" else {
      throw refusal("its table okcancel belongs to another program; \(Self.remedy)")
    }
    guard try session.text("SELECT pg_try_advisory_xact_lock_shared(\(PostgreSQLSession.usage))") == "t" else {
      throw StoreFault.inUse(path: "\(address)")
    }
    let version = Int(try session.text("SELECT version FROM okcancel FOR UPDATE") ?? "") ?? 0
    guard version <= Self.version else { throw StoreFault.newerSchema(path: "\(address)") }
    guard version < Self.version else { return }
    let dialect = SchemaDialect.postgreSQL
    for table in StoreTable.all {
      try session.run(dialect.create(table))
      for column in table.columns {
        try session.run("ALTER TABLE \(table.name) ADD COLUMN IF NOT EXISTS \(dialect.definition(column))")
      }
    }
    try session.run(Self.tablesOfNodes)
    for index in dialect.createIndexes { try session.run(index.sql) }
    try session.run("UPDATE okcancel SET version = \(Self.version)")
  }

  /// Counts up when the tables change. What is added must leave what nodes of the version before can still use.
  static let version = 4

  /// What only several servers need. `closed_by` is the transaction that closed an ask: by that a node finds what others
  /// closed since it last looked. Of one prompt the order of commits is that of positions: see `StoreStatement.append`.
  /// `nodes` are the servers that run, and the version of each prompt that they offer, by its name.
  private static let tablesOfNodes = """
    ALTER TABLE asks ADD COLUMN IF NOT EXISTS closed_by xid8;
    CREATE SEQUENCE IF NOT EXISTS answer_positions;
    CREATE TABLE IF NOT EXISTS positions (prompt text COLLATE "C" PRIMARY KEY, last bigint NOT NULL)
      WITH (fillfactor = 10);
    CREATE TABLE IF NOT EXISTS settings (name text PRIMARY KEY, value text NOT NULL) WITH (fillfactor = 10);
    INSERT INTO settings (name, value) VALUES ('tried', '') ON CONFLICT DO NOTHING;
    CREATE TABLE IF NOT EXISTS nodes (
      id text COLLATE "C" PRIMARY KEY, seen_at timestamptz NOT NULL, prompts jsonb NOT NULL) WITH (fillfactor = 10)
    """
}

/// A connection that waits for each response: only for what is done before a server serves, or by a command.
final class PostgreSQLSession: StoreSession {
  var lockingClause: String { "FOR UPDATE" }

  private let connection: OpaquePointer
  private let pq: cpq

  /// - Throws: `StoreFault`.
  init(_ address: PostgreSQLAddress) throws(StoreFault) {
    pq = try PQ.open()
    guard let connection = PQ.connect(to: address) else {
      throw .unreachable(database: "\(address)", detail: "there is no memory")
    }
    self.connection = connection
    let end = ContinuousClock.now + Self.patience
    var state = pq.PQstatus(connection) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
    while state == PGRES_POLLING_READING || state == PGRES_POLLING_WRITING {
      var socket = pollfd(
        fd: pq.PQsocket(connection), events: Int16(state == PGRES_POLLING_READING ? POLLIN : POLLOUT), revents: 0)
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero, poll(&socket, 1, Int32(left / .milliseconds(1)) + 1) != 0 else {
        throw .unreachable(database: "\(address)", detail: "it does not let us in")
      }
      state = pq.PQconnectPoll(connection)
    }
    guard state != PGRES_POLLING_OK else { return }
    let error = PQ.reason(connection)
    guard !error.message.contains("session is read-only") else {
      throw .unsuitable(database: "\(address)", detail: "it is a read-only replica; name the primary server")
    }
    throw error.fault(address)
  }

  /// How long the server may take to let this connection in.
  private static let patience: Duration = .seconds(10)

  deinit { pq.PQfinish(connection) }

  var version: Int32 { pq.PQserverVersion(connection) }

  /// The arguments of the advisory lock: each connected server shares it, and a copy holds it exclusively.
  static let usage = "\(0x4F4B_434E), hashtext('okcancel'::regclass::oid::text)"

  func clock() throws -> DatabaseClock {
    let sent = ContinuousClock.now
    let row = try run(DatabaseClock.select, []).rows.first
    let clock = DatabaseClock()
    if let moment = row?.timestamp("now") { clock.set(moment, sent: sent) }
    return clock
  }

  /// Does one or several statements; the results are in text.
  @discardableResult
  func run(_ sql: String) throws(PQError) -> PQResult {
    try result(of: pq.PQexec(connection, sql))
  }

  /// Does one statement; the results are in binary format.
  @discardableResult
  func run(_ sql: String, _ parameters: [StoreValue]) throws(PQError) -> PQResult {
    try result(
      of: StoreValue.with(parameters) { count, values, lengths, formats in
        pq.PQexecParams(connection, sql, count, nil, values, lengths, formats, 1)
      })
  }

  func rows(_ sql: String, _ values: [StoreValue]) throws -> [PQRow] { try run(sql, values).rows }

  private func result(of pointer: OpaquePointer?) throws(PQError) -> PQResult {
    guard let result = pointer.map(PQResult.init) else {
      throw PQError(code: "08006", message: PQ.reason(connection).message)
    }
    if let error = result.error { throw error }
    return result
  }

  /// The first column of the first row.
  func text(_ sql: String) throws(PQError) -> String? { try run(sql).rows.first?.first }

  func setting(_ name: String) throws(PQError) -> String? {
    try run("SELECT value FROM settings WHERE name = $1", [.text(name)]).rows.first?.text("value")
  }

  func set(_ name: String, to value: String) throws(PQError) {
    try run(
      "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      [.text(name), .text(value)])
  }

  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try run("BEGIN")
    do {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      _ = try? run("ROLLBACK")
      throw error
    }
  }
}

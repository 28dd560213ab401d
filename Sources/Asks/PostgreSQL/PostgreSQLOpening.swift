internal import CPQ
internal import Glibc

/// Looks at a PostgreSQL database before a server uses it, and makes its tables or adds what they lack.
struct PostgreSQLOpening {
  let address: PostgreSQLAddress

  /// - Returns: the box of these keys, bound to the database, and its clock.
  func open(with source: SecretSource) throws -> (SecretBox, DatabaseClock) {
    let session = try PostgreSQLSession(address)
    return try StoreFault.wrapping(address) {
      try check(session)
      return (try bind(source, to: session), try session.clock())
    }
  }

  private func bind(_ source: SecretSource, to session: PostgreSQLSession, attempt: Int = 1) throws -> SecretBox {
    do {
      return try session.transaction {
        try conform(session)
        return try source.bind(to: session)
      }
    } catch let error as PQError
      where attempt < 5 && (error.isConflict || ["23505", "42P07", "42710"].contains(error.code))
    {
      // Another node made the first table at the same moment.
      return try bind(source, to: session, attempt: attempt + 1)
    }
  }

  private func check(_ session: PostgreSQLSession) throws {
    let name = "\(address)"
    guard session.version >= 150_000 else { throw StoreFault("unsuitable.too-old", ["database": name]) }
    guard try session.text("SHOW fsync") == "on" else { throw StoreFault("unsuitable.fsync", ["database": name]) }
    guard try session.text("SHOW server_encoding") == "UTF8" else {
      throw StoreFault("unsuitable.encoding", ["database": name])
    }
  }

  /// Under a lock of the row in `okcancel`: the first node makes the tables, the others wait and find them.
  private func conform(_ session: PostgreSQLSession) throws {
    if try session.text("SELECT to_regclass('okcancel')::text") == nil {
      if let names = try session.text(StoreTable.selectForeign) {
        throw StoreFault("unsuitable.tables", ["database": "\(address)", "names": names])
      }
      try session.run("CREATE TABLE okcancel (version bigint NOT NULL); INSERT INTO okcancel VALUES (0)")
    }
    let columns = try session.text(
      "SELECT string_agg(attname, ',') FROM pg_attribute WHERE attrelid = 'okcancel'::regclass AND attnum > 0")
    guard columns == "version" else { throw StoreFault("unsuitable.table", ["database": "\(address)"]) }
    guard try session.text("SELECT pg_try_advisory_xact_lock_shared(\(PostgreSQLSession.usage))") == "t" else {
      throw StoreFault("in-use", ["path": "\(address)"])
    }
    let version = Int(try session.text("SELECT version FROM okcancel FOR UPDATE") ?? "") ?? 0
    guard version <= Self.version else { throw StoreFault("newer-schema", ["path": "\(address)"]) }
    guard version < Self.version else { return try continuePositions(session) }
    for table in StoreTable.all {
      try session.run(SQLDialect.postgreSQL.creation(of: table))
      for column in table.columns {
        try session.run(
          "ALTER TABLE \(table.name) ADD COLUMN IF NOT EXISTS \(SQLDialect.postgreSQL.definition(of: column))")
      }
    }
    if try session.text("SELECT relkind::text FROM pg_class WHERE oid = to_regclass('callbacks')") == "r" {
      try session.run("LOCK TABLE callbacks IN ACCESS EXCLUSIVE MODE")
      try session.run(StoreTable.callbacks)
      try session.run(StoreTable.view)
    }
    try session.run(StoreTable.nodes)
    try session.run(StoreTable.numbering)
    for index in StoreTable.indexes { try session.run(index) }
    try session.run("UPDATE okcancel SET version = \(Self.version)")
  }

  /// As in an SQLite file: see `SQLite.continuePositions`.
  private func continuePositions(_ session: PostgreSQLSession) throws {
    try session.run(
      """
      SELECT setval('answer_positions', time)
      FROM answer_positions, (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint << 10 AS time) AS now
      WHERE is_called AND last_value < time
      """)
  }

  /// Increases when the tables change. Nodes of the previous version must still be able to use the changed tables.
  static let version = 10
}

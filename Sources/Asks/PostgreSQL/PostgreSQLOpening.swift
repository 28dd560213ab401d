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
      throw StoreFault.unsuitable(database: "\(address)", .error("\(error)"))
    }
  }

  private static func isRace(_ error: PQError) -> Bool { ["23505", "42P07", "42710"].contains(error.code) }

  private func check(_ session: PostgreSQLSession) throws {
    guard session.version >= 150_000 else { throw refusal(.tooOld) }
    guard try session.text("SHOW fsync") == "on" else {
      throw refusal(.fsyncIsOff)
    }
    guard try session.text("SHOW server_encoding") == "UTF8" else {
      throw refusal(.otherEncoding)
    }
  }

  private func refusal(_ reason: StoreFault.Unsuitability) -> StoreFault {
    .unsuitable(database: "\(address)", reason)
  }

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
      if let foreign { throw refusal(.foreignTables(foreign)) }
      try session.run("CREATE TABLE okcancel (version bigint NOT NULL); INSERT INTO okcancel VALUES (0)")
    }
    let columns = try session.text(
      "SELECT string_agg(attname, ',') FROM pg_attribute WHERE attrelid = 'okcancel'::regclass AND attnum > 0")
    guard columns == "version" else {
      throw refusal(.foreignTable)
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
    for index in StoreTable.createIndexes { try session.run(index.sql) }
    try session.run("UPDATE okcancel SET version = \(Self.version)")
  }

  /// Counts up when the tables change. What is added must leave what nodes of the version before can still use.
  static let version = 4

  /// What only several servers need. `closed_by` is the transaction that closed an ask: by that a node finds what others
  /// closed since it last looked. Of one prompt the order of commits is that of positions: see `StoreStatement.append`.
  /// `nodes` are the servers that run, and the version of each prompt that they offer, by its name.
  private static let tablesOfNodes = """
    ALTER TABLE asks ADD COLUMN IF NOT EXISTS closed_by xid8;
    CREATE INDEX IF NOT EXISTS asks_changed ON asks (closed_by) WHERE closed_by IS NOT NULL;
    CREATE SEQUENCE IF NOT EXISTS answer_positions;
    CREATE TABLE IF NOT EXISTS positions (prompt text COLLATE "C" PRIMARY KEY, last bigint NOT NULL)
      WITH (fillfactor = 10);
    CREATE TABLE IF NOT EXISTS settings (name text PRIMARY KEY, value text NOT NULL) WITH (fillfactor = 10);
    CREATE TABLE IF NOT EXISTS nodes (
      id text COLLATE "C" PRIMARY KEY, seen_at timestamptz NOT NULL, prompts jsonb NOT NULL) WITH (fillfactor = 10)
    """
}

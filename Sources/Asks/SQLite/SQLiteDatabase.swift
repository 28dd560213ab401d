internal import CSQLite
internal import Glibc
internal import Prompts

/// Opens the database file, or says why not. A missing file is made, unless something of the database that was here is
/// left; nothing else is replaced.
struct SQLiteDatabase {
  let path: String
  /// The file that the key is in, or would be.
  let key: String
  /// How long to wait for another process to let go of the file, in seconds.
  let patience: Double

  /// Files up to this size are checked whole at start: some hundred milliseconds.
  private static let checkedSize = 256 << 20

  /// - Returns: the database, what of its log SQLite did not read, if anything, and what else the operator should know.
  func open() throws(StoreFault) -> (SQLite, UnreadLog?, [OpeningNotice]) {
    guard path != ":memory:", !path.isEmpty else { throw .noFile(path: path) }
    if !holdsBytes(path) {
      // SQLite would make a new database, and remove this log.
      if holdsBytes(path + "-wal") { throw .orphanedLog(path + "-wal", of: path) }
      if access(key, F_OK) == 0 { throw .orphanedKey(key, of: path) }
    }
    let failure = makePrivateFile(path)
    switch failure {
    case 0: break
    case EROFS, EACCES, EPERM: throw .readOnly(path: path)
    default: throw .file(path: path, errno: failure)
    }
    guard access(path, R_OK | W_OK) == 0 else { throw .readOnly(path: path) }
    let isLogEmpty = isEmptyFile(path + "-wal")
    do {
      let db = try SQLite(path: path, patience: patience)
      try prepare(db)
      try check(db)
      let migrations = try Migrations(of: db)
      if migrations.areNewer { throw StoreFault.newerSchema(path: path) }
      // Read while nobody else has the file, and nothing has been written.
      let unread = try UnreadLog(of: path + "-wal")
      var notices: [OpeningNotice] = []
      do { notices = try Rescue.review(db, at: path) } catch {
        // What is refused stays as it is.
        db.keepsLog = true
        throw error
      }
      // The log begins anew: what was left out of it is never taken for part of its next transactions. On a full disk
      // it stays as it is.
      try? db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      try migrations.run(on: db)
      try Self.confirmDurability(db)
      // Whoever had claimed callbacks has let go of the file, with kill -9 too. On a full disk they wait for their
      // leases' end.
      _ = try? db.run("UPDATE callbacks SET leased_until = 0 WHERE state = 'waiting' AND leased_until > 0")
      if isLogEmpty { notices.append(.emptyLog(path + "-wal")) }
      return (db, unread, notices)
    } catch let fault as StoreFault {
      throw fault
    } catch {
      throw fault(error)
    }
  }

  private func prepare(_ db: SQLite) throws {
    // SQLite 3.40 can damage a WAL that two connections restart at once: nobody else gets in.
    try db.execute("PRAGMA locking_mode = EXCLUSIVE")
    // Before anything is written: another program's file stays as it is.
    let application = try db.row("PRAGMA application_id") { $0.integer(0) }
    let tables = try db.row("SELECT count(*) FROM sqlite_schema") { $0.integer(0) } ?? 0
    if tables > 0, application != Self.applicationID { throw StoreFault.foreignDatabase(path: path) }
    try db.execute("PRAGMA foreign_keys = ON")
    // A write-ahead log, and an `fsync` of it at each commit, make an acknowledged write outlive a power loss.
    try db.execute("PRAGMA journal_mode = WAL")
    try db.execute("PRAGMA synchronous = FULL")
    // Pages that change again and again come into the database once each 16 MB of log, and not each 4.
    try db.execute("PRAGMA wal_autocheckpoint = 4000")
    // As many pages in memory, so that a log that is cut short can be saved from there.
    try db.execute("PRAGMA cache_size = 4000")
    try Self.confirmDurability(db)
  }

  /// - Throws: `StoreFault.notDurable` if SQLite says that it runs otherwise.
  static func confirmDurability(_ db: SQLite) throws {
    for (setting, expected) in [("journal_mode", "wal"), ("synchronous", "2"), ("foreign_keys", "1")] {
      let text = try value(of: setting, on: db)
      if text != expected { throw StoreFault.notDurable(setting: setting, value: text) }
    }
  }

  /// What SQLite says of a setting, as text; `nothing` if it says nothing.
  static func value(of setting: String, on db: SQLite) throws -> String {
    try db.row("PRAGMA \(setting)") { $0.text(0) } ?? "nothing"
  }

  private func check(_ db: SQLite) throws {
    var status = stat()
    guard stat(path, &status) == 0, status.st_size <= Self.checkedSize else { return }
    let finding = try db.row("PRAGMA quick_check(1)") { $0.text(0) } ?? "no result"
    if finding != "ok" { throw StoreFault.damaged(path: path, detail: finding) }
  }

  private func fault(_ error: any Error) -> StoreFault {
    guard let error = error as? SQLiteError else {
      return .damaged(path: path, detail: String(describing: error))
    }
    switch error.primary {
    case SQLITE_NOTADB: return .notADatabase(path: path)
    case SQLITE_BUSY, SQLITE_LOCKED: return .inUse(path: path)
    case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM: return .readOnly(path: path)
    case SQLITE_FULL: return .full
    default: return .damaged(path: path, detail: error.detail)
    }
  }
}

// MARK: The tables

extension SQLiteDatabase {
  /// `OKCN`: marks the file as OKCancel's in SQLite's own header.
  private static let applicationID: Int64 = 0x4F4B_434E

  /// How the tables came to be what they are. A migration that was released never changes.
  private static let migrations = [
    ("1 asks, answers, callbacks", "PRAGMA application_id = \(applicationID); \(firstTables)"),
    // Few answers have one: only those take room in the index.
    (
      "2 receipts",
      """
      ALTER TABLE answers ADD COLUMN receipt TEXT;
      CREATE UNIQUE INDEX answers_by_receipt ON answers (receipt) WHERE receipt IS NOT NULL;
      """
    ),
    // A claim reads only what it takes.
    (
      "3 callbacks by receiver",
      """
      DROP INDEX callbacks_waiting;
      CREATE INDEX callbacks_free ON callbacks (origin, due_at) WHERE state = 'waiting' AND leased_until = 0;
      CREATE INDEX callbacks_claimed ON callbacks (origin, leased_until)
        WHERE state = 'waiting' AND leased_until > 0;
      """
    ),
    (
      "4 keys of answers",
      """
      ALTER TABLE asks ADD COLUMN closed_request BLOB;
      ALTER TABLE answers ADD COLUMN idempotency_key BLOB;
      ALTER TABLE answers ADD COLUMN idempotency_body BLOB;
      CREATE UNIQUE INDEX answers_by_key ON answers (idempotency_key) WHERE idempotency_key IS NOT NULL;
      """
    ),
    // Of each ask two hold an entry.
    (
      "5 lists of asks",
      """
      CREATE INDEX asks_open_by_age ON asks (created_at, id) WHERE outcome IS NULL;
      CREATE INDEX asks_closed_by_age ON asks (created_at, id) WHERE outcome IS NOT NULL;
      CREATE INDEX asks_open_of_prompt ON asks (prompt, created_at, id)
        WHERE outcome IS NULL AND prompt IS NOT NULL;
      CREATE INDEX asks_closed_of_prompt ON asks (prompt, created_at, id)
        WHERE outcome IS NOT NULL AND prompt IS NOT NULL;
      """
    ),
    // Answers stand in the order of their age already.
    ("6 answers by position", "DROP INDEX answers_by_age;"),
  ]

  /// Which migrations a database has had. The table of their names has that of GRDB, which earlier versions used.
  private struct Migrations {
    let done: Set<String>

    init(of db: SQLite) throws {
      let isThere = try db.row("SELECT 1 FROM sqlite_schema WHERE name = 'grdb_migrations'") { _ in true } ?? false
      done = isThere ? Set(try db.rows("SELECT identifier FROM grdb_migrations") { $0.text(0) ?? "" }) : []
    }

    /// Whether there are some that this version does not know.
    var areNewer: Bool { !done.isSubset(of: migrations.map(\.0)) }

    /// Does the others, each whole or not at all.
    func run(on db: SQLite) throws {
      for (name, sql) in migrations where !done.contains(name) {
        try db.execute("BEGIN IMMEDIATE")
        do {
          try db.execute("CREATE TABLE IF NOT EXISTS grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
          try db.execute(sql)
          try db.run("INSERT INTO grdb_migrations (identifier) VALUES (?)", [.text(name)])
          try db.execute("COMMIT")
        } catch {
          try? db.execute("ROLLBACK")
          throw error
        }
      }
    }
  }

  /// Moments are milliseconds since 1970. An ask is open while its outcome is NULL. `link` is the sealed token, kept
  /// only while the ask is open and only if a retried request may ask for it.
  private static let firstTables = """
    CREATE TABLE asks (
      id TEXT NOT NULL PRIMARY KEY,
      link_hash BLOB NOT NULL UNIQUE,
      link BLOB,
      idempotency_key BLOB UNIQUE,
      idempotency_body BLOB,
      prompt TEXT,
      definition BLOB NOT NULL,
      initial BLOB NOT NULL,
      metadata BLOB NOT NULL,
      callback TEXT,
      holds_passwords INTEGER NOT NULL,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      outcome TEXT,
      closed_at INTEGER,
      closed BLOB,
      CHECK ((outcome IS NULL) = (closed IS NULL) AND (outcome IS NULL) = (closed_at IS NULL)),
      CHECK ((idempotency_key IS NULL) = (idempotency_body IS NULL))
    ) STRICT;
    CREATE INDEX asks_open ON asks (expires_at) WHERE outcome IS NULL;
    CREATE INDEX asks_closed ON asks (closed_at) WHERE outcome IS NOT NULL;

    CREATE TABLE answers (
      position INTEGER PRIMARY KEY AUTOINCREMENT,
      prompt TEXT NOT NULL,
      answered_at INTEGER NOT NULL,
      context TEXT NOT NULL,
      outcome BLOB NOT NULL
    ) STRICT;
    CREATE INDEX answers_of_prompt ON answers (prompt, position);
    CREATE INDEX answers_by_age ON answers (answered_at);

    CREATE TABLE callbacks (
      ask TEXT NOT NULL PRIMARY KEY REFERENCES asks (id) ON DELETE CASCADE,
      url TEXT NOT NULL,
      origin TEXT NOT NULL,
      state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'given up')),
      attempts INTEGER NOT NULL DEFAULT 0,
      due_at INTEGER NOT NULL,
      leased_until INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX callbacks_waiting ON callbacks (due_at) WHERE state = 'waiting';

    CREATE TABLE settings (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT;
    """
}

// MARK: Statements and rows

extension SQLite: KeepsSettings {
  /// What the database remembers of itself under this name.
  func setting(_ name: String) throws -> String? {
    try row("SELECT value FROM settings WHERE name = ?", [.text(name)]) { $0.text(0) }
  }

  func set(_ name: String, to value: String) throws {
    try run("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", [.text(name), .text(value)])
  }
}

extension SQLiteValue {
  static func integer(_ number: Int) -> Self { .integer(Int64(number)) }

  static func id(_ id: AskID) -> Self { .text(id.description) }

  static func moment(_ moment: Timestamp) -> Self { .integer(moment.milliseconds) }
}

extension SQLiteRow {
  func sealable(_ column: Int32) -> Sealable { Sealable(stored: bytes(column)) }

  func timestamp(_ column: Int32) -> Timestamp { Timestamp(milliseconds: integer(column)) }

  func askID(_ column: Int32) throws -> AskID {
    guard let id = text(column).flatMap({ AskID($0) }) else {
      throw StoreFault.readFailed(detail: "an ask has an invalid id")
    }
    return id
  }
}

extension ListedAsk {
  init(_ row: borrowing SQLiteRow) throws {
    let id = try row.askID(0)
    self.init(
      id: id, prompt: row.text(1), createdAt: row.timestamp(2), expiresAt: row.timestamp(3), metadata: row.bytes(4),
      closed: ClosedAsk(row, id: id, from: 5))
  }
}

extension Ask {
  static let columns =
    "id, prompt, definition, initial, metadata, callback, created_at, expires_at, \(ClosedAsk.columns)"

  /// A row of `columns`, and perhaps more.
  init(_ row: borrowing SQLiteRow) throws {
    let id = try row.askID(0)
    self.init(
      id: id, prompt: row.text(1), definition: row.sealable(2), values: row.sealable(3), metadata: row.bytes(4),
      callback: row.text(5), createdAt: row.timestamp(6), expiresAt: row.timestamp(7),
      closed: ClosedAsk(row, id: id, from: 8))
  }
}

extension ClosedAsk {
  static let columns = "outcome, closed_at, closed, closed_request"

  /// A row that has `columns` from this place.
  ///
  /// - Returns: `nil` if the row's ask is open.
  init?(_ row: borrowing SQLiteRow, id: AskID, from place: Int32) {
    guard let word = row.text(place), let outcome = Outcome.Kind(rawValue: word) else { return nil }
    self.init(
      id: id, outcome: outcome, closedAt: row.timestamp(place + 1), json: row.sealable(place + 2),
      request: row.optionalBytes(place + 3))
  }
}

extension StandingAnswer {
  static let columns = "prompt, position, answered_at, outcome, context"

  /// A row of `columns`, and perhaps more.
  init(_ row: borrowing SQLiteRow) {
    self.init(
      prompt: row.text(0) ?? "", cursor: Cursor(position: row.integer(1)), answeredAt: row.timestamp(2),
      outcome: row.sealable(3), context: row.text(4) ?? "")
  }
}

extension Callback {
  /// A row of `callbacks`, joined with its closed ask.
  init(_ row: borrowing SQLiteRow) throws {
    let id = try row.askID(0)
    guard let closed = ClosedAsk(row, id: id, from: 3) else {
      throw StoreFault.readFailed(detail: "a callback’s ask is open")
    }
    self.init(id: id, url: row.text(1) ?? "", attempts: Int(row.integer(2)), closed: closed)
  }
}

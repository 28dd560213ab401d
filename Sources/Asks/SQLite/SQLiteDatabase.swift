internal import Foundation
internal import GRDB
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

  /// - Returns: the database, and what of its log SQLite did not read, if anything.
  func open() throws(StoreFault) -> (DatabaseQueue, UnreadLog?) {
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
    do {
      let database = try DatabaseQueue(path: path, configuration: configuration)
      let unread = try database.inDatabase { db in
        try check(db)
        if try Self.migrator.hasBeenSuperseded(db) { throw StoreFault.newerSchema(path: path) }
        // Read while nobody else has the file, and nothing has been written.
        let unread = try UnreadLog(of: path + "-wal")
        // The log begins anew: what was left out of it is never taken for part of its next transactions. On a full disk
        // it stays as it is.
        try? db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        return unread
      }
      try Self.migrator.migrate(database)
      try database.inDatabase { db in
        try Self.confirmDurability(db)
        // Whoever had claimed callbacks has let go of the file, with kill -9 too. On a full disk they wait for their
        // leases' end.
        try? db.execute(sql: "UPDATE callbacks SET leased_until = 0 WHERE state = 'waiting' AND leased_until > 0")
      }
      return (database, unread)
    } catch let fault as StoreFault {
      throw fault
    } catch {
      throw fault(error)
    }
  }

  private var configuration: Configuration {
    var configuration = Configuration()
    configuration.label = "okcancel.store"
    configuration.busyMode = .timeout(patience)
    configuration.foreignKeysEnabled = true
    configuration.prepareDatabase { [path] db in
      // SQLite 3.40 can damage a WAL that two connections restart at once: nobody else gets in.
      try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
      // Before anything is written: another program's file stays as it is.
      let application = try Int32.fetchOne(db, sql: "PRAGMA application_id")
      let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
      if tables > 0, application != Self.applicationID { throw StoreFault.foreignDatabase(path: path) }
      // A write-ahead log, and an `fsync` of it at each commit, make an acknowledged write outlive a power loss. Not
      // GRDB's own WAL mode: that one lowers `synchronous` to NORMAL.
      try db.execute(sql: "PRAGMA journal_mode = WAL")
      try db.execute(sql: "PRAGMA synchronous = FULL")
      try Self.confirmDurability(db)
    }
    return configuration
  }

  /// - Throws: `StoreFault.notDurable` if SQLite says that it runs otherwise.
  static func confirmDurability(_ db: Database) throws {
    for (setting, expected) in [("journal_mode", "wal"), ("synchronous", "2"), ("foreign_keys", "1")] {
      let text = try value(of: setting, on: db)
      if text != expected { throw StoreFault.notDurable(setting: setting, value: text) }
    }
  }

  /// What SQLite says of a setting, as text; `nothing` if it says nothing.
  static func value(of setting: String, on db: Database) throws -> String {
    guard let row = try Row.fetchOne(db, sql: "PRAGMA \(setting)") else { return "nothing" }
    let value: DatabaseValue = row[0]
    return Int64.fromDatabaseValue(value).map { String($0) } ?? String.fromDatabaseValue(value) ?? "nothing"
  }

  private func check(_ db: Database) throws {
    var status = stat()
    guard stat(path, &status) == 0, status.st_size <= Self.checkedSize else { return }
    let finding = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "no result"
    if finding != "ok" { throw StoreFault.damaged(path: path, detail: finding) }
  }

  private func fault(_ error: any Error) -> StoreFault {
    guard let error = error as? DatabaseError else {
      return .damaged(path: path, detail: String(describing: error))
    }
    switch error.resultCode {
    case .SQLITE_NOTADB: return .notADatabase(path: path)
    case .SQLITE_BUSY, .SQLITE_LOCKED: return .inUse(path: path)
    case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM: return .readOnly(path: path)
    case .SQLITE_FULL: return .full
    default: return .damaged(path: path, detail: error.detail)
    }
  }
}

// MARK: The tables

extension SQLiteDatabase {
  /// `OKCN`: marks the file as OKCancel's in SQLite's own header.
  private static let applicationID: Int32 = 0x4F4B_434E

  /// How the tables came to be what they are. A migration that was released never changes.
  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1 asks, answers, callbacks") { db in
      try db.execute(sql: "PRAGMA application_id = \(applicationID)")
      try db.execute(sql: firstTables)
    }
    migrator.registerMigration("2 receipts") { db in
      // Few answers have one: only those take room in the index.
      try db.execute(
        sql: """
          ALTER TABLE answers ADD COLUMN receipt TEXT;
          CREATE UNIQUE INDEX answers_by_receipt ON answers (receipt) WHERE receipt IS NOT NULL;
          """)
    }
    migrator.registerMigration("3 callbacks by receiver") { db in
      // A claim reads only what it takes.
      try db.execute(
        sql: """
          DROP INDEX callbacks_waiting;
          CREATE INDEX callbacks_free ON callbacks (origin, due_at) WHERE state = 'waiting' AND leased_until = 0;
          CREATE INDEX callbacks_claimed ON callbacks (origin, leased_until)
            WHERE state = 'waiting' AND leased_until > 0;
          """)
    }
    migrator.registerMigration("4 keys of answers") { db in
      try db.execute(
        sql: """
          ALTER TABLE asks ADD COLUMN closed_request BLOB;
          ALTER TABLE answers ADD COLUMN idempotency_key BLOB;
          ALTER TABLE answers ADD COLUMN idempotency_body BLOB;
          CREATE UNIQUE INDEX answers_by_key ON answers (idempotency_key) WHERE idempotency_key IS NOT NULL;
          """)
    }
    migrator.registerMigration("5 lists of asks") { db in
      // Of each ask two hold an entry.
      try db.execute(
        sql: """
          CREATE INDEX asks_open_by_age ON asks (created_at, id) WHERE outcome IS NULL;
          CREATE INDEX asks_closed_by_age ON asks (created_at, id) WHERE outcome IS NOT NULL;
          CREATE INDEX asks_open_of_prompt ON asks (prompt, created_at, id)
            WHERE outcome IS NULL AND prompt IS NOT NULL;
          CREATE INDEX asks_closed_of_prompt ON asks (prompt, created_at, id)
            WHERE outcome IS NOT NULL AND prompt IS NOT NULL;
          """)
    }
    return migrator
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

extension Database: KeepsSettings {
  /// Runs a statement that is compiled once and kept.
  ///
  /// - Returns: how many rows it changed.
  @discardableResult
  func run(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
    try cachedStatement(sql: sql).execute(arguments: arguments)
    return changesCount
  }

  func row(_ sql: String, _ arguments: StatementArguments = []) throws -> Row? {
    try Row.fetchOne(cachedStatement(sql: sql), arguments: arguments)
  }

  func rows(_ sql: String, _ arguments: StatementArguments = []) throws -> [Row] {
    try Row.fetchAll(cachedStatement(sql: sql), arguments: arguments)
  }

  /// What the database remembers of itself under this name.
  func setting(_ name: String) throws -> String? {
    try row("SELECT value FROM settings WHERE name = ?", [name])?["value"]
  }

  func set(_ name: String, to value: String) throws {
    try run("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", [name, value])
  }
}

/// Columns are read by their place: for a name GRDB writes it in lower case and searches, each time.
extension Row {
  func bytes(_ column: Int) -> [UInt8] { Array(self[column] as Data) }

  func sealable(_ column: Int) -> Sealable { Sealable(stored: bytes(column)) }

  func timestamp(_ column: Int) -> Timestamp { Timestamp(milliseconds: self[column]) }

  func askID(_ column: Int) throws -> AskID {
    guard let id = AskID(self[column] as String) else {
      throw StoreFault.readFailed(detail: "an ask has an invalid id")
    }
    return id
  }
}

extension Sealable {
  var data: Data { Data(stored) }
}

extension ListedAsk {
  init(_ row: Row) throws {
    let id = try row.askID(0)
    self.init(
      id: id, prompt: row[1], createdAt: row.timestamp(2), expiresAt: row.timestamp(3), metadata: row.bytes(4),
      closed: ClosedAsk(row, id: id, from: 5))
  }
}

extension Ask {
  static let columns =
    "id, prompt, definition, initial, metadata, callback, created_at, expires_at, \(ClosedAsk.columns)"

  /// A row of `columns`, and perhaps more.
  init(_ row: Row) throws {
    let id = try row.askID(0)
    self.init(
      id: id, prompt: row[1], definition: row.sealable(2), values: row.sealable(3), metadata: row.bytes(4),
      callback: row[5], createdAt: row.timestamp(6), expiresAt: row.timestamp(7),
      closed: ClosedAsk(row, id: id, from: 8))
  }
}

extension ClosedAsk {
  static let columns = "outcome, closed_at, closed, closed_request"

  /// A row that has `columns` from this place.
  ///
  /// - Returns: `nil` if the row's ask is open.
  init?(_ row: Row, id: AskID, from place: Int) {
    guard let word = row[place] as String?, let outcome = Outcome.Kind(rawValue: word) else { return nil }
    self.init(
      id: id, outcome: outcome, closedAt: row.timestamp(place + 1), json: row.sealable(place + 2),
      request: (row[place + 3] as Data?).map { Array($0) })
  }
}

extension StandingAnswer {
  static let columns = "prompt, position, answered_at, outcome, context"

  /// A row of `columns`, and perhaps more.
  init(_ row: Row) {
    self.init(
      prompt: row[0], cursor: Cursor(position: row[1]), answeredAt: row.timestamp(2), outcome: row.sealable(3),
      context: row[4])
  }
}

extension Callback {
  /// A row of `callbacks`, joined with its closed ask.
  init(_ row: Row) throws {
    let id = try row.askID(0)
    guard let closed = ClosedAsk(row, id: id, from: 3) else {
      throw StoreFault.readFailed(detail: "a callback’s ask is open")
    }
    self.init(id: id, url: row[1], attempts: row[2], closed: closed)
  }
}

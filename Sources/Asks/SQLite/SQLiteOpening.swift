internal import CSQLite
internal import Glibc

/// Opens the database file, or throws the reason why it cannot. A missing file is created, unless the log or the key of
/// an earlier database is still there. No existing file is replaced.
struct SQLiteOpening {
  let path: String
  /// The time to wait for another process to let go of the file, in seconds.
  let patience: Double

  /// Files up to this size are checked whole at start: some hundred milliseconds.
  private static let checkedSize = 256 << 20

  /// - Returns: the database, the box of these keys, bound to it, and what the operator should know.
  /// - Throws: `StoreFault` or `PlainError`.
  func open(
    with source: SecretSource
  ) throws -> (connection: SQLite, secrets: SecretBox, notices: [OpeningNotice]) {
    guard path != ":memory:", !path.isEmpty else { throw StoreFault("no-file", ["path": path]) }
    try Self.checkIsFile(path)
    if !holdsBytes(path) {
      // SQLite would make a new database, and remove this log.
      if holdsBytes(path + "-wal") { throw StoreFault("orphaned-log", ["log": path + "-wal", "path": path]) }
      if access(source.file, F_OK) == 0 { throw StoreFault("orphaned-key", ["key": source.file, "path": path]) }
    }
    switch makePrivateFile(path) {
    case 0, EEXIST: break
    case EROFS, EACCES, EPERM: throw StoreFault("read-only", ["path": path])
    case let failure: throw StoreFault.file(path, errno: failure)
    }
    guard access(path, R_OK | W_OK) == 0 else {
      // A link that leads nowhere.
      throw errno == ENOENT ? StoreFault.file(path, errno: ENOENT) : StoreFault("read-only", ["path": path])
    }
    let found = try LogMark.Found(path)
    do {
      let db = try SQLite(path: path, patience: patience)
      // What is refused stays as it is.
      db.keepsLog = found.hasLog
      // SQLite 3.40 can damage a WAL that two connections restart at once: nobody else gets in.
      try db.execute("PRAGMA locking_mode = EXCLUSIVE")
      try found.check(db)
      try prepare(db)
      try check(db)
      if try db.count("PRAGMA user_version") > Self.version { throw StoreFault("newer-schema", ["path": path]) }
      try source.check(db)
      var notices = try Rescue.review(db, at: path)
      // Check the log now, while nobody else has the file and before anything is written to the log. A checkpoint
      // reports how many frames SQLite has read. On a full disk it fails, and the log is not checked.
      let readFrames = (try? db.run("PRAGMA wal_checkpoint(PASSIVE)"))?.first?.integer("log")
      let unread = try readFrames.flatMap {
        try OpeningNotice(ofLog: found.log, readFrames: Int($0), pageSize: try db.count("PRAGMA page_size"))
      }
      if let unread { notices.insert(unread, at: 0) }
      // Empty the log, so that frames that SQLite left out never count as part of a later transaction. On a full disk
      // the log stays as it is. Where there is none, SQLite would not draw the first salts of the new one.
      if holdsBytes(found.log) { try? db.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
      try conform(db)
      try Self.confirmDurability(db)
      // On a full disk it is marked before the first write that is acknowledged. From then on the log is never empty.
      try? db.markInUse(path)
      // A server that had claimed deliveries has ended, even by kill -9, since it no longer locks the file. Mark what it
      // left, and make it due now: see `wasLeft` in statements.sql. If the disk is full, it waits until the leases end.
      _ = try? db.run("UPDATE deliveries SET leased_until = 1, due_at = 1 WHERE state = 'waiting' AND leased_until > 0")
      if found.isLogEmptied { notices.append(.emptyLog(found.log)) }
      return (db, try source.bind(to: db), notices)
    } catch let error as SQLiteError {
      throw fault(error)
    }
  }

  private func prepare(_ db: SQLite) throws {
    // Before anything is written: another program's file stays as it is.
    if try !db.isEmpty { try Self.checkOwner(of: db, path) }
    try db.execute("PRAGMA foreign_keys = ON")
    // A write-ahead log, and an `fsync` of it at each commit, make an acknowledged write outlive a power loss.
    try db.execute("PRAGMA journal_mode = WAL")
    try db.execute("PRAGMA synchronous = FULL")
    // Keep more pages in memory than the log has, from which a log that is cut short can be saved.
    try db.execute("PRAGMA cache_size = 4000")
  }

  /// - Throws: `StoreFault` if SQLite says that it runs otherwise.
  static func confirmDurability(_ db: SQLite) throws {
    for (setting, expected) in [("journal_mode", "wal"), ("synchronous", "2"), ("foreign_keys", "1")] {
      let text = try db.text("PRAGMA \(setting)") ?? "nothing"
      if text != expected { throw StoreFault("not-durable", ["setting": setting, "value": text]) }
    }
  }

  /// - Throws: `StoreFault` if there is something that is no file, such as a directory.
  static func checkIsFile(_ path: String) throws {
    if let status = fileStatus(path), status.st_mode & S_IFMT != S_IFREG {
      throw StoreFault("not-a-database", ["path": path])
    }
  }

  /// - Throws: `StoreFault`
  static func checkOwner(of db: SQLite, _ path: String) throws {
    if try db.count("PRAGMA application_id") != applicationID { throw StoreFault("foreign-database", ["path": path]) }
  }

  private func check(_ db: SQLite) throws {
    guard let size = fileStatus(path)?.st_size, size <= Self.checkedSize else { return }
    let finding = try db.text("PRAGMA quick_check(1)") ?? "no result"
    if finding != "ok" { throw StoreFault("damaged", ["path": path, "detail": finding]) }
  }

  private func fault(_ error: SQLiteError) -> StoreFault {
    switch error.primary {
    case SQLITE_NOTADB: StoreFault("not-a-database", ["path": path])
    case SQLITE_BUSY, SQLITE_LOCKED: StoreFault("in-use", ["path": path])
    case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM: StoreFault("read-only", ["path": path])
    case SQLITE_FULL: StoreFault("full")
    default: StoreFault("damaged", ["path": path, "detail": error.detail])
    }
  }
}

extension SQLite {
  /// True if it has no tables, like an empty file.
  var isEmpty: Bool { get throws { try count("SELECT count(*) FROM sqlite_schema") == 0 } }
}

// MARK: The tables

extension SQLiteOpening {
  /// `OKCN`: marks the file as OKCancel's in SQLite's own header.
  static let applicationID = 0x4F4B_434E

  /// Counts up when the tables change. Files of before the first release have 0.
  private static let version = 13

  /// Makes the tables, or adds what those of an earlier version lack; whole or not at all.
  private func conform(_ db: SQLite) throws {
    guard try db.count("PRAGMA user_version") < Self.version else { return }
    try db.transaction {
      for table in StoreTable.all {
        try db.execute(SQLDialect.sqlite.creation(of: table))
        let there = Set(try db.run("SELECT name FROM pragma_table_info(?)", [.text(table.name)]).map(\.first))
        for column in table.columns where !there.contains(column.name) {
          try db.execute("ALTER TABLE \(table.name) ADD COLUMN \(SQLDialect.sqlite.definition(of: column))")
        }
      }
      if try db.count("SELECT count(*) FROM sqlite_schema WHERE name = 'callbacks'") > 0 {
        try db.execute(StoreTable.callbacks)
      }
      // Those of an earlier version may be of other columns.
      let indexes = try db.run("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
      for name in indexes.compactMap(\.first) { try db.execute("DROP INDEX \(name)") }
      let marks = ["PRAGMA application_id = \(Self.applicationID)", "PRAGMA user_version = \(Self.version)"]
      for sql in [StoreTable.sqlite, StoreTable.numbering] + StoreTable.indexes + marks { try db.execute(sql) }
    }
  }
}

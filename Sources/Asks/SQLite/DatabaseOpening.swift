internal import GRDB
internal import Glibc

/// Opens the database file, or says why not. A missing file is made, unless something of the database that
/// was here is left; nothing else is replaced.
struct DatabaseOpening {
  let path: String
  /// The file that the key is in, or would be.
  let key: String
  /// How long to wait for another process to let go of the file, in seconds.
  let patience: Double

  /// Files up to this size are checked whole at start: some hundred milliseconds.
  private static let checkedSize = 256 << 20

  /// - Returns: the database, and what of its log SQLite does not read; nil: it reads everything.
  func open() throws(StoreFault) -> (DatabaseQueue, LeftOut?) {
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
      let leftOut = try database.inDatabase { db in
        try check(db)
        if try Schema.migrator.hasBeenSuperseded(db) { throw StoreFault.newerSchema(path: path) }
        // Read while nobody else has the file, and nothing has been written.
        let leftOut = try LeftOut(of: path + "-wal")
        // The log begins anew: what was left out of it is never taken for something of its next transactions. On a full
        // disk it stays as it is.
        try? db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        return leftOut
      }
      try Schema.migrator.migrate(database)
      try database.inDatabase { db in
        try Durability.confirm(db)
        // Whoever had claimed callbacks has let go of the file, with kill -9 too. On a full disk they wait for their
        // leases' end.
        try? db.execute(sql: "UPDATE callbacks SET leased_until = 0 WHERE state = 'waiting' AND leased_until > 0")
      }
      return (database, leftOut)
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
      if tables > 0, application != Schema.applicationID { throw StoreFault.foreignDatabase(path: path) }
      try Durability.establish(db)
    }
    return configuration
  }

  private func check(_ db: Database) throws {
    var status = stat()
    guard stat(path, &status) == 0, status.st_size <= Self.checkedSize else { return }
    let finding = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "no answer"
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
    default: return .damaged(path: path, detail: CommitFailure.detail(error))
    }
  }
}

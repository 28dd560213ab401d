internal import CSQLite
internal import Dispatch
internal import Glibc
internal import Synchronization

/// The one connection to a database file, and transactions on it.
final class SQLiteCommitConnection: CommitConnection {
  /// What does one thing after another.
  private let queue = DispatchQueue(label: "okcancel.store")
  /// Used only on the queue.
  private nonisolated(unsafe) let database: SQLite
  /// Used only on the queue.
  private let files: Mutex<DatabaseFiles>

  /// - Parameter database: used by nobody else from now on.
  /// - Throws: `StoreFault` if the files are gone already.
  init(_ database: SQLite, at path: String) throws(StoreFault) {
    self.database = database
    files = Mutex(try DatabaseFiles(openAt: path))
  }

  func enqueue(_ body: @escaping @Sendable (SQLite) -> Void) { queue.async { body(self.database) } }

  func commit(_ writes: [any PendingWrite<SQLite>], in db: SQLite) -> Result<Bool, CommitFailure> {
    let changes = db.totalChanges
    // The files are checked before, so that nothing is written in vain, and after: only then is it acknowledged.
    if let failure = missingFile(db) ?? transaction(writes, db) ?? missingFile(db) { return .failure(failure) }
    return .success(db.totalChanges != changes)
  }

  func readFault(_ error: any Error) -> any Error {
    (error as? SQLiteError).map { StoreFault.readFailed(detail: $0.detail) } ?? error
  }

  func close() { queue.sync { database.close() } }

  /// Why what is written now would be gone with the process: a file at the path is not the open one any more.
  private func missingFile(_ db: SQLite) -> CommitFailure? {
    guard let fault = files.withLock({ $0.fault() }) else { return nil }
    // What was acknowledged and stands only in the log comes into the database, as long as somebody has that log open.
    if case .logGone = fault { try? db.execute("PRAGMA wal_checkpoint(FULL)") }
    return CommitFailure(fault: fault, isLasting: false)
  }

  /// - Returns: `nil` once all of them are on the disk.
  private func transaction(_ writes: [any PendingWrite<SQLite>], _ db: SQLite) -> CommitFailure? {
    do {
      try db.run("BEGIN IMMEDIATE TRANSACTION")
      do {
        for write in writes { try write.run(on: db) }
      } catch  where db.isInTransaction && !error.isOfTheFile {
        // Hardly ever: then all of them once more, so that the one that fails takes no other with it.
        try db.run("ROLLBACK TRANSACTION")
        try db.run("BEGIN IMMEDIATE TRANSACTION")
        for write in writes { try perform(write, on: db) }
      }
      try db.run("COMMIT TRANSACTION")
      return nil
    } catch {
      if db.isInTransaction { _ = try? db.run("ROLLBACK TRANSACTION") }
      return CommitFailure(error)
    }
  }

  /// - Throws: only what makes the whole transaction fail.
  private func perform(_ write: any PendingWrite<SQLite>, on db: SQLite) throws {
    try db.run("SAVEPOINT single")
    do {
      try write.run(on: db)
    } catch {
      if error.isOfTheFile || !db.isInTransaction { throw error }
      try db.run("ROLLBACK TO single")
      write.fail((error as? SQLiteError).map { StoreFault.writeFailed(detail: $0.detail) } ?? error)
    }
    try db.run("RELEASE single")
  }
}

extension CommitFailure {
  fileprivate init(_ error: any Error) {
    guard let error = error as? SQLiteError else {
      self.init(fault: .writeFailed(detail: String(describing: error)), isLasting: false)
      return
    }
    switch error.primary {
    case SQLITE_FULL: self.init(fault: .full, isLasting: false)
    case SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_NOTADB:
      self.init(fault: .writeFailed(detail: error.detail), isLasting: true)
    default: self.init(fault: .writeFailed(detail: error.detail), isLasting: false)
    }
  }
}

extension Error {
  /// Whether the error is the file's and not one statement's.
  fileprivate var isOfTheFile: Bool {
    guard let code = (self as? SQLiteError)?.primary else { return false }
    return [
      SQLITE_FULL, SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_NOMEM,
      SQLITE_BUSY, SQLITE_LOCKED,
    ].contains(code)
  }
}

/// The files of an open database, as they were when it was opened.
///
/// SQLite goes on writing into a file that has lost its name, and says nothing: what it keeps there is gone with the
/// process.
private struct DatabaseFiles: Sendable {
  private struct File: Sendable {
    let path: String
    let device: dev_t
    let inode: ino_t
    /// The largest that it was. Nothing here makes either file smaller.
    var size: off_t

    /// - Returns: `nil` if nothing has this name.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      (self.path, device, inode, size) = (path, status.st_dev, status.st_ino, status.st_size)
    }

    /// Whether the same file is still there, whole.
    mutating func isStillThere() -> Bool {
      guard let now = File(path), now.device == device, now.inode == inode, now.size >= size else { return false }
      size = now.size
      return true
    }
  }

  private var database: File
  private var log: File

  /// - Parameter path: of a database in WAL mode that only this process has open.
  init(openAt path: String) throws(StoreFault) {
    guard let database = File(path) else { throw .gone(file: fileName(path)) }
    guard let log = File(path + "-wal") else { throw .logGone(file: fileName(path) + "-wal") }
    (self.database, self.log) = (database, log)
  }

  /// Which of the two is not what it was, if any.
  mutating func fault() -> StoreFault? {
    if !database.isStillThere() { return .gone(file: fileName(database.path)) }
    if !log.isStillThere() { return .logGone(file: fileName(log.path)) }
    return nil
  }
}

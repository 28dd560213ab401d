internal import GRDB
internal import Glibc
internal import Synchronization

/// The one connection to a database file, and transactions on it.
final class SQLiteCommitConnection: CommitConnection {
  private let database: DatabaseQueue
  /// Used only on the database's queue.
  private let files: Mutex<DatabaseFiles>

  /// - Throws: `StoreFault` if the files are gone already.
  init(_ database: DatabaseQueue, at path: String) throws(StoreFault) {
    self.database = database
    files = Mutex(try DatabaseFiles(openAt: path))
  }

  // Not GRDB's own `read`: that one interrupts the connection when its task is cancelled.
  func enqueue(_ body: @escaping @Sendable (Database) -> Void) { database.asyncWriteWithoutTransaction(body) }

  func commit(_ writes: [any PendingWrite<Database>], in db: Database) -> Result<Bool, CommitFailure> {
    let changes = db.totalChangesCount
    // The files are checked before, so that nothing is written in vain, and after: only then is it acknowledged.
    if let failure = missingFile(db) ?? transaction(writes, db) ?? missingFile(db) { return .failure(failure) }
    return .success(db.totalChangesCount != changes)
  }

  func readFault(_ error: any Error) -> any Error {
    (error as? DatabaseError).map { StoreFault.readFailed(detail: $0.detail) } ?? error
  }

  func close() throws { try database.close() }

  /// Why what is written now would be gone with the process: a file at the path is not the open one any more.
  private func missingFile(_ db: Database) -> CommitFailure? {
    guard let fault = files.withLock({ $0.fault() }) else { return nil }
    // What was acknowledged and stands only in the log comes into the database, as long as somebody has that log open.
    if case .logGone = fault { try? db.execute(sql: "PRAGMA wal_checkpoint(FULL)") }
    return CommitFailure(fault: fault, isLasting: false)
  }

  /// - Returns: `nil` once all of them are on the disk.
  private func transaction(_ writes: [any PendingWrite<Database>], _ db: Database) -> CommitFailure? {
    do {
      // Not GRDB's `beginTransaction` and `commit`, which compile these statements anew for each transaction.
      try db.run("BEGIN IMMEDIATE TRANSACTION")
      do {
        for write in writes { try write.run(on: db) }
      } catch  where db.isInsideTransaction && !error.isOfTheFile {
        // Hardly ever: then all of them once more, so that the one that fails takes no other with it.
        try db.rollback()
        try db.run("BEGIN IMMEDIATE TRANSACTION")
        for write in writes { try perform(write, on: db) }
      }
      try db.run("COMMIT TRANSACTION")
      return nil
    } catch {
      if db.isInsideTransaction { try? db.rollback() }
      return CommitFailure(error)
    }
  }

  /// - Throws: only what makes the whole transaction fail.
  private func perform(_ write: any PendingWrite<Database>, on db: Database) throws {
    // Not GRDB's `inSavepoint`, which compiles these statements anew for each write.
    try db.run("SAVEPOINT single")
    do {
      try write.run(on: db)
    } catch {
      if error.isOfTheFile || !db.isInsideTransaction { throw error }
      try db.run("ROLLBACK TO single")
      write.fail((error as? DatabaseError).map { StoreFault.writeFailed(detail: $0.detail) } ?? error)
    }
    try db.run("RELEASE single")
  }
}

extension CommitFailure {
  fileprivate init(_ error: any Error) {
    guard let error = error as? DatabaseError else {
      self.init(fault: .writeFailed(detail: String(describing: error)), isLasting: false)
      return
    }
    switch error.resultCode {
    case .SQLITE_FULL: self.init(fault: .full, isLasting: false)
    case .SQLITE_IOERR, .SQLITE_CORRUPT, .SQLITE_NOTADB:
      self.init(fault: .writeFailed(detail: error.detail), isLasting: true)
    default: self.init(fault: .writeFailed(detail: error.detail), isLasting: false)
    }
  }
}

extension Error {
  /// Whether the error is the file's and not one statement's.
  fileprivate var isOfTheFile: Bool {
    guard let code = (self as? DatabaseError)?.resultCode else { return false }
    return [
      .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_NOMEM,
      .SQLITE_BUSY, .SQLITE_LOCKED,
    ].contains(code)
  }
}

extension DatabaseError {
  /// SQLite's words without the statement and its arguments, which can hold what people typed.
  var detail: String { "SQLite \(extendedResultCode.rawValue): \(message ?? "no message")" }
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

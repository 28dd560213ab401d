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
  private struct Watch: Sendable {
    var files: DatabaseFiles
    /// What was found when a file was not the open one any more; `nil` while both are.
    var failure: CommitFailure?
  }

  private let path: String
  /// Used only on the queue.
  private let watch: Mutex<Watch>

  /// - Parameter database: used by nobody else from now on.
  /// - Throws: `StoreFault` if the files are gone already.
  init(_ database: SQLite, at path: String) throws(StoreFault) {
    (self.database, self.path) = (database, path)
    watch = Mutex(Watch(files: try DatabaseFiles(openAt: path)))
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

  func fault(_ db: SQLite) -> StoreFault? { missingFile(db)?.fault }

  /// - Throws: `StoreFault` if the files were not what they should be; what could be saved is saved then.
  func close() throws {
    let failure = queue.sync {
      defer { database.close() }
      return missingFile(database)
    }
    if let failure { throw failure.fault }
  }

  /// Why what is written now would be gone with the process: a file at the path is not the open one any more.
  private func missingFile(_ db: SQLite) -> CommitFailure? {
    watch.withLock { watch in
      // A log that was cut short is not whole again because it has grown.
      if watch.failure?.isLasting == true { return watch.failure }
      guard let loss = watch.files.loss() else {
        watch.failure = nil
        return nil
      }
      if watch.failure == nil { watch.failure = failure(of: loss, db) }
      return watch.failure
    }
  }

  /// Called once when a file is gone: saves what this process still has.
  private func failure(of loss: DatabaseFiles.Loss, _ db: SQLite) -> CommitFailure {
    switch loss {
    case .database: return CommitFailure(fault: .gone(file: fileName(path)), isLasting: false)
    case .log(let isCut):
      let rescue = Rescue(of: db, at: path)
      if isCut {
        // SQLite believes in frames that are not there. A part of them in the database would be neither before nor
        // after.
        db.keepsLog = true
      } else {
        // What was acknowledged and stands only in the log comes into the database, as long as somebody has it open.
        try? db.execute("PRAGMA wal_checkpoint(FULL)")
      }
      return CommitFailure(fault: .logGone(file: fileName(path) + "-wal", rescue), isLasting: isCut)
    }
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
  enum Loss {
    case database
    /// - Parameter isCut: whether the open file itself lost its end; otherwise it only lost its name.
    case log(isCut: Bool)
  }

  private struct File: Sendable {
    enum State { case whole, cut, gone }

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

    /// What became of the file with this name.
    mutating func state() -> State {
      guard let now = File(path), now.device == device, now.inode == inode else { return .gone }
      guard now.size >= size else { return .cut }
      size = now.size
      return .whole
    }
  }

  private var database: File
  private var log: File

  /// - Parameter path: of a database in WAL mode that only this process has open.
  init(openAt path: String) throws(StoreFault) {
    guard let database = File(path) else { throw .gone(file: fileName(path)) }
    guard let log = File(path + "-wal") else {
      throw .logGone(file: fileName(path) + "-wal", .failed(detail: "it went as the database was opened"))
    }
    (self.database, self.log) = (database, log)
  }

  /// Which of the two is not what it was, if any.
  mutating func loss() -> Loss? {
    if database.state() != .whole { return .database }
    switch log.state() {
    case .whole: return nil
    case .cut: return .log(isCut: true)
    case .gone: return .log(isCut: false)
    }
  }
}

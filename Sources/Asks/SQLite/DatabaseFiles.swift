internal import Glibc

/// The files of an open database, as they were when it was opened.
///
/// SQLite goes on writing into a file that has lost its name, and says nothing: what it keeps there is gone with the
/// process.
struct DatabaseFiles: Sendable {
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
  /// What was found when a file was not the open one any more; `nil` while both are.
  private var failure: CommitFailure?

  /// - Parameter path: of a database in WAL mode that only this process has open.
  init(openAt path: String) throws(StoreFault) {
    guard let database = File(path) else { throw .gone(file: fileName(path)) }
    guard let log = File(path + "-wal") else {
      throw .logGone(file: fileName(path) + "-wal", .failed(detail: "it went as the database was opened"))
    }
    (self.database, self.log) = (database, log)
  }

  /// Why what is written now would be gone with the process: a file at the path is not the open one any more.
  mutating func failure(_ db: SQLite) -> CommitFailure? {
    // A log that was cut short is not whole again because it has grown.
    if let failure, failure.isLasting { return failure }
    let states = (database.state(), log.state())
    guard states != (.whole, .whole) else {
      failure = nil
      return nil
    }
    let found =
      failure ?? (states.0 == .whole ? save(db, isCut: states.1 == .cut) : CommitFailure(fault: .gone(file: fileName(database.path)), isLasting: false))
    failure = found
    return found
  }

  /// Saves what this process still has, once, when the log is gone.
  ///
  /// - Parameter isCut: whether the open file itself lost its end; otherwise it only lost its name.
  private func save(_ db: SQLite, isCut: Bool) -> CommitFailure {
    let rescue = Rescue(of: db, at: database.path)
    if isCut {
      // SQLite believes in frames that are not there. A part of them in the database would be neither before nor after.
      db.keepsLog = true
    } else {
      // What was acknowledged and stands only in the log comes into the database, as long as somebody has it open.
      try? db.execute("PRAGMA wal_checkpoint(FULL)")
    }
    return CommitFailure(fault: .logGone(file: fileName(log.path), rescue), isLasting: isCut)
  }
}

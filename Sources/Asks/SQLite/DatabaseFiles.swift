internal import Dispatch
internal import Glibc

/// The files of an open database, as they were when it was opened.
///
/// If the file is removed or renamed, SQLite silently goes on writing to it: whatever it writes is lost when the
/// process ends.
struct DatabaseFiles: Sendable {
  private struct File: Sendable {
    enum Integrity { case whole, cut, gone }

    let path: String
    let device: dev_t
    /// 0 if nothing has this name.
    let inode: ino_t
    /// The largest that it was. Nothing here makes either file smaller.
    var size: off_t

    init(_ path: String) {
      let status = fileStatus(path) ?? stat()
      self.path = path
      device = status.st_dev
      inode = status.st_ino
      size = status.st_size
    }

    /// Compares the file that has this name now with the one that was opened.
    mutating func state() -> Integrity {
      let now = File(path)
      guard now.inode != 0, now.device == device, now.inode == inode else { return .gone }
      guard now.size >= size else { return .cut }
      size = now.size
      return .whole
    }
  }

  private var database: File
  private var log: File
  /// The failure since a file at its path was not the open one any more; `nil` while both are.
  private var failure: CommitFailure?

  /// - Parameter path: of a database in WAL mode that only this process has open.
  init(openAt path: String) { (database, log) = (File(path), File(path + "-wal")) }

  /// Checks that the files at both paths are still the open ones. If not, returns why writes would be lost when the
  /// process ends.
  mutating func failure(_ db: SQLite) -> CommitFailure? {
    // A log that was cut short is not whole again because it has grown.
    if let failure, failure.extent == .lasting { return failure }
    switch (database.state(), log.state()) {
    case (.whole, .whole): failure = nil
    case _ where failure != nil: break
    case (.whole, let log): failure = save(db, isCut: log == .cut)
    default: failure = CommitFailure(fault: StoreFault("gone", ["file": fileName(database.path)]), extent: .transaction)
    }
    return failure
  }

  /// Saves what this process still has, once, when the log is gone.
  ///
  /// - Parameter isCut: whether the open file itself lost its end; otherwise it only lost its name.
  private func save(_ db: SQLite, isCut: Bool) -> CommitFailure {
    let rescue = Rescue(of: db, at: database.path)
    if isCut {
      // SQLite still relies on frames that are gone. Copying only the rest would leave the database inconsistent.
      db.keepsLog = true
    } else {
      // Copies what is only in the log into the database, and that it needs no log. That works only while a process has
      // the log open.
      try? db.markClosed()
      try? db.execute("PRAGMA wal_checkpoint(FULL)")
    }
    return CommitFailure(fault: rescue.fault(ofLog: fileName(log.path)), extent: isCut ? .lasting : .transaction)
  }
}

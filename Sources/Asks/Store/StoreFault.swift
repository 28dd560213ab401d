/// Why a store could not be opened, or did not do what it was asked.
public enum StoreFault: Error, Hashable, Sendable {
  /// The file cannot be opened or made; the system's `errno`.
  case file(path: String, errno: Int32)
  case readOnly(path: String)
  /// SQLite has its own meaning for this name, and would keep nothing.
  case noFile(path: String)
  /// The file is something else.
  case notADatabase(path: String)
  /// An SQLite database of another program.
  case foreignDatabase(path: String)
  /// A newer OKCancel wrote it.
  case newerSchema(path: String)
  case damaged(path: String, detail: String)
  /// There is a key, and no database that it belongs to.
  case orphanedKey(String, of: String)
  /// There is a write-ahead log, and no database that it belongs to.
  case orphanedLog(String, of: String)
  /// Another process has it open.
  case inUse(path: String)
  /// SQLite would not promise that what it acknowledges is on the disk.
  case notDurable(setting: String, value: String)
  /// Too many writes wait already.
  case overloaded
  /// The database is open, and something else or nothing at all is at its path; its name without the path.
  case gone(file: String)
  /// The same of the database's write-ahead log.
  case logGone(file: String)
  /// The disk is full; nothing was kept.
  case full
  /// The write did not reach the disk; nothing was acknowledged.
  case writeFailed(detail: String)
  /// Reading failed.
  case readFailed(detail: String)
  /// The store was closed.
  case closed
}

/// Whether a store can acknowledge writes.
public enum StoreHealth: Hashable, Sendable {
  case well
  /// The last write failed, for this reason. A full disk is well again with the next write that succeeds, and so is a
  /// file that was moved away when it is back; after a failed or damaged disk the process has to start anew.
  case unwell(StoreFault)
}

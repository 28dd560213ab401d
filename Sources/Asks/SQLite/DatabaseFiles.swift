internal import Glibc

/// The files of an open database, as they were when it was opened.
///
/// SQLite goes on writing into a file that has lost its name, and says nothing: what it keeps there is
/// gone with the process.
struct DatabaseFiles: Sendable {
  private struct Found: Sendable {
    let path: String
    let device: dev_t
    let inode: ino_t
    /// The largest that it was. Nothing here makes either file smaller.
    var size: off_t

    /// nil where nothing has this name.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      (self.path, device, inode, size) = (path, status.st_dev, status.st_ino, status.st_size)
    }

    /// Whether the same file is still there, whole.
    mutating func isStillThere() -> Bool {
      guard let now = Found(path), now.device == device, now.inode == inode, now.size >= size else { return false }
      size = now.size
      return true
    }
  }

  private var database: Found
  private var log: Found

  /// - Parameter path: of a database in WAL mode that this process has open and to itself.
  init(openAt path: String) throws(StoreFault) {
    guard let database = Found(path) else { throw .gone(file: fileName(path)) }
    guard let log = Found(path + "-wal") else { throw .logGone(file: fileName(path) + "-wal") }
    (self.database, self.log) = (database, log)
  }

  /// Which of the two is not what it was; nil: neither.
  mutating func fault() -> StoreFault? {
    if !database.isStillThere() { return .gone(file: fileName(database.path)) }
    if !log.isStillThere() { return .logGone(file: fileName(log.path)) }
    return nil
  }
}

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

/// What the system calls an error, such as `No such file or directory`.
func systemMessage(_ errno: Int32) -> String { String(cString: strerror(errno)) }

/// A path's last part: what may be told to strangers too.
func fileName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

/// Whether there is a file that is not empty.
func holdsBytes(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_size > 0
}

/// Brings a file's bytes to the disk.
///
/// - Returns: 0, or the system's `errno`.
func synchronizeFile(_ path: String) -> Int32 {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return errno }
  defer { close(descriptor) }
  return fsync(descriptor) == 0 ? 0 : errno
}

/// Brings a new file's name itself to the disk: a file's own `fsync` does not.
func synchronizeDirectory(of path: String) {
  let directory = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  guard descriptor >= 0 else { return }
  fsync(descriptor)
  close(descriptor)
}

/// Makes an empty file that its owner alone can use, where there is none.
///
/// - Returns: 0, or the system's `errno`.
func makePrivateFile(_ path: String) -> Int32 {
  let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
  guard descriptor >= 0 else { return errno == EEXIST ? 0 : errno }
  fsync(descriptor)
  close(descriptor)
  synchronizeDirectory(of: path)
  return 0
}

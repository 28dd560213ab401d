internal import Glibc

/// What the system calls an error, such as `No such file or directory`.
func systemMessage(_ errno: Int32) -> String { String(cString: strerror(errno)) }

/// A path's last part: what strangers may be told too.
func fileName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

/// Whether there is a file that is not empty.
func holdsBytes(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_size > 0
}

/// Whether there is a file without a single byte.
func isEmptyFile(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_size == 0
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

/// Brings a new file's name to the disk: the file's own `fsync` does not.
func synchronizeDirectory(of path: String) {
  let directory = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  _ = synchronizeFile(directory)
}

/// Makes an empty file that only its owner can use, if there is none.
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

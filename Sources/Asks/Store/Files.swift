internal import Foundation
internal import Platform

/// The system's description of an error, such as `No such file or directory`.
func systemMessage(_ errno: Int32) -> String { String(cString: strerror(errno)) }

/// A path's last part: what strangers may be told too.
func fileName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

/// The target of a symbolic link, or the path itself: SQLite puts the log beside the file, not beside the link.
func withoutLink(_ path: String) -> String {
  var status = stat()
  guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, let real = realpath(path, nil)
  else { return path }
  defer { free(real) }
  return String(cString: real)
}

/// The status of a file, or `nil` if there is none.
func fileStatus(_ path: String) -> stat? {
  var status = stat()
  return stat(path, &status) == 0 ? status : nil
}

/// True if there is a file that is not empty.
func holdsBytes(_ path: String) -> Bool { (fileStatus(path)?.st_size ?? 0) > 0 }

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

/// Makes a private file under the first free name: `NAME`, `NAME-2` … If `bytes` is not empty and an existing file
/// under such a name already has these bytes, that file is used.
///
/// - Returns: its path.
func makeNumberedFile(_ name: String, with bytes: [UInt8] = []) throws(StoreFault) -> String {
  let (path, failure) = numberedFile(name, with: bytes)
  if failure != 0 { throw StoreFault.file(path, errno: failure) }
  return path
}

/// The same.
///
/// - Returns: also 0 or the system's `errno`.
private func numberedFile(_ name: String, with bytes: [UInt8]) -> (path: String, failure: Int32) {
  var (path, number) = (name, 1)
  while case let failure = makePrivateFile(path, with: bytes), failure != 0 {
    guard failure == EEXIST else { return (path, failure) }
    if !bytes.isEmpty, (try? RegularFile(path, first: bytes.count + 1).bytes) == bytes { break }
    number += 1
    path = "\(name)-\(number)"
  }
  return (path, 0)
}

/// The files that begin with this name, such as `makeNumberedFile` makes.
func numberedFiles(_ path: String) -> [String] {
  let (folder, name) = (URL(fileURLWithPath: path).deletingLastPathComponent().path, fileName(path))
  let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  return names.filter { $0.hasPrefix(name) }.sorted().map { path.dropLast(name.count) + $0 }
}

/// Makes a private file whole or not at all, whenever the process ends: it gets its name when it is on the disk.
///
/// - Returns: 0; or the system's `errno`, such as `EEXIST`, and then nothing was made.
func makeNewFile(_ path: String, with bytes: [UInt8]) -> Int32 {
  let (draft, failure) = numberedFile(path + ".new", with: bytes)
  guard failure == 0 else { return failure }
  defer { unlink(draft) }
  // Unlike `rename`, `link` replaces nothing; some file systems have none.
  guard link(draft, path) == 0 || errno != EEXIST && rename(draft, path) == 0 else { return errno }
  synchronizeDirectory(of: path)
  return 0
}

/// Makes a file that only its owner can use, and brings it to the disk.
///
/// - Returns: 0; or the system's `errno`, such as `EEXIST`, and then nothing was made.
func makePrivateFile(_ path: String, with bytes: [UInt8] = []) -> Int32 {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
  guard descriptor >= 0 else { return errno }
  let isWritten = write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
  let failure = errno
  close(descriptor)
  guard isWritten else {
    unlink(path)
    return failure == 0 ? ENOSPC : failure
  }
  synchronizeDirectory(of: path)
  return 0
}

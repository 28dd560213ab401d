internal import Glibc

/// An ordinary file, read as a whole.
package struct RegularFile: Sendable {
  /// Why a file cannot be read.
  package enum ReadError: Error, Hashable, Sendable {
    /// A call to the system failed.
    case system(errno: Int32)
    /// Something else is at the path; the bits of its mode that say what, such as `S_IFDIR`.
    case irregular(kind: UInt32)
  }

  package let bytes: [UInt8]
  /// Its permissions, with the bits that say what kind of file it is.
  package let mode: UInt32

  /// - Parameters:
  ///   - limit: bytes to read at most. To find out whether a file is too large, let it be one more than it may have.
  ///   - followingLink: whether the path may be a symbolic link.
  package init(_ path: String, first limit: Int, followingLink: Bool = true) throws(ReadError) {
    // Without O_NONBLOCK, a FIFO would block until somebody writes to it.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followingLink ? 0 : O_NOFOLLOW))
    guard descriptor >= 0 else { throw .system(errno: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(errno: errno) }
    mode = status.st_mode
    guard mode & S_IFMT == S_IFREG else { throw .irregular(kind: mode & S_IFMT) }
    // One byte more than the file's size, so that the second read finds the end; some file systems report a size of 0.
    var buffer = [UInt8](repeating: 0, count: min(limit, max(Int(status.st_size) + 1, 4096)))
    var bytes: [UInt8] = []
    while bytes.count < limit {
      let count = read(descriptor, &buffer, min(buffer.count, limit - bytes.count))
      guard count >= 0 else { throw .system(errno: errno) }
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    self.bytes = bytes
  }

  /// A file of the system as text, as in `/proc`; empty if it cannot be read.
  package static func text(of path: String) -> String {
    String(decoding: (try? RegularFile(path, first: 4 << 20))?.bytes ?? [], as: UTF8.self)
  }
}

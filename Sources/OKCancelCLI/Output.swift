internal import Glibc
internal import Prompts
internal import Synchronization

/// The reason standard output could not be written.
struct OutputFault: Error, CustomStringConvertible {
  /// The system's `errno`.
  let code: Int32

  var description: String { "standard output cannot be written: \(String(cString: strerror(code)))" }
}

/// Writes everything that commands print and log.
enum Output {
  /// Set when the process is told to end: from then on it waits for no reader.
  static let isEnding = Atomic(false)
  /// True if a reader took nothing for a moment since then.
  private static let isStuck = Atomic(false)
  /// What the log is written to.
  private static let errors = Sink(STDERR_FILENO)

  /// A way to write without being blocked by a reader that takes nothing.
  private enum Sink {
    /// Nothing blocks.
    case file
    /// The system is told for each write not to wait, as for the journal's socket.
    case socket
    /// It must have room before each write.
    case other

    init(_ descriptor: Int32) {
      var status = stat()
      let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
      self = kind == S_IFREG ? .file : kind == S_IFSOCK ? .socket : .other
    }
  }

  /// Writes all of these bytes, in one piece if a pipe takes that many.
  static func write(_ bytes: [UInt8], to descriptor: Int32) throws(OutputFault) {
    let sink = descriptor == STDERR_FILENO ? errors : .other
    var (start, waits) = (0, sink == .other)
    repeat {
      guard !waits || hasRoom(descriptor) else { throw OutputFault(code: EAGAIN) }
      // A pipe that has room takes this many without blocking.
      let end = min(start + Int(PIPE_BUF), bytes.count)
      let count = bytes.withUnsafeBytes {
        let part = UnsafeRawBufferPointer(rebasing: $0[start..<end])
        return sink == .socket
          ? send(descriptor, part.baseAddress, part.count, Int32(MSG_DONTWAIT))
          : Glibc.write(descriptor, part.baseAddress, part.count)
      }
      if count < 0, errno != EINTR, errno != EAGAIN { throw OutputFault(code: errno) }
      waits = sink == .other || count < 0
      start += max(count, 0)
    } while start < bytes.count
  }

  /// Waits until the descriptor can be written or has failed; false if the process is to end before that.
  private static func hasRoom(_ descriptor: Int32) -> Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while poll(&state, 1, isStuck.load(ordering: .relaxed) ? 0 : 100) == 0 {
      guard isEnding.load(ordering: .relaxed) else { continue }
      isStuck.store(true, ordering: .relaxed)
      return false
    }
    return true
  }
}

/// Writes a line, which a reader at the other end of a pipe sees at once, byte by byte.
func standardOutput(_ text: String, end: String = "\n") throws(OutputFault) {
  try Output.write(Array(((Terminal.isOutput ? text.revealed : text) + end).utf8), to: STDOUT_FILENO)
}

/// Writes a line of errors or news. If it cannot be written, there is nobody to tell.
func standardError(_ line: String) { Terminal.control(line.revealed + "\n") }

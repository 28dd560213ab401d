internal import Glibc
internal import Logging
internal import OKCancel
internal import Synchronization

/// The log on standard error.
///
/// An event's line is written at once. Those of requests are gathered for a moment, so that a busy server asks the
/// system once for many; an event's line takes those before it along, so that lines stay in their order.
final class LogOutput: Sendable {
  private struct Gathered {
    var lines: [UInt8] = []
    var clock = LogClock()
    var isFlushDue = false
  }

  private let format: LogLine.Format
  private let gathered = Mutex(Gathered())
  /// Held while lines are written.
  private let writing = Mutex(())

  /// How long a request's line may wait.
  private static let moment: Duration = .milliseconds(10)
  /// Bytes that may wait; where more do, standard error is slow, and whoever logs waits for it.
  private static let limit = 256 * 1024

  init(_ format: LogLine.Format) { self.format = format }

  func write(_ line: LogLine) {
    gathered.withLock { line.write(format, &$0.clock, to: &$0.lines) }
    flush()
  }

  func write(_ request: RequestRecord) {
    let (isFull, isFirst) = gathered.withLock { gathered in
      LogLine.write(request, format, &gathered.clock, to: &gathered.lines)
      defer { gathered.isFlushDue = true }
      return (gathered.lines.count > Self.limit, !gathered.isFlushDue)
    }
    if isFull {
      flush()
    } else if isFirst {
      Task {
        try? await Task.sleep(for: Self.moment)
        flush()
      }
    }
  }

  /// Writes what was gathered; before the process ends, too.
  func flush() {
    writing.withLock { _ in
      let lines = gathered.withLock { gathered in
        gathered.isFlushDue = false
        defer { gathered.lines = [] }
        return gathered.lines
      }
      Self.write(lines)
    }
  }

  private static func write(_ lines: [UInt8]) {
    var rest = lines[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      // A log that cannot be written has nowhere to say so.
      guard written > 0 else { return }
      rest = rest.dropFirst(written)
    }
  }
}

/// Writes what loggers are given.
struct LineLogHandler: LogHandler {
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  let output: LogOutput

  init(level: Logger.Level, output: LogOutput) {
    logLevel = level
    self.output = output
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.isEmpty ? event.metadata ?? [:] : metadata.merging(event.metadata ?? [:]) { $1 }
    output.write(LogLine(event.level, "\(event.message)", all))
  }
}

internal import ArgumentParser
internal import Glibc
internal import Logging
internal import OKCancel
internal import Synchronization

/// What is logged, and how.
struct LogOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Lowest level to log: debug, info, warning or error. (default: info)", valueName: "level"))
  var logLevel: String?
  @Option(help: ArgumentHelp("Format of log lines: text or json. (default: text)", valueName: "format"))
  var logFormat: String?

  private enum Level: String, CaseIterable { case debug, info, warning, error }

  /// Makes every logger of this process write as the options say.
  ///
  /// - Returns: where they write, and whether requests are logged there.
  func apply() throws -> (output: LogOutput, hasRequests: Bool) {
    let level: Level = try Setting("log-level").word(logLevel) ?? .info
    let output = LogOutput(try Setting("log-format").word(logFormat) ?? .text)
    LoggingSystem.bootstrap { _ in
      LineLogHandler(logLevel: Logger.Level(rawValue: level.rawValue) ?? .info, output: output)
    }
    return (output, level == .debug || level == .info)
  }
}

/// The log on standard error.
///
/// An event's line is written at once. Those of requests are gathered for a moment, so that a busy server makes one
/// system call for many; an event's line takes those before it along. Each event loop gathers by itself, so that none
/// waits for another; the lines of one connection, which is always of the same loop, stay in their order.
final class LogOutput: Sendable {
  private final class Gathered: Sendable {
    struct State {
      var lines: LogLines
      var isFlushDue = false
    }

    let state: Mutex<State>
    /// Two cache lines: no other loop's lock is in the one that holds this lock.
    private let padding = InlineArray<16, Int>(repeating: 0)

    init(_ format: LogLines.Format) { state = Mutex(State(lines: LogLines(format))) }
  }

  /// By event loop; if there are more loops than processors, some share.
  private let requests: [Gathered]
  private let events: Gathered
  /// Held while lines are written.
  private let writing = Mutex(())

  /// How long a request's line may wait.
  private static let moment: Duration = .milliseconds(10)
  /// Bytes of an event loop that may wait, and as many may be being written. If there are more, standard error is slow,
  /// and the loop waits for it.
  private static let limit = 256 * 1024

  init(_ format: LogLines.Format) {
    requests = (0..<max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))).map { _ in Gathered(format) }
    events = Gathered(format)
  }

  func write(_ event: EventLine) {
    events.state.withLock { $0.lines.append(event) }
    flush()
  }

  func write(_ request: RequestRecord) {
    let (isFull, isFirst) = requests[request.eventLoop % requests.count].state.withLock { gathered in
      gathered.lines.append(request)
      defer { gathered.isFlushDue = true }
      return (gathered.lines.bytes.count > Self.limit, !gathered.isFlushDue)
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
      for gathered in requests + [events] {
        let lines = gathered.state.withLock { gathered in
          gathered.isFlushDue = false
          return gathered.lines.removeAll()
        }
        Self.write(lines)
      }
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

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.isEmpty ? event.metadata ?? [:] : metadata.merging(event.metadata ?? [:]) { $1 }
    output.write(EventLine(level: event.level, message: "\(event.message)", metadata: all))
  }
}

internal import ArgumentParser
internal import Asks
internal import Glibc
internal import Logging
internal import OKCancel
internal import StrictJSON
internal import Synchronization

/// What is logged, and how.
struct LogOptions: ParsableArguments {
  @Option(.word("log-level", "Lowest level to log: debug, info, warning or error. (default: info)", "level"))
  var logLevel: Given<Level>
  @Option(.word("log-format", "Format of log lines: text or json. (default: text)", "format")) var logFormat:
    Given<Log.Format>

  enum Level: String, CaseIterable { case debug, info, warning, error }

  /// Makes every logger of this process write as the options say.
  ///
  /// - Returns: where they write, and whether requests are logged there.
  func apply() throws -> (log: Log, hasRequests: Bool) {
    let level = try logLevel() ?? .info
    let log = Log(try logFormat() ?? .text)
    LoggingSystem.bootstrap { _ in LineLogHandler(logLevel: Logger.Level(rawValue: level.rawValue) ?? .info, log: log) }
    return (log, level == .debug || level == .info)
  }
}

/// The log on standard error, a line for each event and each request.
///
/// An event's line is written at once, after those before it. Those of requests are gathered for a moment, so that a busy
/// server makes one system call for many.
final class Log: Sendable {
  enum Format: String, CaseIterable, Sendable { case text, json }

  /// What a field of a line holds.
  enum Value {
    case text(String)
    /// A number, as it is written.
    case number(String)
  }

  private let format: Format
  private let gathered = Mutex<(lines: [UInt8], isFlushDue: Bool)>(([], false))
  /// Held while lines are written.
  private let writing = Mutex(())

  /// How long a request's line may wait.
  private static let moment: Duration = .milliseconds(10)
  /// Bytes that may wait. If there are more, standard error is slow, and requests wait for it.
  private static let limit = 256 * 1024

  init(_ format: Format) { self.format = format }

  func write(_ request: RequestRecord) {
    let milliseconds = String(request.microseconds % 1000 + 1000).dropFirst()
    let line = line(
      .info, "request",
      [
        ("bytes", .number("\(request.bytes)")), ("client", .text(request.client)), ("id", .text(request.id)),
        ("method", .text(request.method)), ("ms", .number("\(request.microseconds / 1000).\(milliseconds)")),
        ("path", .text(request.path)), ("status", request.status.map { .number("\($0)") } ?? .text("gone")),
      ])
    let (isFull, isFirst) = gathered.withLock { gathered in
      gathered.lines += line
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

  func write(_ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata) {
    let fields = metadata.sorted { $0.key < $1.key }.map { name, value in
      switch value {
      case .stringConvertible(let number as Int): (name, Value.number("\(number)"))
      case .stringConvertible(let number as Double): (name, Value.number("\(number)"))
      default: (name, Value.text("\(value)"))
      }
    }
    let line = line(level, message, fields)
    gathered.withLock { $0.lines += line }
    flush()
  }

  /// Writes what was gathered; before the process ends, too.
  func flush() {
    writing.withLock { _ in
      var rest = gathered.withLock { gathered in
        defer { gathered = ([], false) }
        return gathered.lines
      }
      while !rest.isEmpty {
        let written = Glibc.write(STDERR_FILENO, rest, rest.count)
        if written < 0, errno == EINTR { continue }
        // A log that cannot be written has nowhere to say so.
        guard written > 0 else { return }
        rest.removeFirst(written)
      }
    }
  }

  private func line(_ level: Logger.Level, _ message: String, _ fields: [(String, Value)]) -> [UInt8] {
    // UTC, RFC 3339, to the millisecond.
    let time = WallClock.system.now.description
    switch format {
    case .text:
      var line = "\(time) \(level.rawValue) \(Self.onOneLine(message))"
      for (name, value) in fields {
        line += " "
        line += name
        line += "="
        switch value {
        case .text(let text): line += Self.quoted(text)
        case .number(let number): line += number
        }
      }
      line += "\n"
      return Array(line.utf8)
    case .json:
      var json = JSONWriter()
      json.object { json in
        json.member("time", time)
        json.member("level", level.rawValue)
        json.member("message", message)
        for (name, value) in fields {
          switch value {
          case .text(let text): json.member(name, text)
          case .number(let number): json.member(name) { $0.literal(number) }
          }
        }
      }
      return json.bytes + [UInt8(ascii: "\n")]
    }
  }

  /// In quotes if the text's end, or that there is one, could not be seen.
  private static func quoted(_ text: String) -> String {
    if !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: "\"") }) { return onOneLine(text) }
    return onOneLine("\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"")
  }

  /// Writes out what would end the line, hide in it, or control a terminal.
  private static func onOneLine(_ text: String) -> String {
    // Replacing costs a microsecond, and hardly any text has a line break.
    let text = text.visible
    return text.utf8.contains(UInt8(ascii: "\n")) ? text.replacing("\n", with: "\\n") : text
  }
}

/// Writes what loggers are given.
struct LineLogHandler: LogHandler {
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  let log: Log

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    log.write(event.level, "\(event.message)", metadata.merging(event.metadata ?? [:]) { $1 })
  }
}

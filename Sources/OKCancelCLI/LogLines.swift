internal import ArgumentParser
internal import Glibc
internal import Logging
internal import OKCancel
internal import Prompts
internal import Synchronization

/// The lines of this process on standard error, each in one write.
final class LogLines: Sendable {
  static let shared = LogLines()

  /// The line that is written, and the text of the second in which it is. The lock is held meanwhile.
  private let latest = Mutex((line: [UInt8](), second: Int64.min, text: [UInt8]()))

  /// Writes the time and what `more` adds to it.
  func write(_ more: (inout [UInt8]) -> Void) {
    latest.withLock { latest in
      // Under the lock, so that times ascend. UTC, RFC 3339, to the millisecond.
      let now = WallClock.system.now, second = now.milliseconds / 1000
      if second != latest.second { (latest.second, latest.text) = (second, Array(now.description.utf8.dropLast(4))) }
      latest.line.removeAll(keepingCapacity: true)
      latest.line += latest.text
      latest.line += String(1000 + now.milliseconds % 1000).utf8.dropFirst()
      latest.line.append(UInt8(ascii: "Z"))
      more(&latest.line)
      latest.line.append(UInt8(ascii: "\n"))
      // A log that cannot be written has nowhere to say so.
      try? Output.write(latest.line, to: STDERR_FILENO)
    }
  }

  func write(
    _ level: Logger.Level, _ message: String, _ fields: [(key: String, value: Logger.MetadataValue)],
    _ format: LogOptions.Format
  ) {
    let message = message.revealed
    write { line in
      switch format {
      case .text:
        for text in [" ", level.rawValue, " ", Self.onOneLine(message)] { line += text.utf8 }
        for (key, value) in fields {
          for text in [" ", key, "=", Self.quoted(Self.text(of: value))] { line += text.utf8 }
        }
      case .json: line = Self.json(String(decoding: line, as: UTF8.self), level, message, fields)
      }
    }
  }

  static func json(
    _ time: String, _ level: Logger.Level, _ message: String, _ fields: [(key: String, value: Logger.MetadataValue)]
  ) -> [UInt8] {
    JSONWriter.object { json in
      json.member("time", time)
      json.member("level", level.rawValue)
      json.member("message", message)
      for (name, value) in fields {
        // Only numbers are given as they are.
        if case .stringConvertible = value {
          json.member(name) { $0.literal(text(of: value)) }
        } else {
          json.member(name, text(of: value))
        }
      }
    }
  }

  private static func text(of value: Logger.MetadataValue) -> String {
    switch value {
    case .string(let text): text.revealed
    case .stringConvertible(let value): value.description
    default: "\(value)".revealed
    }
  }

  /// Puts a text in quotes if it is empty, or if it has spaces or quotes, so that one sees where it ends.
  private static func quoted(_ text: String) -> String {
    let utf8 = text.utf8.span
    let isWord = utf8.indices.allSatisfy { utf8[$0] > 0x20 && utf8[$0] != UInt8(ascii: "\"") }
    if isWord, !text.isEmpty { return onOneLine(text) }
    return onOneLine("\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"")
  }

  private static func onOneLine(_ text: String) -> String { text.replacing("\n", with: "\\n") }
}

/// Writes a line on standard error for each event.
struct LineLogHandler: LogHandler {
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  let format: LogOptions.Format

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let fields = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
    LogLines.shared.write(event.level, "\(event.message)", fields, format)
  }
}

/// The options of the log: its level and format.
struct LogOptions: ParsableArguments {
  @Option(.word("log-level", of: Level.self), default: .info) var logLevel
  @Option(.word("log-format", of: Format.self), default: .text) var logFormat

  enum Level: String, CaseIterable { case debug, info, warning, error }
  enum Format: String, CaseIterable { case text, json }

  /// Makes every logger of this process write as the options say.
  ///
  /// - Returns: what writes the line of a request, or `nil` if none is written.
  func apply() throws -> (@Sendable (RequestRecord) -> Void)? {
    let level = Logger.Level(rawValue: try logLevel().rawValue) ?? .info
    let format = try logFormat()
    LoggingSystem.bootstrap { _ in LineLogHandler(logLevel: level, format: format) }
    guard level <= .info else { return nil }
    // Without the logger, which sorts and copies the fields: that would take as long as all the rest of a request.
    return { @Sendable record in
      if format == .json { return LogLines.shared.write(.info, "request", record.fields, format) }
      LogLines.shared.write { line in
        line += " info request".utf8
        record.write(to: &line)
      }
    }
  }

  /// A message at startup, as text or as a line of the log.
  func announcement(_ message: String) throws -> String {
    guard try logFormat() == .json else { return message }
    return String(decoding: LogLines.json(WallClock.system.now.description, .info, message, []), as: UTF8.self)
  }
}

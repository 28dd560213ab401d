internal import ArgumentParser
internal import Logging
internal import OKCancel
internal import Prompts

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

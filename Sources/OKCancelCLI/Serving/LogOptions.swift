internal import ArgumentParser
internal import Logging

/// What is logged, and how.
struct LogOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Lowest level to log: debug, info, warning or error. (default: info)", valueName: "level"))
  var logLevel: String?
  @Option(help: ArgumentHelp("How a line of the log looks: text or json. (default: text)", valueName: "format"))
  var logFormat: String?

  enum Level: String, CaseIterable { case debug, info, warning, error }

  /// Makes every logger of this process write as the options say.
  ///
  /// - Returns: where they write, and whether requests have a line there.
  func apply() throws -> (output: LogOutput, hasRequests: Bool) {
    let level: Level = try Setting("log-level").word(logLevel) ?? .info
    let output = LogOutput(try Setting("log-format").word(logFormat) ?? .text)
    LoggingSystem.bootstrap { _ in
      LineLogHandler(level: Logger.Level(rawValue: level.rawValue) ?? .info, output: output)
    }
    return (output, level == .debug || level == .info)
  }
}

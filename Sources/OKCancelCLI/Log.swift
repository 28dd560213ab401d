internal import ArgumentParser
internal import Asks
internal import Glibc
internal import Logging
internal import OKCancel
internal import StrictJSON
internal import Synchronization

/// What is logged, and how.
struct LogOptions: ParsableArguments {
  @Option(
    "Lowest level to log: debug, info, warning or error. (default: info)", .word("log-level", "level", of: Level.self))
  var logLevel
  @Option("Format of log lines: text or json. (default: text)", .word("log-format", "format", of: Format.self))
  var logFormat

  enum Level: String, CaseIterable { case debug, info, warning, error }
  enum Format: String, CaseIterable { case text, json }

  /// Makes every logger of this process write as the options say.
  func apply() throws {
    let level = Logger.Level(rawValue: try logLevel()?.rawValue ?? "") ?? .info
    let format = try logFormat() ?? .text
    LoggingSystem.bootstrap { _ in LineLogHandler(logLevel: level, format: format) }
  }

  /// What is printed at startup, as text or as a line of the log.
  func announcement(_ message: String) throws -> String {
    guard try logFormat() == .json else { return message }
    return String(LineLogHandler(logLevel: .info, format: .json).line(.info, message, []).dropLast())
  }
}

/// Writes a line on standard error for each event and each request.
struct LineLogHandler: LogHandler {
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  let format: LogOptions.Format

  /// Held while a line is written.
  private static let writing = Mutex(())

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let fields = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
    var line = ArraySlice(self.line(event.level, "\(event.message)", fields).utf8)
    Self.writing.withLock { _ in
      while !line.isEmpty {
        let written = line.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
        if written < 0, errno == EINTR { continue }
        // A log that cannot be written has nowhere to say so.
        guard written > 0 else { return }
        line = line.dropFirst(written)
      }
    }
  }

  fileprivate func line(
    _ level: Logger.Level, _ message: String, _ fields: [(key: String, value: Logger.Metadata.Value)]
  ) -> String {
    // UTC, RFC 3339, to the millisecond.
    let time = WallClock.system.now.description
    switch format {
    case .text:
      return fields.reduce("\(time) \(level.rawValue) \(Self.onOneLine(message))") {
        "\($0) \($1.key)=\(Self.quoted("\($1.value)"))"
      } + "\n"
    case .json:
      var json = JSONWriter()
      json.object { json in
        json.member("time", time)
        json.member("level", level.rawValue)
        json.member("message", message)
        for (name, value) in fields {
          // Only numbers are given as they are.
          if case .stringConvertible(let number) = value {
            json.member(name) { $0.literal(number.description) }
          } else {
            json.member(name, "\(value)")
          }
        }
      }
      return json.text + "\n"
    }
  }

  /// In quotes if the text's end, or that there is one, could not be seen.
  private static func quoted(_ text: String) -> String {
    if !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 != UInt8(ascii: "\"") }) { return onOneLine(text) }
    return onOneLine("\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"")
  }

  /// Writes out what would end the line, hide in it, or control a terminal.
  private static func onOneLine(_ text: String) -> String { text.visible.replacing("\n", with: "\\n") }
}

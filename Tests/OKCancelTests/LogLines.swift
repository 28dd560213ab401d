import Logging
import Synchronization

/// The lines that a logger got, from a level on.
final class LogLines: Sendable {
  private let lines = Mutex<[String]>([])
  private let level: Logger.Level

  init(_ level: Logger.Level = .warning) { self.level = level }

  var all: [String] { lines.withLock { $0 } }

  var logger: Logger { Logger(label: "test") { _ in Recorder(lines: self, logLevel: self.level) } }

  private struct Recorder: LogHandler {
    let lines: LogLines
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.lines.withLock { $0.append("\(event.message)") } }
  }
}

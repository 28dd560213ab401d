internal import Glibc
internal import Logging
internal import StrictJSON

/// One event as one line of the log, in the form that the operator chose.
struct LogLine {
  enum Format: String, CaseIterable, Sendable { case text, json }

  /// UTC, RFC 3339.
  let time: String
  let level: Logger.Level
  let message: String
  /// By name.
  let metadata: [(name: String, value: Logger.MetadataValue)]

  init(_ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata) {
    time = Self.now()
    self.level = level
    self.message = message
    self.metadata = metadata.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The line with its end; whatever is in it, it is one line.
  func bytes(_ format: Format) -> [UInt8] {
    switch format {
    case .text: text
    case .json: json
    }
  }

  private var text: [UInt8] {
    var line = time + " \(level.rawValue) "
    Self.append(message, to: &line)
    for (name, value) in metadata {
      let value = "\(value)"
      line += " \(name)="
      let isPlain = !value.isEmpty && value.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") }
      guard !isPlain else {
        Self.append(value, to: &line)
        continue
      }
      line += "\""
      Self.append(value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""), to: &line)
      line += "\""
    }
    return Array((line + "\n").utf8)
  }

  private var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("time", time)
      json.member("level", level.rawValue)
      json.member("message", message)
      for (name, value) in metadata {
        switch value {
        case .stringConvertible(let number as Int): json.member(name, number)
        case .stringConvertible(let number as Double): json.member(name) { $0.literal("\(number)") }
        default: json.member(name, "\(value)")
        }
      }
    }
    return json.bytes + [UInt8(ascii: "\n")]
  }

  /// Writes out what would end the line, hide in it, or speak to a terminal.
  private static func append(_ text: String, to line: inout String) {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
      line += text
      return
    }
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control where scalar == "\n": line += "\\n"
      case .control, .format, .lineSeparator, .paragraphSeparator:
        line += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: line.unicodeScalars.append(scalar)
      }
    }
  }

  private static func now() -> String {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    var parts = tm()
    gmtime_r(&now.tv_sec, &parts)
    func digits(_ number: Int, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let date =
      "\(digits(Int(parts.tm_year) + 1900, 4))-\(digits(Int(parts.tm_mon) + 1, 2))-\(digits(Int(parts.tm_mday), 2))"
    let clock = "\(digits(Int(parts.tm_hour), 2)):\(digits(Int(parts.tm_min), 2)):\(digits(Int(parts.tm_sec), 2))"
    return "\(date)T\(clock).\(digits(now.tv_nsec / 1_000_000, 3))Z"
  }
}

/// Writes the log on standard error, each line at once and in one piece.
struct LineLogHandler: LogHandler {
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]
  let format: LogLine.Format

  init(level: Logger.Level, format: LogLine.Format) {
    logLevel = level
    self.format = format
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.isEmpty ? event.metadata ?? [:] : metadata.merging(event.metadata ?? [:]) { $1 }
    var rest = LogLine(event.level, "\(event.message)", all).bytes(format)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      // A log that cannot be written has nowhere to say so.
      guard written > 0 else { return }
      rest = rest.dropFirst(written)
    }
  }
}

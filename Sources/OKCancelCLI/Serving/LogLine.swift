internal import Logging
internal import StrictJSON

/// One event as one line of the log, in the form that the operator chose.
struct LogLine {
  enum Format: String, CaseIterable, Sendable { case text, json }

  let level: Logger.Level
  let message: String
  /// By name.
  let metadata: [(name: String, value: Logger.MetadataValue)]

  init(_ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata) {
    self.level = level
    self.message = message
    self.metadata = metadata.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Appends the line with its end; whatever is in it, it is one line.
  func write(_ format: Format, _ clock: inout LogClock, to line: inout [UInt8]) {
    switch format {
    case .text: writeText(&clock, to: &line)
    case .json: writeJSON(&clock, to: &line)
    }
    line.append(UInt8(ascii: "\n"))
  }

  private func writeText(_ clock: inout LogClock, to line: inout [UInt8]) {
    clock.append(to: &line)
    line += " \(level.rawValue) ".utf8
    Self.append(message, to: &line)
    for (name, value) in metadata { Self.append(name, "\(value)", to: &line) }
  }

  private func writeJSON(_ clock: inout LogClock, to line: inout [UInt8]) {
    var json = JSONWriter()
    json.object { json in
      json.member("time", clock.now)
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
    line += json.bytes
  }

  /// ` name=value`, the value in quotes where it would not be seen to end, or to be there.
  static func append(_ name: String, _ value: String, to line: inout [UInt8]) {
    line.append(UInt8(ascii: " "))
    line += name.utf8
    line.append(UInt8(ascii: "="))
    let isPlain = !value.isEmpty && value.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") }
    guard !isPlain else { return append(value, to: &line) }
    line.append(UInt8(ascii: "\""))
    append(value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""), to: &line)
    line.append(UInt8(ascii: "\""))
  }

  /// Writes out what would end the line, hide in it, or speak to a terminal.
  private static func append(_ text: String, to line: inout [UInt8]) {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
      line += text.utf8
      return
    }
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control where scalar == "\n": line += "\\n".utf8
      case .control, .format, .lineSeparator, .paragraphSeparator:
        line += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".utf8
      default: line += String(scalar).utf8
      }
    }
  }
}

extension LogClock {
  /// The time now by itself.
  var now: String {
    mutating get {
      var bytes: [UInt8] = []
      append(to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}

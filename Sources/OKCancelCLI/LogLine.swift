internal import Asks
internal import Logging
internal import OKCancel
internal import StrictJSON
internal import Prompts

/// Lines of the log, in the form that the operator chose.
struct LogLines {
  enum Format: String, CaseIterable, Sendable { case text, json }

  private let format: Format
  private(set) var bytes: [UInt8] = []
  private var clock = LogClock()

  init(_ format: Format) { self.format = format }

  /// Takes out the lines so far.
  mutating func removeAll() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  /// Appends one line, whatever is in it.
  mutating func append(_ line: some LogLine) {
    switch format {
    case .text:
      clock.append(to: &bytes)
      bytes += " \(line.level.rawValue) ".utf8
      append(visibly: line.message)
      line.write(to: &self)
    case .json:
      var json = JSONWriter()
      json.object { json in
        json.member("time", clock.now)
        json.member("level", line.level.rawValue)
        json.member("message", line.message)
        line.write(to: &json)
      }
      bytes += json.bytes
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Writes out what would end the line, hide in it, or control a terminal.
  private mutating func append(visibly text: String) {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
      bytes += text.utf8
      return
    }
    for scalar in text.unicodeScalars { bytes += (scalar.writtenOut ?? String(scalar)).utf8 }
  }
}

/// What becomes a line of the log.
protocol LogLine {
  var level: Logger.Level { get }
  var message: String { get }
  /// Adds the fields, by name.
  func write(to fields: inout some LogFields)
}

/// The fields of one line.
protocol LogFields {
  mutating func add(_ name: String, _ text: String)
  mutating func add(_ name: String, number: String)
}

extension LogLines: LogFields {
  /// ` name=value`, in quotes if the value's end, or that there is one, could not be seen.
  mutating func add(_ name: String, _ value: String) {
    bytes.append(UInt8(ascii: " "))
    bytes += name.utf8
    bytes.append(UInt8(ascii: "="))
    let isPlain = !value.isEmpty && value.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") }
    guard !isPlain else { return append(visibly: value) }
    append(visibly: "\"\(value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"")
  }

  mutating func add(_ name: String, number: String) { add(name, number) }
}

extension JSONWriter: LogFields {
  mutating func add(_ name: String, _ text: String) { member(name, text) }
  mutating func add(_ name: String, number: String) { member(name) { $0.literal(number) } }
}

/// What a logger is given.
struct EventLine: LogLine {
  let level: Logger.Level
  let message: String
  let metadata: Logger.Metadata

  func write(to fields: inout some LogFields) {
    for (name, value) in metadata.sorted(by: { $0.key < $1.key }) {
      switch value {
      case .stringConvertible(let number as Int): fields.add(name, number: "\(number)")
      case .stringConvertible(let number as Double): fields.add(name, number: "\(number)")
      default: fields.add(name, "\(value)")
      }
    }
  }
}

extension RequestRecord: LogLine {
  var level: Logger.Level { .info }
  var message: String { "request" }

  func write(to fields: inout some LogFields) {
    fields.add("bytes", number: "\(bytes)")
    fields.add("client", client)
    fields.add("id", id)
    fields.add("method", method)
    fields.add("ms", number: milliseconds)
    fields.add("path", path)
    if let status { fields.add("status", number: "\(status)") } else { fields.add("status", "gone") }
  }

  /// To the microsecond.
  private var milliseconds: String {
    let rest = "\(microseconds % 1000)"
    return "\(microseconds / 1000).\(String(repeating: "0", count: 3 - rest.utf8.count))\(rest)"
  }
}

/// The time at the start of a line: UTC, RFC 3339, to the millisecond. What stays the same for a second is kept.
private struct LogClock {
  private var second: Int64?
  private var text: [UInt8] = []

  mutating func append(to line: inout [UInt8]) {
    let now = WallClock.system.now
    if now.milliseconds / 1000 != second {
      second = now.milliseconds / 1000
      text = Array(now.description.utf8.prefix(20))
    }
    line += text
    line += String(1000 + now.milliseconds % 1000).utf8.dropFirst()
    line.append(UInt8(ascii: "Z"))
  }

  /// The same by itself.
  var now: String {
    mutating get {
      var bytes: [UInt8] = []
      append(to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}

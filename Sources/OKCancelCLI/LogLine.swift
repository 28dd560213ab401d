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
    let taken = bytes
    bytes = []
    // As many are likely to come again.
    bytes.reserveCapacity(taken.count)
    return taken
  }

  /// Appends one line, whatever is in it.
  mutating func append(_ line: some LogLine) {
    switch format {
    case .text:
      bytes += clock.now.utf8
      bytes.append(UInt8(ascii: " "))
      bytes += line.level.rawValue.utf8
      bytes.append(UInt8(ascii: " "))
      append(visibly: line.message)
      line.write(to: &self)
    case .json:
      var json = JSONWriter(after: bytes)
      // Its copy is the only one while it is written to.
      bytes = []
      json.object { json in
        json.member("time", clock.now)
        json.member("level", line.level.rawValue)
        json.member("message", line.message)
        line.write(to: &json)
      }
      bytes = json.bytes
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
  /// - Parameter number: as JSON has it.
  mutating func add(_ name: String, number: String)
}

extension LogLines: LogFields {
  /// ` name=value`, in quotes if the value's end, or that there is one, could not be seen.
  mutating func add(_ name: String, _ value: String) {
    begin(name)
    let isPlain = !value.isEmpty && value.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") }
    guard !isPlain else { return append(visibly: value) }
    append(visibly: "\"\(value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"")
  }

  mutating func add(_ name: String, number: String) {
    begin(name)
    bytes += number.utf8
  }

  private mutating func begin(_ name: String) {
    bytes.append(UInt8(ascii: " "))
    bytes += name.utf8
    bytes.append(UInt8(ascii: "="))
  }
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
    fields.add("bytes", number: String(bytes))
    fields.add("client", client)
    fields.add("id", id)
    fields.add("method", method)
    fields.add("ms", number: milliseconds)
    fields.add("path", path)
    if let status { fields.add("status", number: String(status)) } else { fields.add("status", "gone") }
  }

  /// To the microsecond.
  private var milliseconds: String {
    var text = String(microseconds / 1000)
    text += "."
    text += String(1000 + microseconds % 1000).dropFirst()
    return text
  }
}

/// The time at the start of a line: UTC, RFC 3339, to the millisecond. The last one is kept.
private struct LogClock {
  private var last = WallClock.system.now
  private var text = ""

  var now: String {
    mutating get {
      let now = WallClock.system.now
      if now != last || text.isEmpty { (last, text) = (now, now.description) }
      return text
    }
  }
}

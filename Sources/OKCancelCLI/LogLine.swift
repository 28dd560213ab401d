internal import Asks
internal import Glibc
internal import Logging
internal import OKCancel
internal import StrictJSON
internal import Prompts

/// Lines of the log, in the form that the operator chose, written straight into the bytes that become one system call.
struct LogLines: LogFields {
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
    if format == .json { put("{\"time\":\"") }
    clock.write(to: &bytes)
    put(format == .json ? "\",\"level\":\"" : " ")
    put(line.level.rawValue)
    if format == .json {
      put("\"")
      add("message", .text(line.message))
    } else {
      put(" ")
      append(visibly: line.message)
    }
    line.write(to: &self)
    put(format == .json ? "}\n" : "\n")
  }

  /// ` name=value`, or `,"name":value`.
  mutating func add(_ name: String, _ value: LogValue) {
    put(format == .json ? ",\"" : " ")
    put(name)
    put(format == .json ? "\":" : "=")
    switch value {
    case .text(let text): append(text)
    case .integer(let number): append(number)
    case .thousandths(let number):
      append(number / 1000)
      put(".")
      append(number % 1000, digits: 3)
    case .number(let number): put("\(number)")
    }
  }

  private mutating func append(_ text: String) {
    switch (format, Self.isPlain(text)) {
    case (.text, true): put(text)
    case (.text, false):
      // In quotes if its end, or that there is one, could not be seen.
      let isBare = !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") }
      guard !isBare else { return append(visibly: text) }
      append(visibly: "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"")
    case (.json, true):
      put("\"")
      put(text)
      put("\"")
    case (.json, false):
      var json = JSONWriter()
      json.value(text)
      bytes += json.bytes
    }
  }

  /// Whether nothing in it needs quotes or escapes: it is visible ASCII without quotes and backslashes.
  private static func isPlain(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { text in
      var others = text.isEmpty
      for byte in text {
        others = others || byte &- 0x21 > 0x5D || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
      }
      return !others
    }
  }

  /// Writes out what would end the line, hide in it, or control a terminal.
  private mutating func append(visibly text: String) {
    if Self.isPlain(text) { return put(text) }
    for scalar in text.unicodeScalars { put(scalar.writtenOut ?? String(scalar)) }
  }

  private mutating func append(_ number: Int, digits: Int = 1) {
    guard number >= 0 else { return put(String(number)) }
    var (place, count) = (1, 1)
    while count < digits || number / place > 9 { (place, count) = (place * 10, count + 1) }
    while place > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / place % 10))
      place /= 10
    }
  }

  private mutating func put(_ text: String) {
    var text = text
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }
}

/// What becomes a line of the log.
protocol LogLine {
  var level: Logger.Level { get }
  var message: String { get }
  /// Adds the fields, by name.
  func write(to fields: inout some LogFields)
}

/// What a field holds.
enum LogValue {
  case text(String)
  case integer(Int)
  /// Written with three digits after the point.
  case thousandths(Int)
  case number(Double)
}

/// The fields of one line.
protocol LogFields {
  mutating func add(_ name: String, _ value: LogValue)
}

/// What a logger is given.
struct EventLine: LogLine {
  let level: Logger.Level
  let message: String
  let metadata: Logger.Metadata

  func write(to fields: inout some LogFields) {
    for (name, value) in metadata.sorted(by: { $0.key < $1.key }) {
      switch value {
      case .stringConvertible(let number as Int): fields.add(name, .integer(number))
      case .stringConvertible(let number as Double): fields.add(name, .number(number))
      default: fields.add(name, .text("\(value)"))
      }
    }
  }
}

extension RequestRecord: LogLine {
  var level: Logger.Level { .info }
  var message: String { "request" }

  func write(to fields: inout some LogFields) {
    fields.add("bytes", .integer(bytes))
    fields.add("client", .text(client))
    fields.add("id", .text(id))
    fields.add("method", .text(method))
    fields.add("ms", .thousandths(microseconds))
    fields.add("path", .text(path))
    fields.add("status", status.map { .integer($0) } ?? .text("gone"))
  }
}

/// The time at the start of a line: UTC, RFC 3339, to the millisecond. What stays the same for a second is kept.
private struct LogClock {
  private var second: Int64?
  private var text: [UInt8] = []

  /// Appends what time it is.
  mutating func write(to bytes: inout [UInt8]) {
    let now = WallClock.system.now
    if now.milliseconds / 1000 != second {
      second = now.milliseconds / 1000
      text = Array(now.description.utf8)
    }
    let rest = Int(now.milliseconds % 1000)
    // The three digits before the Z.
    text[20] = UInt8(ascii: "0") + UInt8(rest / 100)
    text[21] = UInt8(ascii: "0") + UInt8(rest / 10 % 10)
    text[22] = UInt8(ascii: "0") + UInt8(rest % 10)
    bytes.append(contentsOf: text)
  }
}

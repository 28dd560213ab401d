internal import Asks
internal import Glibc
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
    let time = String(decoding: clock.now, as: UTF8.self)
    switch format {
    case .text:
      bytes += "\(time) \(line.level.rawValue) ".utf8
      append(visibly: line.message)
      line.write(to: &self)
    case .json:
      var json = JSONWriter()
      json.object { json in
        json.member("time", time)
        json.member("level", line.level.rawValue)
        json.member("message", line.message)
        line.write(to: &json)
      }
      bytes += json.bytes
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Appends the line of a request: as above, but nearly always nothing in it needs more than to be copied.
  mutating func append(_ request: RequestRecord) {
    let isPlain = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: PlainLine.limit) { memory in
      var line = PlainLine(format, memory, at: clock.now, request)
      request.write(to: &line)
      guard let line = line.end() else { return false }
      bytes.append(contentsOf: line)
      return true
    }
    if !isPlain { append(line: request) }
  }

  private mutating func append(line: some LogLine) { append(line) }

  /// Writes out what would end the line, hide in it, or control a terminal.
  private mutating func append(visibly text: String) {
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

/// What a field holds.
enum LogValue {
  case text(String)
  case integer(Int)
  /// Written with three digits after the point.
  case thousandths(Int)
  case number(Double)

  /// A number as JSON has it, or `nil`.
  fileprivate var literal: String? {
    switch self {
    case .text: nil
    case .integer(let number): String(number)
    case .thousandths(let number): "\(number / 1000).\(String(1000 + number % 1000).dropFirst())"
    case .number(let number): "\(number)"
    }
  }
}

/// The fields of one line.
protocol LogFields {
  mutating func add(_ name: String, _ value: LogValue)
}

extension LogLines: LogFields {
  /// ` name=value`, in quotes if the value's end, or that there is one, could not be seen.
  mutating func add(_ name: String, _ value: LogValue) {
    bytes += " \(name)=".utf8
    guard case .text(let text) = value else { return append(visibly: value.literal ?? "") }
    let isPlain = !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") }
    guard !isPlain else { return append(visibly: text) }
    append(visibly: "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"")
  }
}

extension JSONWriter: LogFields {
  mutating func add(_ name: String, _ value: LogValue) {
    if case .text(let text) = value { return member(name, text) }
    member(name) { $0.literal(value.literal ?? "null") }
  }
}

/// One line in which nothing needs quotes or escapes, written into memory that is there for it. It costs a tenth of what
/// the general way does, and every request pays for it.
private struct PlainLine: LogFields {
  /// Bytes; ids, methods and paths are bounded.
  static let limit = 1024

  private let format: LogLines.Format
  // Unsafe, because this memory is only lent; every write is checked against its end.
  private let memory: UnsafeMutableBufferPointer<UInt8>
  private var count = 0
  private var isPlain = true

  init(
    _ format: LogLines.Format, _ memory: UnsafeMutableBufferPointer<UInt8>, at time: [UInt8], _ line: some LogLine
  ) {
    (self.format, self.memory) = (format, memory)
    if format == .json { append("{\"time\":\"") }
    time.withUnsafeBufferPointer { copy($0) }
    append(format == .json ? "\",\"level\":\"" : " ")
    append(text: line.level.rawValue)
    append(format == .json ? "\",\"message\":\"" : " ")
    append(text: line.message)
    if format == .json { append("\"") }
  }

  mutating func add(_ name: String, _ value: LogValue) {
    append(format == .json ? ",\"" : " ")
    append(text: name)
    append(format == .json ? "\":" : "=")
    switch value {
    case .text(let text):
      if format == .json { append("\"") }
      append(plain: text)
      if format == .json { append("\"") }
    case .integer(let number): append(number)
    case .thousandths(let number):
      append(number / 1000)
      append(".")
      append(number % 1000, digits: 3)
    case .number: isPlain = false
    }
  }

  /// The whole line, or `nil` if something in it was not plain.
  mutating func end() -> UnsafeBufferPointer<UInt8>? {
    append(format == .json ? "}\n" : "\n")
    return isPlain ? UnsafeBufferPointer(rebasing: memory[..<count]) : nil
  }

  private mutating func append(_ text: StaticString) {
    copy(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func append(text: String) {
    var text = text
    text.withUTF8 { copy($0) }
  }

  /// The same for a text that may not be plain.
  private mutating func append(plain text: String) {
    var text = text
    text.withUTF8 { text in
      copy(text)
      // Without a branch, so that it looks at many bytes at once.
      var others: UInt8 = text.isEmpty ? 1 : 0
      for byte in text {
        others |= (byte &- 0x21 > 0x5D ? 1 : 0) | (byte == UInt8(ascii: "\"") ? 1 : 0)
        others |= byte == UInt8(ascii: "\\") ? 1 : 0
      }
      if others != 0 { isPlain = false }
    }
  }

  private mutating func append(_ number: Int, digits: Int = 1) {
    var (rest, digits, place) = (number, digits, 1)
    while place < digits || rest > 9 {
      (rest, place) = (rest / 10, place + 1)
    }
    digits = place
    guard number >= 0, count + digits <= memory.count else { return isPlain = false }
    rest = number
    for place in (count..<count + digits).reversed() {
      memory[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += digits
  }

  private mutating func copy(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard count + bytes.count <= memory.count else { return isPlain = false }
    if let start = bytes.baseAddress { memcpy(memory.baseAddress! + count, start, bytes.count) }
    count += bytes.count
  }
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

  var now: [UInt8] {
    mutating get {
      let now = WallClock.system.now
      if now.milliseconds / 1000 != second {
        second = now.milliseconds / 1000
        text = Array(now.description.utf8)
      }
      let rest = Int(now.milliseconds % 1000)
      // The three digits before the Z.
      for (place, digit) in [(20, rest / 100), (21, rest / 10 % 10), (22, rest % 10)] {
        text[place] = UInt8(ascii: "0") + UInt8(digit)
      }
      return text
    }
  }
}

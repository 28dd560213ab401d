internal import Asks
internal import Glibc
internal import Logging
internal import OKCancel
internal import Prompts
internal import StrictJSON

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
    let time = clock.now
    // Enough for nearly every line: ids, methods and paths are bounded.
    var room = 1024
    while !append(line, at: time, within: room) { room *= 4 }
  }

  /// - Returns: false if the line has more bytes than that; then nothing is appended.
  private mutating func append(_ line: some LogLine, at time: [UInt8], within room: Int) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { memory in
      var writer = LineWriter(format, memory, at: time, line)
      line.write(to: &writer)
      guard let written = writer.end() else { return false }
      bytes.append(contentsOf: written)
      return true
    }
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

/// Writes one line into memory that is there for it: every request pays for a line, and by appending to an array it
/// takes nearly twice as many instructions.
private struct LineWriter: LogFields {
  private let format: LogLines.Format
  // Unsafe, because this memory is only lent; every write is checked against its end.
  private let memory: UnsafeMutableBufferPointer<UInt8>
  private var count = 0
  private var fits = true

  init(
    _ format: LogLines.Format, _ memory: UnsafeMutableBufferPointer<UInt8>, at time: [UInt8], _ line: some LogLine
  ) {
    (self.format, self.memory) = (format, memory)
    if format == .json { put("{\"time\":\"") }
    time.withUnsafeBufferPointer { copy($0) }
    put(format == .json ? "\",\"level\":\"" : " ")
    put(text: line.level.rawValue)
    put(format == .json ? "\",\"message\":" : " ")
    if format == .json { append(line.message) } else { put(visibly: line.message) }
  }

  /// ` name=value`, or `,"name":value`.
  mutating func add(_ name: String, _ value: LogValue) {
    put(format == .json ? ",\"" : " ")
    put(text: name)
    put(format == .json ? "\":" : "=")
    switch value {
    case .text(let text): append(text)
    case .integer(let number): append(number)
    case .thousandths(let number):
      append(number / 1000)
      put(".")
      append(number % 1000, digits: 3)
    case .number(let number): put(text: "\(number)")
    }
  }

  /// The whole line, or `nil` if it does not fit.
  mutating func end() -> UnsafeBufferPointer<UInt8>? {
    put(format == .json ? "}\n" : "\n")
    return fits ? UnsafeBufferPointer(rebasing: memory[..<count]) : nil
  }

  /// As JSON, or in quotes if the text's end, or that there is one, could not be seen.
  private mutating func append(_ text: String) {
    let isPlain = Self.isPlain(text)
    if format == .text {
      if isPlain { return put(text: text) }
      let isBare = !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") }
      guard !isBare else { return put(visibly: text) }
      put(visibly: "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"")
    } else if isPlain {
      put("\"")
      put(text: text)
      put("\"")
    } else {
      var json = JSONWriter()
      json.value(text)
      json.bytes.withUnsafeBufferPointer { copy($0) }
    }
  }

  /// Whether nothing in it needs quotes or escapes: it is visible ASCII without quotes and backslashes.
  private static func isPlain(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      // Without a branch, so that it looks at many bytes at once.
      var others: UInt8 = bytes.isEmpty ? 1 : 0
      for byte in bytes {
        others |= (byte &- 0x21 > 0x5D ? 1 : 0) | (byte == UInt8(ascii: "\"") ? 1 : 0)
        others |= byte == UInt8(ascii: "\\") ? 1 : 0
      }
      return others == 0
    }
  }

  /// Writes out what would end the line, hide in it, or control a terminal.
  private mutating func put(visibly text: String) {
    if Self.isPlain(text) { return put(text: text) }
    for scalar in text.unicodeScalars { put(text: scalar.writtenOut ?? String(scalar)) }
  }

  private mutating func append(_ number: Int, digits: Int = 1) {
    guard number >= 0 else { return put(text: String(number)) }
    var (rest, digits, place) = (number, digits, 1)
    while place < digits || rest > 9 {
      (rest, place) = (rest / 10, place + 1)
    }
    digits = place
    guard count + digits <= memory.count else { return fits = false }
    rest = number
    for place in (count..<count + digits).reversed() {
      memory[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += digits
  }

  private mutating func put(_ text: StaticString) {
    copy(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func put(text: String) {
    var text = text
    text.withUTF8 { copy($0) }
  }

  private mutating func copy(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard count + bytes.count <= memory.count else { return fits = false }
    if let start = bytes.baseAddress, let memory = memory.baseAddress { memcpy(memory + count, start, bytes.count) }
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
      text[20] = UInt8(ascii: "0") + UInt8(rest / 100)
      text[21] = UInt8(ascii: "0") + UInt8(rest / 10 % 10)
      text[22] = UInt8(ascii: "0") + UInt8(rest % 10)
      return text
    }
  }
}

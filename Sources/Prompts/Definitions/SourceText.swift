/// A definition file's text: UTF-8 without a byte order mark, at most 1 MiB.
struct SourceText {
  /// Bytes in a file.
  static let sizeLimit = 1 << 20

  let bytes: [UInt8]
  private let text: String

  init(_ bytes: [UInt8]) throws(Fault) {
    if bytes.count > Self.sizeLimit {
      throw Fault(FaultRow("file-too-large"), at: .start)
    }
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      throw Fault(FaultRow("utf16"), at: .start)
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw Fault(FaultRow("byte-order-mark"), at: .start)
    }
    do throws(UTF8.ValidationError) { text = String(copying: try UTF8Span(validating: bytes.span)) } catch {
      var cursor = Cursor(bytes)
      let place = cursor.place(of: error.byteOffsets.lowerBound)
      throw Fault(FaultRow("invalid-utf-8"), at: place)
    }
    self.bytes = bytes
  }

  /// The code point at a place, or `nil` if the text ends before it.
  func scalar(at place: Node.Place) -> Unicode.Scalar? {
    var cursor = Cursor(bytes)
    guard let offset = cursor.offset(of: place) else { return nil }
    return text.unicodeScalars[text.utf8.index(text.startIndex, offsetBy: offset)]
  }

  /// The column after the word at a place: after a text in quotes, or before what ends a plain one.
  ///
  /// - Parameter cursor: one that has not come further than this place.
  func endColumn(of place: Node.Place, from cursor: inout Cursor) -> Int {
    guard let start = cursor.offset(of: place) else { return place.column }
    // A whole file may be one line, with a fault in each of its words.
    let word = Self.word(bytes[start...].prefix(1000).prefix { $0 != 0x0A && $0 != 0x0D })
    return place.column + word.count { $0 & 0xC0 != 0x80 }
  }

  /// The first word of a line: a sign, the space before a comment, a text in quotes, or a plain one up to what ends it.
  private static func word(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isOver(_ place: Int, before byte: UInt8) -> Bool { place + 1 == line.endIndex || line[place + 1] == byte }
    func isEnd(_ place: Int) -> Bool {
      switch line[place] {
      case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): true
      case UInt8(ascii: ":"): isOver(place, before: UInt8(ascii: " "))
      case UInt8(ascii: " "): isOver(place, before: UInt8(ascii: "#"))
      default: false
      }
    }
    guard let first = line.first else { return line }
    let isQuoted = first == UInt8(ascii: "'") || first == UInt8(ascii: "\"")
    var place = line.startIndex + 1
    if !isQuoted, isEnd(line.startIndex) || first == UInt8(ascii: "[") || first == UInt8(ascii: "{") {
      return line[..<place]
    }
    while place < line.endIndex, isQuoted ? line[place] != first : !isEnd(place) {
      place += first == UInt8(ascii: "\"") && line[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    return line[..<min(isQuoted ? place + 1 : place, line.endIndex)]
  }

  /// The text's JSON with line and column of each value and key, or the fault that ends its reading.
  ///
  /// - Parameter other: the fault if the text does not even begin like JSON, as YAML does not.
  func json(ifNone other: FaultRow) throws(Fault) -> Node {
    var cursor = Cursor(bytes)
    let begin = bytes.firstIndex { !" \t\r\n".utf8.contains($0) }
    do throws(JSONFault) {
      // `Reading` reports a duplicate key as one fault among others.
      let (json, offsets) = try JSON.file(bytes)
      return Node(json, places: offsets.map { cursor.place(of: $0) })
    } catch {
      if let begin, !"{[\"".utf8.contains(bytes[begin]) { throw Fault(other, at: cursor.place(of: begin)) }
      throw Fault(FaultRow("json", saying: error.words.what, error.words.remedy), at: cursor.place(of: error.offset))
    }
  }

  /// The place of the end of the text.
  var end: Node.Place {
    var cursor = Cursor(bytes)
    return cursor.place(of: bytes.count)
  }

  /// A fault for the first character that YAML readers refuse or disagree about, or `nil` if there is none.
  ///
  /// YAML 1.1 took U+0085, U+2028 and U+2029 for line breaks and YAML 1.2 does not (5.4): they would silently change a
  /// text and every line number after them.
  var firstCharacterNotYAML: Fault? {
    let scalars = text.unicodeScalars
    guard let index = scalars.firstIndex(where: { !Self.isYAML($0.value) }) else { return nil }
    let value = scalars[index].value
    let hex = String(value, radix: 16, uppercase: true)
    let code = String(repeating: "0", count: max(0, 4 - hex.count)) + hex
    var cursor = Cursor(bytes)
    return Fault(
      value < 0x20
        ? FaultRow("character-not-yaml.control", ["code": code]) : FaultRow("character-not-yaml", ["code": code]),
      at: cursor.place(of: text.utf8.distance(from: text.startIndex, to: index)))
  }

  private static func isYAML(_ value: UInt32) -> Bool {
    switch value {
    case 0x09, 0x0A, 0x0D, 0x20...0x7E: true
    case 0..<0xA0, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: false
    default: true
    }
  }

  /// Turns byte offsets into lines and columns. It is cheap as long as the offsets ascend.
  struct Cursor {
    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1
    private var column = 1

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func place(of target: Int) -> Node.Place {
      if target < offset { (offset, line, column) = (0, 1, 1) }
      while offset < target, offset < bytes.count { step() }
      return Node.Place(line: line, column: column)
    }

    /// The byte offset of a place, or `nil` if there is no such place.
    mutating func offset(of place: Node.Place) -> Int? {
      while offset < bytes.count, (line, column) < (place.line, place.column) { step() }
      return offset < bytes.count && (line, column) == (place.line, place.column) ? offset : nil
    }

    /// To the next code point; CRLF is one line break.
    private mutating func step() {
      let byte = bytes[offset]
      offset += 1
      while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
      if byte == 0x0D, offset < bytes.count, bytes[offset] == 0x0A { return }
      if byte == 0x0A || byte == 0x0D {
        (line, column) = (line + 1, 1)
      } else {
        column += 1
      }
    }
  }
}

internal import CProcess
internal import Glibc
internal import Prompts

/// Lines for a terminal of so many columns, and where its cursor is to stand.
package struct Screen: Sendable {
  package enum Style: Sendable {
    case plain, strong, faint, error
    /// The button or option that a key would press now.
    case chosen
  }

  /// A piece of a line in one style. Nothing in it moves the cursor.
  package struct Span: Sendable {
    package let text: String
    package let style: Style
  }

  package private(set) var lines: [[Span]] = []
  /// From the first line and column, or `nil` to hide it.
  package private(set) var cursor: (line: Int, column: Int)?
  private let columns: Int

  package init(columns: Int) { self.columns = max(columns, 10) }

  /// The lines as they look, without styles.
  package var text: String { lines.map { $0.map(\.text).joined() }.joined(separator: "\n") }

  /// Adds what fits in a line.
  mutating func line(_ spans: (text: String, style: Style)...) {
    var room = columns - 1
    lines.append(
      spans.map { span in
        let text = Columns.cut(Self.shown(span.text), to: room)
        room -= Columns.count(text)
        return Span(text: text, style: span.style)
      })
  }

  /// Adds a text, in as many lines as it takes.
  ///
  /// - Parameter indent: before the first line; the others have spaces there.
  mutating func paragraph(_ text: String, _ style: Style = .plain, indent: String = "") {
    var indent = indent
    let text = text.hasSuffix("\n") ? String(text.dropLast()) : text
    for line in text.revealed.split(separator: "\n", omittingEmptySubsequences: false) {
      for part in Columns.wrap(Self.shown(String(line)), to: columns - 1 - Columns.count(indent)) {
        lines.append([Span(text: indent + part, style: style)])
        indent = String(repeating: " ", count: indent.count)
      }
    }
  }

  /// Adds a line of a text that is being edited, scrolled so that the cursor is in it.
  ///
  /// - Parameter before: what of it stands before the cursor, or `nil` if that is in another line.
  mutating func edited(_ text: String, before: String?, indent: String) {
    let room = columns - 1 - Columns.count(indent)
    let column = before.map { Columns.count(Self.shown($0)) } ?? 0
    let hidden = max(0, column - room + 1)
    let shown = Columns.cut(Columns.drop(Self.shown(text), columns: hidden), to: room)
    if before != nil { cursor = (lines.count, min(Columns.count(indent) + column - hidden, columns - 1)) }
    lines.append([Span(text: indent + shown, style: .plain)])
  }

  /// As many of the lines as fit, with the cursor or else this line among them.
  package func fitting(rows: Int, around line: Int) -> Screen {
    let rows = max(rows, 2)
    guard lines.count > rows else { return self }
    let start = min(max(0, (cursor?.line ?? line) - rows / 2), lines.count - rows)
    var part = self
    part.lines = Array(lines[start..<start + rows])
    part.cursor = cursor.map { ($0.line - start, $0.column) }
    return part
  }

  /// The text in one line, with everything written out that cannot be seen or would move the cursor.
  static func shown(_ text: String) -> String {
    text.revealed.replacing("\n", with: "⟨U+000A⟩").replacing("\t", with: " ")
  }
}

/// The number of terminal columns of a text: the C library knows it for each code point.
package enum Columns {
  private static let isReady = setlocale(LC_CTYPE, "C.UTF-8") != nil

  package static func count(_ text: String) -> Int { text.reduce(0) { $0 + count($1) } }

  static func count(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    if let ascii = character.asciiValue { return ascii < 0x20 ? 0 : 1 }
    // A sequence of emoji is one, and as wide as one.
    if scalars.contains(where: { $0.value == 0xFE0F || $0.value == 0x200D }), scalars.first?.properties.isEmoji == true
    {
      return 2
    }
    return isReady ? scalars.reduce(0) { $0 + max(0, Int(cprocess_columns($1.value))) } : 1
  }

  /// As much of the text as fits.
  package static func cut(_ text: String, to columns: Int) -> String {
    var room = columns
    return String(
      text.prefix { character in
        room -= count(character)
        return room >= 0
      })
  }

  /// The text without its first columns.
  static func drop(_ text: String, columns: Int) -> String {
    var left = columns
    return String(
      text.drop { character in
        defer { left -= count(character) }
        return left > 0
      })
  }

  /// The text in lines that fit, broken at spaces where there are any.
  static func wrap(_ text: String, to columns: Int) -> [String] {
    var lines: [String] = [], line: [Character] = []
    for character in text {
      if count(String(line)) + count(character) > max(columns, 2), !line.isEmpty {
        let space = character == " " ? line.endIndex : line.lastIndex(of: " ") ?? line.endIndex
        lines.append(String(line[..<space]))
        line = Array(line[space...].dropFirst())
        if character == " " { continue }
      }
      line.append(character)
    }
    return lines + [String(line)]
  }
}

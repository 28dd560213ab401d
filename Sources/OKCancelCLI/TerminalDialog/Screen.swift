internal import Prompts

/// Lines for a terminal of so many columns, and where its cursor is to stand.
struct Screen: Sendable {
  enum Style: Sendable {
    case plain, strong, faint, error
    /// The button or option that a key would press now.
    case chosen
  }

  /// A piece of a line in one style. Nothing in it moves the cursor.
  struct Span: Sendable {
    let text: String
    let style: Style
  }

  private(set) var lines: [[Span]] = []
  /// From the first line and column, or `nil` to hide it.
  private(set) var cursor: (line: Int, column: Int)?
  /// The line that has to be seen, if there is no cursor.
  private var focus = 0
  private let columns: Int

  init(columns: Int) { self.columns = max(columns, 10) }

  /// The lines as they look, without styles.
  var text: String { lines.map { $0.map(\.text).joined() }.joined(separator: "\n") }

  /// Adds a line, in as many as it takes. All but the first are indented.
  mutating func line(_ spans: (text: String, style: Style)...) { flow(spans, rest: "    ") }

  /// Adds a line, in as many as it takes.
  ///
  /// - Parameters:
  ///   - first: before the first of them.
  ///   - rest: before the others.
  mutating func flow(_ spans: [(text: String, style: Style)], first: String = "", rest: String) {
    let first = Columns.cut(first, to: columns / 2), rest = Columns.cut(rest, to: columns / 2)
    var line = first.isEmpty ? [] : [Span(text: first, style: .plain)], width = Columns.count(first)
    for span in spans {
      let room = columns - 1 - Columns.count(rest)
      let parts = Columns.wrap(Self.shown(span.text), to: room, first: min(room, columns - 1 - width))
      for (index, part) in parts.enumerated() {
        if index > 0 {
          lines.append(line)
          (line, width) = ([Span(text: rest, style: .plain)], Columns.count(rest))
        }
        line.append(Span(text: part, style: span.style))
        width += Columns.count(part)
      }
    }
    lines.append(line)
  }

  /// The next line has to be seen.
  mutating func show() { focus = lines.count }

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

  /// Adds a table, with the first row as the heads of its columns.
  ///
  /// - Parameters:
  ///   - first: before the first row.
  ///   - rest: before the others.
  mutating func table(_ rows: [[String]], first: String = "", rest: String = "") {
    let rows = rows.map { $0.map(Self.shown) }
    let widths = (rows.first ?? []).indices.map { column in
      rows.map { $0.indices.contains(column) ? Columns.count($0[column]) : 0 }.max() ?? 0
    }
    for (index, row) in rows.enumerated() {
      let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - Columns.count($0)) }
      paragraph(cells.joined(separator: "  "), index == 0 ? .strong : .plain, indent: index == 0 ? first : rest)
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

  /// The line that has to be seen.
  var lineInSight: Int { cursor?.line ?? focus }

  /// One screen above another.
  static func + (upper: Screen, lower: Screen) -> Screen {
    var both = upper
    both.lines += lower.lines
    both.cursor = upper.cursor ?? lower.cursor.map { ($0.line + upper.lines.count, $0.column) }
    both.focus = lower.focus > 0 ? lower.focus + upper.lines.count : upper.focus
    return both
  }

  /// These lines, and the cursor if it is in them.
  func window(from start: Int, rows: Int) -> Screen {
    var part = self
    part.lines = Array(lines.dropFirst(start).prefix(rows))
    part.cursor = cursor.flatMap {
      part.lines.indices.contains($0.line - start) ? ($0.line - start, $0.column) : nil
    }
    part.focus = max(0, focus - start)
    return part
  }

  /// As many of the lines as fit, with the cursor or else the line to be seen among them. A mark stands for more.
  func fitting(rows: Int) -> Screen {
    let rows = max(rows, 2)
    guard lines.count > rows else { return self }
    let start = min(max(0, lineInSight - rows / 2), lines.count - rows)
    var part = window(from: start, rows: rows)
    let more = [Span(text: "⋮", style: .faint)]
    if start > 0, rows > 4 { part.lines[0] = more }
    if start + rows < lines.count, rows > 4 { part.lines[rows - 1] = more }
    return part
  }

  /// The text in one line, with everything written out that cannot be seen or would move the cursor.
  static func shown(_ text: String) -> String {
    text.revealed.replacing("\n", with: "⟨U+000A⟩").replacing("\t", with: " ")
  }
}

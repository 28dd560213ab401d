internal import Prompts
internal import TerminalDialog

/// The part of a terminal that a dialog redraws.
struct Frame {
  private let terminal: ControllingTerminal
  private var shown: Screen?

  init(_ terminal: ControllingTerminal) { self.terminal = terminal }

  mutating func printHeading(of prompt: Prompt) {
    terminal.write(text(of: prompt.heading(columns: terminal.size.columns)) + "\r\n")
  }

  /// Begins again on an empty screen.
  mutating func clear(_ prompt: Prompt) {
    terminal.write("\u{1B}[H\u{1B}[2J")
    shown = nil
    printHeading(of: prompt)
  }

  /// The next drawing begins where the cursor is now.
  mutating func forget() { shown = nil }

  mutating func draw(_ dialog: TerminalDialog) {
    let size = terminal.size
    let screen = dialog.screen(columns: size.columns, rows: size.rows)
    var output = erased(columns: size.columns) + text(of: screen)
    if let cursor = screen.cursor {
      let up = screen.lines.count - 1 - cursor.line
      output += (up > 0 ? "\u{1B}[\(up)A" : "") + "\r" + (cursor.column > 0 ? "\u{1B}[\(cursor.column)C" : "")
    }
    terminal.write("\u{1B}[?25l" + output + (screen.cursor == nil ? "" : "\u{1B}[?25h"))
    shown = screen
  }

  mutating func end(_ dialog: TerminalDialog, hasEnded: Bool) {
    let size = terminal.size
    let screen = dialog.screen(columns: size.columns, rows: size.rows, hasEnded: hasEnded)
    terminal.write(erased(columns: size.columns) + text(of: screen) + "\r\n\u{1B}[?25h")
    shown = nil
  }

  /// Erases what was drawn; lines may have been broken since, by a terminal that became narrower.
  private func erased(columns: Int) -> String {
    guard let shown else { return "" }
    let rows = shown.lines.map { line in
      max(1, (Columns.count(line.map(\.text).joined()) + columns - 1) / max(columns, 1))
    }
    let above = rows[..<(shown.cursor?.line ?? max(rows.count - 1, 0))].reduce(0, +)
    return "\r" + (above > 0 ? "\u{1B}[\(above)A" : "") + "\u{1B}[J"
  }

  private func text(of screen: Screen) -> String {
    screen.lines.map { line in
      line.map { span in terminal.code(of: span.style).map { "\u{1B}[\($0)m\(span.text)\u{1B}[0m" } ?? span.text }
        .joined()
    }.joined(separator: "\r\n")
  }
}

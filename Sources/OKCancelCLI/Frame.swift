internal import Glibc
internal import Prompts

/// The part of a terminal that a dialog redraws.
struct Frame: ShownDialog {
  private let terminal: ControllingTerminal
  var dialog: TerminalDialog
  private var shown: Screen?
  private var clock = PressClock()
  /// Those that came together and were not taken yet.
  private var presses: ArraySlice<Press> = []
  /// True from Ctrl-Z until the process goes on: the terminal is somebody else's.
  private var isStopped = false

  /// - Throws: `Failure` if the terminal's settings cannot be changed.
  init(_ prompt: Prompt, on terminal: ControllingTerminal) throws(Failure) {
    self.terminal = terminal
    dialog = TerminalDialog(prompt)
    try terminal.hold(.keys)
  }

  mutating func next() async throws -> Key? {
    while true {
      while let press = presses.popFirst() {
        if press.key == .refused || !clock.counts(press) {
          terminal.refuse()
        } else if press.key == .suspend {
          end(hasEnded: false)
          isStopped = true
          kill(0, SIGTSTP)
        } else {
          return press.key
        }
      }
      if !isStopped { draw() }
      var events = terminal.events().makeAsyncIterator()
      switch await events.next() {
      case .keys(let pressed)?: presses = pressed[...]
      case .resized?: break
      case .resumed?:
        try await terminal.foreground()
        try terminal.hold(.keys)
        isStopped = false
        // The next drawing begins where the cursor is now.
        (shown, clock) = (nil, PressClock())
      case .closed?, nil: return nil
      }
    }
  }

  mutating func take(_ key: Key) -> DialogRequest? {
    if key == .redraw {
      terminal.write("\u{1B}[H\u{1B}[2J")
      shown = nil
    }
    return dialog.press(key)
  }

  mutating func end() { end(hasEnded: true) }

  mutating func draw() {
    dialog.size = terminal.size
    let screen = dialog.screen()
    var output = erased(columns: dialog.size.columns) + text(of: screen)
    if let cursor = screen.cursor {
      let up = screen.lines.count - 1 - cursor.line
      output += (up > 0 ? "\u{1B}[\(up)A" : "") + "\r" + (cursor.column > 0 ? "\u{1B}[\(cursor.column)C" : "")
    }
    terminal.write("\u{1B}[?25l" + output + (screen.cursor == nil ? "" : "\u{1B}[?25h"))
    shown = screen
    clock.appeared(at: .now)
  }

  private mutating func end(hasEnded: Bool) {
    dialog.size = terminal.size
    let screen = dialog.screen(hasEnded: hasEnded)
    terminal.write(erased(columns: dialog.size.columns) + text(of: screen) + "\r\n\u{1B}[?25h")
    // If it is drawn again, it appears anew.
    (shown, clock) = (nil, PressClock())
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

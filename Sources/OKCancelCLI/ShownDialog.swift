internal import Glibc
internal import Prompts

/// A dialog as a terminal shows it: on a screen, or in plain lines.
protocol ShownDialog {
  associatedtype Dialog: PersonsDialog
  associatedtype Event
  var dialog: Dialog { get set }
  /// Shows what has changed.
  mutating func draw()
  /// Shows what has changed and waits for the person; `nil` if nobody can go on.
  mutating func next() async throws -> Event?
  mutating func take(_ event: Event) -> DialogRequest?
  /// Leaves on the terminal what was entered.
  mutating func end()
}

/// The lines of a terminal that can do nothing else.
struct Lines: ShownDialog {
  private let terminal: ControllingTerminal
  var dialog: PlainDialog
  private var clock = PressClock()

  init(_ prompt: Prompt, on terminal: ControllingTerminal) {
    self.terminal = terminal
    dialog = PlainDialog(prompt, columns: terminal.size.columns)
  }

  mutating func draw() {
    for line in dialog.output { terminal.write(line + "\n") }
    dialog.output = []
  }

  mutating func next() async throws -> ControllingTerminal.Line? {
    while true {
      try await terminal.foreground()
      draw()
      try terminal.hold(dialog.isSecret ? .secretLines : .lines)
      terminal.write(dialog.question)
      clock.appeared(at: .now)
      let (line, began) = try await terminal.line()
      switch line {
      case .suspend:
        terminal.release()
        kill(0, SIGTSTP)
        clock = PressClock()
      case .interrupt: return line
      case .text, .endOfText:
        if clock.counts(began) { return line }
        terminal.refuse()
      case .refused: terminal.refuse()
      }
    }
  }

  mutating func take(_ line: ControllingTerminal.Line) -> DialogRequest? {
    switch line {
    case .text(let text): dialog.take(text)
    case .endOfText: dialog.take(nil)
    case .interrupt: dialog.answering.interruption
    case .suspend, .refused: nil
    }
  }

  mutating func end() {
    draw()
    clock = PressClock()
  }
}

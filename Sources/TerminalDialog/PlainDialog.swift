package import Prompts

/// A dialog in plain lines, none of which is ever redrawn: for terminals that can do nothing else, and for screen readers.
///
/// An empty line keeps what stands in brackets, and `-` empties it.
package struct PlainDialog: PersonsDialog {
  package private(set) var answering: Answering
  /// The field that is asked for, or `nil` at the buttons.
  private var index: Int?
  /// The former input of the field, which comes back if a line is refused.
  private var before: Input?
  /// True while verdicts are awaited to go on.
  private var isLeaving = false
  /// The lines of a text so far.
  private var lines: [String] = []
  /// Lines to print, oldest first; whoever prints them empties it.
  package var output: [String] = []

  package init(_ prompt: Prompt, columns: Int) {
    answering = Answering(prompt)
    output = [prompt.heading(columns: columns).text]
    go(to: answering.fields.first)
  }

  private var prompt: Prompt { answering.prompt }

  /// True if the typed text must not be seen.
  package var isSecret: Bool { index.map { prompt.fields[$0].kind == .password } ?? false }

  /// Stands before what a person types.
  package var question: String {
    guard let index else {
      let buttons = answering.buttons.enumerated().map { "\($0 + 1)) \(Screen.shown($1.title))" }
      return buttons.joined(separator: "  ") + (defaultButton.map { " [\($0 + 1)]" } ?? "") + ": "
    }
    if !lines.isEmpty { return "" }
    let held = Screen.shown(answering.summary(of: index))
    return Screen.shown(answering.label(of: index)) + (held.isEmpty ? "" : " [\(held)]") + ": "
  }

  /// Takes a line, or `nil` for Ctrl-D.
  package mutating func take(_ line: String?) -> DialogRequest? {
    guard let index else { return press(line) }
    let field = prompt.fields[index]
    if field.kind.isMultiline, let line, !(lines.isEmpty && ["", "-"].contains(line)) {
      lines.append(line)
      return nil
    }
    if let line = lines.isEmpty ? line : lines.joined(separator: "\n") {
      guard let input = input(line, for: index) else {
        output.append("  ✗ " + answering.sentences(.chooseOption))
        return nil
      }
      before = answering.entries[index]
      answering.enter(input, in: index)
    } else if !field.kind.isMultiline {
      return .leave
    }
    lines = []
    answering.tell(index)
    isLeaving = true
    return .judge
  }

  /// The input that a line gives a field, or `nil` if it names no option.
  private func input(_ line: String, for index: Int) -> Input? {
    let field = prompt.fields[index], rows = answering.rows(of: index)
    if line.isEmpty { return answering.entries[index] }
    if line == "-" { return field.kind.emptyInput }
    if rows.isEmpty { return .text(line) }
    let words = field.kind == .choices ? line.split { $0 == "," || $0 == " " }.map(String.init) : [line]
    let chosen = words.map { Self.option($0, of: rows)?.value }
    guard chosen.allSatisfy({ $0 != nil }) else { return nil }
    let values = chosen.compactMap(\.self)
    return field.kind == .choices
      ? .choices(field.options.map(\.value).filter(values.contains)) : .text(values.first ?? "")
  }

  /// The row of this number, title or value.
  private static func option(_ word: String, of rows: [Field.Option]) -> Field.Option? {
    let word = word.trimmingSpaces
    if let number = Int(word), rows.indices.contains(number - 1) { return rows[number - 1] }
    return rows.first { $0.value == word || $0.title.lowercased() == word.lowercased() }
  }

  private mutating func press(_ line: String?) -> DialogRequest? {
    guard let line else { return .leave }
    let buttons = answering.buttons
    let rows = buttons.map { Field.Option($0.title) }
    let named = Self.option(line, of: rows)
    let place = line.isEmpty ? defaultButton : rows.firstIndex { $0.value == named?.value }
    guard let place else {
      output.append("  ✗ " + answering.sentences(.chooseOption))
      return nil
    }
    if buttons[place].validates, let invalid = answering.firstInvalid {
      answering.tellAll()
      say(messageOf: invalid)
      go(to: invalid)
      return nil
    }
    return .send(DialogEnding(buttons[place]))
  }

  /// OK, unless that cannot be undone or something is not valid.
  private var defaultButton: Int? {
    answering.firstInvalid == nil ? answering.buttons.firstIndex { $0.role == .ok && !$0.isDestructive } : nil
  }

  private mutating func say(messageOf index: Int) {
    if let message = answering.message(of: index) { output.append("  ✗ " + Screen.shown(message)) }
  }

  /// Says what a field asks for.
  private mutating func go(to place: Int?) {
    (index, before) = (place, nil)
    guard let place else { return }
    let field = prompt.fields[place]
    if let section = field.section { output.append("\n" + Screen.shown(section)) }
    if let help = field.sectionHelp { output.append(Screen.shown(help)) }
    output += answering.hints(of: place).map { "  " + Screen.shown($0) }
    output += answering.rows(of: place).enumerated().map { "  \($0 + 1)) \(Screen.shown($1.title))" }
    if field.kind.isMultiline { output.append("  ⏎ Ctrl-D") }
  }

  // MARK: What comes back

  package mutating func judged(_ verdicts: [String: Verdict]?) {
    answering.judged(verdicts)
    guard let index, isLeaving else { return }
    isLeaving = false
    if answering.verdict(of: index)?.isValid ?? true {
      go(to: answering.fields.first { $0 > index })
      if self.index == nil, let invalid = answering.firstInvalid { say(messageOf: invalid) }
    } else {
      say(messageOf: index)
      if let before { answering.enter(before, in: index) }
    }
  }

  package mutating func refused(_ verdicts: [String: Verdict]?, saying note: String? = nil) {
    if let note { output.append(note) }
    guard let verdicts else { return }
    answering.judged(verdicts)
    answering.tellAll()
    guard let invalid = answering.firstInvalid else { return }
    say(messageOf: invalid)
    go(to: invalid)
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

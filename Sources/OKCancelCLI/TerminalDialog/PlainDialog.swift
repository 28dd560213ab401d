internal import Prompts

/// A dialog in plain lines, none of which is ever redrawn: for terminals that can do nothing else, and for screen readers.
///
/// An empty line keeps what stands in brackets, and `-` empties it.
struct PlainDialog: PersonsDialog {
  private(set) var answering: Answering
  /// The field that is asked for, or `nil` at the buttons.
  private var index: Int?
  /// The former input of the field, which comes back if a line is refused.
  private var before: Input?
  /// True while verdicts are awaited to go on.
  private var isLeaving = false
  /// The lines of a text so far.
  private var lines: [String] = []
  /// Lines to print, oldest first; whoever prints them empties it.
  var output: [String] = []

  init(_ prompt: Prompt, columns: Int) {
    answering = Answering(prompt)
    output = [(prompt.drawnTitle(columns: columns) + prompt.drawnMaterial(columns: columns)).text]
    go(to: answering.fields.first)
  }

  private var prompt: Prompt { answering.prompt }

  /// True if the typed text must not be seen.
  var isSecret: Bool { index.map { prompt.fields[$0].kind == .password } ?? false }

  /// Stands before what a person types.
  var question: String {
    guard let index else {
      let buttons = answering.buttons.enumerated().map { "\($0 + 1)) \(Screen.shown($1.title))" }
      return buttons.joined(separator: "  ") + (defaultButton.map { " [\($0 + 1)]" } ?? "") + ": "
    }
    if !lines.isEmpty { return "" }
    let held = Screen.shown(answering.summary(of: index))
    return Screen.shown(answering.label(of: index)) + (held.isEmpty ? "" : " [\(held)]") + ": "
  }

  /// Takes a line, or `nil` for Ctrl-D.
  mutating func take(_ line: String?) -> DialogRequest? {
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
      if field.offersRows, !line.isEmpty { say(chosen: answering.summary(of: index)) }
      if let read = answering.reading(of: index) { output.append("  " + Screen.shown(read)) }
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
    let isBoolean = field.kind == .boolean
    let find = { (word: Substring) in
      Self.place(
        of: String(word), in: rows.map(\.title), values: rows.map(\.value),
        yes: isBoolean ? rows.firstIndex { $0.value == "true" } : nil,
        no: isBoolean ? rows.firstIndex { $0.value == "false" } : nil)
    }
    if field.kind != .choices { return find(line[...]).map { .text(rows[$0].value) } }
    // A title may have spaces in it.
    let readings = [line.split(separator: ","), line.split { $0 == "," || $0 == " " }].map { $0.map(find) }
    guard let places = readings.first(where: { $0.allSatisfy { $0 != nil } }) else { return nil }
    let values = places.compactMap { $0.map { rows[$0].value } }
    return .choices(field.options.map(\.value).filter(values.contains))
  }

  /// The place of the option that a word stands for: by its title or value, as yes or no, by the beginning of one title
  /// alone or, if none begins so, by its number.
  private static func place(
    of word: String, in titles: [String], values: [String] = [], yes: Int? = nil, no: Int? = nil
  ) -> Int? {
    let word = word.trimmingSpaces, lower = word.lowercased(), titles = titles.map { $0.lowercased() }
    if let place = titles.firstIndex(of: lower) ?? values.firstIndex(of: word) { return place }
    if let yes, ["y", "yes"].contains(lower) { return yes }
    if let no, ["n", "no"].contains(lower) { return no }
    let begun = lower.isEmpty ? [] : titles.indices.filter { titles[$0].hasPrefix(lower) }
    if !begun.isEmpty { return begun.count == 1 ? begun[0] : nil }
    return Int(word).flatMap { titles.indices.contains($0 - 1) ? $0 - 1 : nil }
  }

  private mutating func press(_ line: String?) -> DialogRequest? {
    guard let line else { return .leave }
    let buttons = answering.buttons
    let sentences = answering.sentences, word = line.trimmingSpaces.lowercased()
    let isYes = word == sentences(.yes).lowercased(), isNo = word == sentences(.no).lowercased()
    let place =
      line.isEmpty
      ? defaultButton
      : Self.place(
        of: isYes ? "y" : isNo ? "n" : line, in: buttons.map(\.title), yes: buttons.firstIndex { $0.role == .ok },
        no: buttons.firstIndex { $0.role == .cancel })
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
    say(chosen: buttons[place].title)
    return .send(DialogEnding(buttons[place]))
  }

  /// OK, unless that cannot be undone or something is not valid. Without fields it is the button that has the focus first.
  private var defaultButton: Int? {
    let buttons = answering.buttons
    if prompt.fields.isEmpty || prompt.onlyOffersMore { return buttons.firstIndex { $0.role == prompt.firstRole() } }
    return answering.firstInvalid == nil ? buttons.firstIndex { $0.role == .ok && !$0.isDestructive } : nil
  }

  private mutating func say(chosen text: String) { output.append("  → " + Screen.shown(text)) }

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

  mutating func judged(_ verdicts: [String: Verdict]?) {
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

  mutating func refused(_ verdicts: [String: Verdict]?, saying note: String? = nil) {
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

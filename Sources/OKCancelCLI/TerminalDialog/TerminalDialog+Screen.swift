internal import Prompts

extension TerminalDialog {
  /// The dialog in the terminal's size, with its title and buttons in sight.
  ///
  /// - Parameter hasEnded: whether to show only what was entered.
  func screen(hasEnded: Bool = false) -> Screen {
    let layout = layout(hasEnded: hasEnded)
    guard layout.isLong else { return layout.top + layout.body + layout.bottom }
    if hasEnded { return layout.top + drawnFields(hasEnded: true) }
    var window = layout.body.window(from: layout.first, rows: layout.room)
    let lines = Sentence.shownLines(layout.first + 1, layout.first + window.lines.count, of: layout.body.lines.count)
    window.line((answering.sentences(lines).withoutIsolates, .faint))
    return (layout.top + window + layout.bottom).fitting(rows: size.rows - 1)
  }

  /// What stands above and below, and what scrolls between them if the screen is too short.
  struct Layout {
    var top, body, bottom: Screen
    /// The rows that there are for the body.
    var room: Int
    /// The first line of the body that is shown, and the last that can be.
    var first = 0
    var last: Int { max(0, body.lines.count - room) }
    var isLong: Bool { room < body.lines.count }
  }

  func layout(hasEnded: Bool = false) -> Layout {
    let top = prompt.drawnTitle(columns: size.columns)
    let body = prompt.drawnMaterial(columns: size.columns) + drawnFields(hasEnded: hasEnded)
    var bottom = Screen(columns: size.columns)
    if !hasEnded {
      drawButtons(&bottom)
      if let note { bottom.paragraph(note, .error) }
    }
    let rows = size.rows - 1, room = rows - top.lines.count - bottom.lines.count
    if body.lines.count <= room { return Layout(top: top, body: body, bottom: bottom, room: body.lines.count) }
    // On a small screen they make room. A line says which part is shown.
    var layout = Layout(
      top: top.window(from: 0, rows: max(1, rows / 4)), body: body, bottom: bottom.fitting(rows: max(2, rows / 2)),
      room: 0)
    layout.room = min(max(1, rows - layout.top.lines.count - layout.bottom.lines.count - 1), body.lines.count - 1)
    let isAfterFields = if case .button = place { !answering.fields.isEmpty } else { false }
    layout.first =
      scroll ?? (isAfterFields ? layout.last : min(max(0, body.lineInSight - layout.room / 2), layout.last))
    layout.first = min(layout.first, layout.last)
    return layout
  }

  /// Every field, and a line between them and the buttons.
  private func drawnFields(hasEnded: Bool) -> Screen {
    var screen = Screen(columns: size.columns)
    for index in answering.fields {
      if let section = prompt.fields[index].section {
        if !screen.lines.isEmpty { screen.line(("", .plain)) }
        screen.line((section, .strong))
        if let help = prompt.fields[index].sectionHelp { screen.paragraph(help, .faint) }
      }
      if !hasEnded, place == .field(index) {
        screen.show()
        draw(focused: index, &screen)
      } else {
        screen.line(("  \(answering.label(of: index)): ", .plain), (answering.summary(of: index), .strong))
      }
      if let read = answering.reading(of: index) { screen.paragraph(read, .faint, indent: "  ") }
      if !hasEnded, let message = answering.message(of: index) { screen.paragraph(message, .error, indent: "  ✗ ") }
    }
    if !hasEnded, !screen.lines.isEmpty { screen.line(("", .plain)) }
    return screen
  }

  private func draw(focused index: Int, _ screen: inout Screen) {
    let field = prompt.fields[index]
    screen.line(("› ", .strong), (answering.label(of: index), .strong))
    if field.offersRows {
      drawRows(of: index, &screen, atMost: max(3, size.rows - 8))
    } else {
      drawText(of: field, &screen)
    }
    for hint in answering.hints(of: index) { screen.paragraph(hint, .faint, indent: "  ") }
    if !field.offersRows, field.kind != .password, let hidden = answering.entries[index].text?.hiddenSummary,
      !hidden.isEmpty
    {
      screen.paragraph("\(answering.sentences[.hidden])\(answering.sentences[.colon])\(hidden)", .faint, indent: "  ")
    }
    if field.kind.isMultiline { screen.paragraph("Ctrl-D", .faint, indent: "  ⏎ ") }
  }

  private func drawText(of field: Field, _ screen: inout Screen) {
    let unit = field.unit.map { "  \(Screen.shown($0))" } ?? ""
    if field.kind == .password {
      let dots = String(repeating: "•", count: text.text.count)
      return screen.edited(dots, before: String(dots.prefix(text.before.count)), indent: "  ")
    }
    guard field.kind.isMultiline else {
      screen.edited(text.text, before: text.before, indent: "  ")
      if text.text.isEmpty, let placeholder = field.placeholder { screen.paragraph(placeholder, .faint, indent: "  ") }
      if !unit.isEmpty { screen.paragraph(unit, .faint) }
      return
    }
    let lines = text.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let before = text.before.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let here = before.count - 1
    let start = min(max(0, here - 5), max(0, lines.count - 10))
    for (index, line) in lines.enumerated().dropFirst(start).prefix(10) {
      screen.edited(line, before: index == here ? before[here] : nil, indent: "│ ")
    }
  }

  /// As many rows as fit, around the one that a key would choose.
  private func drawRows(of index: Int, _ screen: inout Screen, atMost limit: Int) {
    let rows = options.rows, shown = options.shown, isMany = prompt.fields[index].kind == .choices
    let chosen = answering.entries[index].texts
    let marked = options.mark.flatMap(shown.firstIndex) ?? 0
    let start = min(max(0, marked - limit / 2), max(0, shown.count - limit))
    if !options.typed.isEmpty {
      let count = answering.sentences(.matching(options.matches.count, of: rows.count)).withoutIsolates
      screen.line(("  \(options.typed)  ", .plain), (count, .faint))
    } else if rows.count > limit {
      screen.line(("  \(start + 1)–\(min(start + limit, rows.count)) / \(rows.count)", .faint))
    }
    for place in shown.dropFirst(start).prefix(limit) {
      let option = rows[place], isMarked = place == options.mark
      let isChosen = chosen.contains(option.value)
      let box = isMany ? (isChosen ? "[x]" : "[ ]") : isChosen ? "(•)" : "( )"
      let help = option.help.map { "  \($0)" } ?? ""
      if isMarked { screen.show() }
      screen.line(
        ("\(isMarked ? "›" : " ") \(box) \(place + 1) ", .plain),
        (option.title, isMarked ? .chosen : .plain), (help, .faint))
    }
  }

  private func drawButtons(_ screen: inout Screen) {
    let invalid = answering.firstInvalid
    for (index, button) in answering.buttons.enumerated() {
      let isOff = button.validates && invalid != nil
      if place == .button(index) { screen.show() }
      let style: Screen.Style = place == .button(index) ? .chosen : isOff ? .faint : .plain
      screen.line((place == .button(index) ? "› " : "  ", .strong), ("[ \(button.title) ]", style))
      // Why a button is off stands under it once a person gets there.
      if isOff, place == .button(index), let invalid, let message = answering.reason(of: invalid) {
        screen.paragraph(
          "\(prompt.fields[invalid].label)\(answering.sentences[.colon])\(message)", .faint, indent: "    ")
      }
    }
  }
}

extension Prompt {
  func drawnTitle(columns: Int) -> Screen {
    var screen = Screen(columns: columns)
    screen.paragraph(title, .strong)
    return screen
  }

  /// The message and what to decide on, and an empty line.
  func drawnMaterial(columns: Int) -> Screen {
    var screen = Screen(columns: columns)
    if let message { screen.paragraph(message) }
    if let asked = Sentence.asked(by: askedBy, for: requestedBy) {
      screen.paragraph(Sentences(in: language ?? .english)(asked).withoutIsolates, .faint)
    }
    for block in context {
      screen.line(("", .plain))
      block.draw(&screen)
    }
    screen.line(("", .plain))
    return screen
  }
}

extension Prompt.Context {
  fileprivate func draw(_ screen: inout Screen) {
    switch self {
    // Nothing, like the diff of what did not change.
    case .text(""), .code("", _), .diff(""): screen.paragraph("∅")
    case .text(let text): screen.paragraph(text)
    case .markdown(let text):
      if let markdown = Markdown(text) { screen.markdown(markdown) } else { Prompt.Context.text(text).draw(&screen) }
    case .code(let code, _): screen.paragraph(code, indent: "  ")
    case .diff(let diff):
      for line in (diff.hasSuffix("\n") ? diff.dropLast() : diff[...]).split(
        separator: "\n", omittingEmptySubsequences: false)
      {
        screen.paragraph(String(line), line.hasPrefix("+") ? .strong : line.hasPrefix("-") ? .error : .plain)
      }
    case .table(let columns, let rows): screen.table([columns] + rows)
    case .link(let url, let title): screen.paragraph(title.map { "\($0): \(url)" } ?? url)
    case .image(_, let alt): screen.paragraph("▣ \(alt)")
    }
  }
}

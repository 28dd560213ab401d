package import Prompts

extension TerminalDialog {
  /// The dialog in so many columns, without its title, message and context, which stand above.
  ///
  /// - Parameter hasEnded: whether to show only what was entered.
  package func screen(columns: Int, rows: Int, hasEnded: Bool = false) -> Screen {
    var screen = Screen(columns: columns)
    for index in answering.fields {
      if let section = prompt.fields[index].section {
        if !screen.lines.isEmpty { screen.line(("", .plain)) }
        screen.line((section, .strong))
        if let help = prompt.fields[index].sectionHelp { screen.paragraph(help, .faint) }
      }
      if !hasEnded, place == .field(index) {
        screen.show()
        draw(focused: index, &screen, rows: rows)
      } else {
        screen.line(("  \(answering.label(of: index)): ", .plain), (answering.summary(of: index), .strong))
      }
      if !hasEnded, let message = answering.message(of: index) { screen.paragraph(message, .error, indent: "  ✗ ") }
    }
    if hasEnded { return screen }
    if !screen.lines.isEmpty { screen.line(("", .plain)) }
    drawButtons(&screen)
    if let note { screen.paragraph(note, .error) }
    return screen.fitting(rows: rows - 1)
  }

  private func draw(focused index: Int, _ screen: inout Screen, rows: Int) {
    let field = prompt.fields[index]
    screen.line(("› ", .strong), (answering.label(of: index), .strong))
    if field.offersRows {
      drawRows(of: index, &screen, atMost: max(3, rows - 8))
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
    let rows = answering.rows(of: index), isMany = prompt.fields[index].kind == .choices
    let chosen = answering.entries[index].texts
    let start = min(max(0, (row ?? 0) - limit / 2), max(0, rows.count - limit))
    if rows.count > limit { screen.line(("  \(start + 1)–\(min(start + limit, rows.count)) / \(rows.count)", .faint)) }
    for (place, option) in rows.enumerated().dropFirst(start).prefix(limit) {
      let isChosen = chosen.contains(option.value)
      let box = isMany ? (isChosen ? "[x]" : "[ ]") : isChosen ? "(•)" : "( )"
      let help = option.help.map { "  \($0)" } ?? ""
      if place == row { screen.show() }
      screen.line(
        ("\(place == row ? "›" : " ") \(box) \(place + 1) ", .plain),
        (option.title, place == row ? .chosen : .plain), (help, .faint))
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
  /// The title, the message and what to decide on, which stand above the fields.
  package func heading(columns: Int) -> Screen {
    var screen = Screen(columns: columns)
    screen.paragraph(title, .strong)
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
    case .code(let code, _): screen.paragraph(code, indent: "  ")
    case .diff(let diff):
      for line in (diff.hasSuffix("\n") ? diff.dropLast() : diff[...]).split(
        separator: "\n", omittingEmptySubsequences: false)
      {
        screen.paragraph(String(line), line.hasPrefix("+") ? .strong : line.hasPrefix("-") ? .error : .plain)
      }
    case .table(let columns, let rows):
      let all = ([columns] + rows).map { $0.map(Screen.shown) }
      let widths = columns.indices.map { column in all.map { Columns.count($0[column]) }.max() ?? 0 }
      for (index, row) in all.enumerated() {
        let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - Columns.count($0)) }
        screen.paragraph(cells.joined(separator: "  "), index == 0 ? .strong : .plain)
      }
    case .link(let url, let title): screen.paragraph(title.map { "\($0): \(url)" } ?? url)
    case .image(_, let alt): screen.paragraph("▣ \(alt)")
    }
  }
}

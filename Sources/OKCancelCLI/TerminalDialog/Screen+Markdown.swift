internal import Prompts

extension Screen {
  /// Adds Markdown: blocks with an empty line between them, in which marks stand for lists and quotes.
  mutating func markdown(_ markdown: Markdown) {
    var drawing = MarkdownDrawing(screen: self)
    for piece in markdown.pieces { drawing.take(piece) }
    self = drawing.screen
  }
}

private struct MarkdownDrawing {
  var screen: Screen
  /// What stands before a line, for each quote and item that is open: before its first, and before the others.
  private var indents: [(first: String, rest: String)] = []
  /// The numbers of the next items of lists that are open, or `nil` for a list without numbers.
  private var numbers: [Int?] = []
  private var spans: [(text: String, style: Screen.Style)] = []
  private var rows: [[String]] = []
  private var level = 0, emphasis = 0, isInLines = false, isFirst = true

  init(screen: Screen) { self.screen = screen }

  mutating func take(_ piece: Markdown.Piece) {
    switch piece {
    case .begin(let element):
      begin(element)
      level += 1
    case .end(let element):
      level -= 1
      end(element)
    case .text(let text) where isInLines:
      // Written out before it is cut into lines, so that a gap of many lines is one.
      let text = (text.hasSuffix("\n") ? String(text.dropLast()) : text).revealed
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        screen.paragraph(String(line), indent: indent() + "  ")
      }
    case .text(let text):
      spans.append((text.replacing("\n", with: " "), emphasis > 0 ? .strong : .plain))
    case .address(let address): spans.append((" (\(address))", .faint))
    case .lineBreak: flush()
    case .rule:
      space()
      screen.paragraph("───", .faint, indent: indent())
    }
  }

  private mutating func begin(_ element: Markdown.Element) {
    space()
    switch element {
    case .quote: indents.append(("│ ", "│ "))
    case .list(let start): numbers.append(start)
    case .item:
      let number = numbers.last ?? nil
      if let number { numbers[numbers.count - 1] = number + 1 }
      let mark = number.map { "\($0). " } ?? "• "
      indents.append((mark, String(repeating: " ", count: mark.count)))
    case .heading, .strong, .emphasis: emphasis += 1
    case .codeSpan: spans.append(("`", .plain))
    case .code(let language):
      isInLines = true
      if let language { screen.paragraph(language, .faint, indent: indent() + "  ") }
    case .header, .row: rows.append([])
    case .paragraph, .table, .cell: break
    }
  }

  private mutating func end(_ element: Markdown.Element) {
    switch element {
    case .quote: indents.removeLast()
    case .list: numbers.removeLast()
    case .item:
      // Without anything in it, its mark is still to come.
      if indents.last?.first != indents.last?.rest { flush() }
      indents.removeLast()
    case .strong, .emphasis: emphasis -= 1
    case .paragraph: flush()
    case .heading:
      flush()
      emphasis -= 1
    case .codeSpan: spans.append(("`", .plain))
    case .code: isInLines = false
    case .cell:
      rows[rows.count - 1].append(spans.map(\.text).joined())
      spans = []
    case .table:
      screen.table(rows, first: indent(), rest: indent())
      rows = []
    case .header, .row: break
    }
  }

  /// An empty line between blocks.
  private mutating func space() {
    guard level == 0 else { return }
    if !isFirst { screen.line(("", .plain)) }
    isFirst = false
  }

  /// Adds a line of what has come.
  private mutating func flush() {
    let first = indent()
    screen.flow(spans, first: first, rest: indent())
    spans = []
  }

  /// What stands before the next line.
  private mutating func indent() -> String {
    defer { for index in indents.indices { indents[index].first = indents[index].rest } }
    return indents.map(\.first).joined()
  }
}

internal import CMarkGFM

/// A text in Markdown (CommonMark with tables) as pages and terminals draw it: HTML and pictures as their source, links
/// as their text and their address.
package struct Markdown: Sendable {
  /// What encloses other pieces.
  package enum Element: Hashable, Sendable {
    case paragraph, heading(level: Int), quote, list(start: Int?), item, strong, emphasis, codeSpan
    /// Lines as they are. The language is all that stands beside the fence, or `nil`.
    case code(language: String?)
    case table, header, row, cell(isHeading: Bool)
  }

  package enum Piece: Hashable, Sendable {
    case begin(Element), end(Element)
    case text(String), lineBreak, rule
    /// The whole address of a link and its title, if it has one, after its text.
    case address(String)
  }

  package let pieces: [Piece]

  /// - Returns: `nil` if the text should be shown as it is: something in it would not be seen, like the definition of a
  ///   link that nothing refers to, or it would take long to read or to draw.
  package init?(_ text: String) {
    guard Self.isCheap(text), let parser = cmark_parser_new(CMARK_OPT_DEFAULT) else { return nil }
    defer { cmark_parser_free(parser) }
    cmark_parser_attach_syntax_extension(parser, Self.table)
    cmark_parser_feed(parser, text, text.utf8.count)
    let document = cmark_parser_finish(parser)
    defer { cmark_node_free(document) }
    cmark_consolidate_text_nodes(document)
    let nodes = cmark_iter_new(document)
    defer { cmark_iter_free(nodes) }
    var reader = MarkdownReader(text)
    while case let event = cmark_iter_next(nodes), event != CMARK_EVENT_DONE {
      guard let node = cmark_iter_get_node(nodes), reader.take(node, isEntered: event == CMARK_EVENT_ENTER) else {
        return nil
      }
    }
    guard reader.isAtEnd else { return nil }
    pieces = reader.pieces
  }

  /// The library keeps its extensions in a list that is filled once.
  nonisolated(unsafe) private static let table: OpaquePointer? = {
    cmark_gfm_core_extensions_ensure_registered()
    return cmark_find_syntax_extension("table")
  }()

  // MARK: Budget

  /// The most elements within each other.
  static let mostLevels = 32
  /// The most bytes of white space and of marks of quotes and lists in front of a line.
  private static let mostIndent = 100
  /// The most columns of a table, and cells of all tables together, with those that a row lacks.
  private static let mostColumns = 64, mostCells = 8192
  /// The most lines that could make a table of the lines before them, which then are read again; and the most brackets
  /// that could begin a link, each of which may be looked for again from each of the others.
  private static let mostDelimiters = 40, mostBrackets = 1000

  /// True unless cmark-gfm could take much longer than for other texts of that size, or find much more: in each blank
  /// line it visits every list and quote that is open, and a row of one byte gets a cell for every column.
  private static func isCheap(_ text: String) -> Bool {
    var columns = 1, delimiters = 0, brackets = 0
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for line in lines {
      let indent = line.prefix { " \t>-+*.)0123456789".utf8.contains($0) }, rest = line[indent.endIndex...]
      // Other control characters are white space in some places only.
      guard indent.count <= mostIndent, line.allSatisfy({ $0 >= 0x20 || $0 == 0x09 }) else { return false }
      brackets += line.count { $0 == UInt8(ascii: "[") }
      columns = max(columns, line.count { $0 == UInt8(ascii: "|") } + 1)
      if !rest.isEmpty, rest.allSatisfy("|:- \t".utf8.contains) { delimiters += 1 }
    }
    return columns <= mostColumns && columns * lines.count <= mostCells && delimiters <= mostDelimiters
      && brackets <= mostBrackets
  }
}

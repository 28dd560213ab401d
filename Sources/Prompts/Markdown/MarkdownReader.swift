internal import CMarkGFM

/// Goes through a text in Markdown beside the tree that cmark-gfm made of it, and passes over nothing but white space and
/// the marks of the element that begins or ends. So whatever else would not be seen ends it: a link's definition, a cell
/// too many, the name of a character.
struct MarkdownReader {
  private(set) var pieces: [Markdown.Piece] = []
  private let source: [UInt8]
  private var place = 0
  /// Elements that are open, quotes among them, and elements that have begun since something could be seen.
  private var level = 0, quotes = 0, emptiness = 0
  /// The marks of quotes that may still stand before the rest of this line.
  private var quoteMarks = Int.max
  private var isInLines = false, isInTable = false, isInHeader = false, isUnderlined = false, isAutolink = false
  /// Pictures that are open, and the place where the first of them begins.
  private var pictures = 0, picture = 0

  init(_ text: String) { source = Array(text.utf8) }

  /// True if nothing is left, and something can be seen.
  var isAtEnd: Bool {
    mutating get {
      skipSpace()
      return place == source.count && pieces.contains { $0 == .rule || $0.isText }
    }
  }

  // MARK: Nodes

  /// Takes what the tree has next.
  ///
  /// - Returns: false if it is not what the text has next.
  mutating func take(_ node: OpaquePointer, isEntered: Bool) -> Bool {
    let literal = String(ofLibrary: cmark_node_get_literal(node))
    switch cmark_node_get_type(node) {
    case CMARK_NODE_DOCUMENT: return true
    case CMARK_NODE_BLOCK_QUOTE:
      quotes += isEntered ? 1 : -1
      if isEntered { pass(">") }
      return add(.quote, isEntered)
    case CMARK_NODE_LIST:
      let isOrdered = cmark_node_get_list_type(node) == CMARK_ORDERED_LIST
      return add(.list(start: isOrdered ? Int(cmark_node_get_list_start(node)) : nil), isEntered)
    case CMARK_NODE_ITEM:
      guard isEntered else { return add(.item, false) }
      let digits = pass("0123456789", atMost: 9)
      return pass(digits > 0 ? ".)" : "-+*") == 1 && add(.item, true)
    case CMARK_NODE_PARAGRAPH: return add(.paragraph, isEntered)
    case CMARK_NODE_HEADING:
      if isEntered {
        isUnderlined = pass("#", atMost: 6) == 0
      } else if isUnderlined {
        guard pass("=-", atMost: .max) > 0 else { return false }
      } else {
        pass("#", atMost: .max, inLine: true)
      }
      return add(.heading(level: Int(cmark_node_get_heading_level(node))), isEntered)
    case CMARK_NODE_THEMATIC_BREAK: return pass("*-_", atMost: .max) > 0 && passLine("*-_") && add(.rule)
    case CMARK_NODE_CODE_BLOCK: return takeCode(node, literal)
    case CMARK_NODE_HTML_BLOCK: return match(lines: literal) && add(literal, in: .code(language: nil))
    case CMARK_NODE_TEXT: return match(literal, hasEscapes: true) && add(.text(literal))
    case CMARK_NODE_SOFTBREAK: return add(.text(" "))
    case CMARK_NODE_LINEBREAK:
      pass("\\", inLine: true)
      return add(.lineBreak)
    case CMARK_NODE_CODE:
      let marks = pass("`", atMost: .max)
      return marks > 0 && match(literal) && pass("`", atMost: marks) == marks && add(literal, in: .codeSpan)
    case CMARK_NODE_HTML_INLINE: return match(literal) && add(.text(literal))
    case CMARK_NODE_EMPH: return pass("*_") == 1 && add(.emphasis, isEntered)
    case CMARK_NODE_STRONG: return pass("*_", atMost: 2) == 2 && add(.strong, isEntered)
    case CMARK_NODE_LINK: return takeLink(node, isEntered)
    case CMARK_NODE_IMAGE: return takeImage(node, isEntered)
    default: return takeTable(node, isEntered)
    }
  }

  private mutating func takeCode(_ node: OpaquePointer, _ lines: String) -> Bool {
    var length: Int32 = 0, offset: Int32 = 0, mark: CChar = 0
    guard cmark_node_get_fenced(node, &length, &offset, &mark) != 0 else {
      return match(lines: lines) && add(lines, in: .code(language: nil))
    }
    let fence = mark == CChar(bitPattern: UInt8(ascii: "~")) ? "~" : "`"
    let language = String(ofLibrary: cmark_node_get_fence_info(node))
    guard pass(fence, atMost: .max) >= 3, match(language, hasEscapes: true), match(lines: lines) else { return false }
    // The end of the text, or of a quote, also ends it.
    pass(fence, atMost: .max)
    return add(lines, in: .code(language: language.isEmpty ? nil : language))
  }

  private mutating func takeLink(_ node: OpaquePointer, _ isEntered: Bool) -> Bool {
    if isEntered {
      isAutolink = pass("<") == 1
      return isAutolink || pass("[") == 1
    }
    if isAutolink { return pass(">") == 1 }
    return takeAddress(of: node).map { add(.address($0)) } ?? false
  }

  private mutating func takeImage(_ node: OpaquePointer, _ isEntered: Bool) -> Bool {
    if isEntered {
      skipSpace()
      if pictures == 0 { picture = place }
      pictures += 1
      return pass("!") == 1 && pass("[") == 1
    }
    guard takeAddress(of: node) != nil else { return false }
    pictures -= 1
    return add(.text(String(decoding: source[picture..<place], as: UTF8.self)))
  }

  /// Takes what stands behind the text of a link or picture.
  private mutating func takeAddress(of node: OpaquePointer) -> String? {
    let url = String(ofLibrary: cmark_node_get_url(node))
    let title = String(ofLibrary: cmark_node_get_title(node))
    guard pass("]") == 1, pass("(") == 1 else { return nil }
    let isEnclosed = pass("<") == 1
    guard match(url, hasEscapes: true), !isEnclosed || pass(">") == 1 else { return nil }
    if title.isEmpty { return pass(")") == 1 ? url : nil }
    guard pass("\"'(") == 1, match(title, hasEscapes: true), pass("\"')") == 1, pass(")") == 1 else { return nil }
    return "\(url) \"\(title)\""
  }

  private mutating func takeTable(_ node: OpaquePointer, _ isEntered: Bool) -> Bool {
    switch String(ofLibrary: cmark_node_get_type_string(node)) {
    case "table":
      isInTable = isEntered
      return add(.table, isEntered)
    case "table_cell":
      // A row may lack cells.
      if isEntered { pass("|", inLine: true) }
      return add(.cell(isHeading: isInHeader), isEntered)
    case let row where row == "table_header" || row == "table_row":
      let isHeader = row == "table_header"
      if isEntered { skipSpace() } else { pass("|", inLine: true) }
      isInHeader = isHeader && isEntered
      if isHeader, !isEntered {
        guard pass("|:-", atMost: .max) > 0, passLine("|:-") else { return false }
      }
      return add(isHeader ? .header : .row, isEntered)
    default: return false
    }
  }

  // MARK: Pieces

  private mutating func add(_ piece: Markdown.Piece) -> Bool {
    guard pictures == 0 else { return true }
    // What is empty could push the rest out of sight.
    switch piece {
    case .begin(.cell), .end: break
    case .begin: emptiness += 1
    case .lineBreak: guard pieces.last != .lineBreak else { return false }
    case .text, .address, .rule: emptiness = 0
    }
    pieces.append(piece)
    return emptiness <= Markdown.mostLevels
  }

  private mutating func add(_ element: Markdown.Element, _ isEntered: Bool) -> Bool {
    level += isEntered ? 1 : -1
    return level <= Markdown.mostLevels && add(isEntered ? .begin(element) : .end(element))
  }

  private mutating func add(_ text: String, in element: Markdown.Element) -> Bool {
    add(.begin(element)) && add(.text(text)) && add(.end(element))
  }

  // MARK: Text

  /// Passes over a text that may have white space elsewhere.
  ///
  /// - Parameter hasEscapes: whether a backslash before a mark is one itself.
  private mutating func match(_ text: String, hasEscapes: Bool = false) -> Bool {
    for byte in text.utf8 where !Self.isSpace(byte) {
      skipSpace()
      if place + 1 < source.count, source[place] == UInt8(ascii: "\\"),
        hasEscapes ? Self.isMark(source[place + 1]) : isInTable && source[place + 1] == UInt8(ascii: "|")
      {
        place += 1
      }
      guard place < source.count, source[place] == byte else { return false }
      (place, quoteMarks) = (place + 1, 0)
    }
    return true
  }

  /// Passes over lines that stay as they are, where `>` is a mark only for the quotes that they are in.
  private mutating func match(lines: String) -> Bool {
    isInLines = true
    defer { isInLines = false }
    return match(lines)
  }

  /// Passes over one of these marks, or more.
  ///
  /// - Parameter inLine: false to look in the lines that follow too.
  @discardableResult
  private mutating func pass(_ marks: String, atMost limit: Int = 1, inLine: Bool = false) -> Int {
    if inLine {
      place = source[place...].firstIndex { $0 != 0x20 && $0 != 0x09 } ?? source.count
    } else {
      skipSpace()
    }
    let count = source[place...].prefix(limit).prefix(while: marks.utf8.contains).count
    if count > 0 { (place, quoteMarks) = (place + count, 0) }
    return count
  }

  /// Passes over the rest of a line that has nothing but these marks.
  private mutating func passLine(_ marks: String) -> Bool {
    while pass(marks, atMost: .max, inLine: true) > 0 {}
    return place == source.count || source[place] == UInt8(ascii: "\n")
  }

  private mutating func skipSpace() {
    while place < source.count {
      if source[place] == UInt8(ascii: "\n") {
        quoteMarks = isInLines ? quotes : .max
      } else if source[place] == UInt8(ascii: ">"), quoteMarks > 0 {
        quoteMarks -= 1
      } else if !Self.isSpace(source[place]) {
        return
      }
      place += 1
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 }

  /// True for what ASCII calls punctuation.
  private static func isMark(_ byte: UInt8) -> Bool {
    (0x21...0x2F).contains(byte) || (0x3A...0x40).contains(byte) || (0x5B...0x60).contains(byte)
      || (0x7B...0x7E).contains(byte)
  }
}

extension Markdown.Piece {
  fileprivate var isText: Bool {
    switch self {
    case .text, .address: true
    default: false
    }
  }
}

extension String {
  /// What the library has, which may be nothing.
  fileprivate init(ofLibrary text: UnsafePointer<CChar>?) { self = text.map { String(cString: $0) } ?? "" }
}

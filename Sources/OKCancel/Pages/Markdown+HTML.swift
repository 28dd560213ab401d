internal import Prompts

extension Markdown {
  /// As HTML, of which every tag is written here.
  ///
  /// - Parameter index: the number of the block, which the ids of its tables have.
  func html(at index: Int) -> String {
    var html = "", level = 0, tables = 0
    for piece in pieces {
      switch piece {
      case .begin(let element):
        if element == .table { tables += 1 }
        html += element.opening(isOutermost: level == 0, id: "columns-\(index)-\(tables)")
        level += 1
      case .end(let element):
        level -= 1
        html += element.closing
      case .text(let text): html += Self.escaped(text)
      case .address(let address): html += " <span class=\"host\" dir=\"ltr\">(\(Self.escaped(address)))</span>"
      case .lineBreak: html += "<br>"
      case .rule: html += "<hr>"
      }
    }
    return html
  }

  fileprivate static func escaped(_ text: String) -> String { HTMLContent().escapeText(text.revealed) }
}

extension Markdown.Element {
  /// - Parameters:
  ///   - isOutermost: true if it decides on the direction of what is in it.
  ///   - id: that of a table's columns.
  fileprivate func opening(isOutermost: Bool, id: String) -> String {
    let direction = isOutermost ? " dir=\"auto\"" : ""
    switch self {
    case .list(let start?): return "<ol start=\"\(start)\"\(direction)>"
    case .code(let language):
      let attribute = language.map { " data-language=\"\(Markdown.escaped($0))\"" } ?? ""
      return "<pre dir=\"ltr\"\(attribute)><code>"
    case .codeSpan: return "<code dir=\"ltr\">"
    case .table:
      return "<div class=\"table\" tabindex=\"0\" role=\"group\" aria-labelledby=\"\(id)\"><table>"
    case .header: return "<thead id=\"\(id)\"><tr>"
    case .cell(let isHeading): return isHeading ? "<th scope=\"col\" dir=\"auto\">" : "<td dir=\"auto\">"
    case .row: return "<tr>"
    default: return "<\(name)\(direction)>"
    }
  }

  fileprivate var closing: String {
    switch self {
    case .code: "</code></pre>"
    case .table: "</table></div>"
    case .header: "</tr></thead>"
    default: "</\(name)>"
    }
  }

  private var name: String {
    switch self {
    case .paragraph: "p"
    // The first level is the dialog's title.
    case .heading(let level): "h\(min(level + 1, 6))"
    case .quote: "blockquote"
    case .list(let start): start == nil ? "ul" : "ol"
    case .item: "li"
    case .strong: "strong"
    case .emphasis: "em"
    case .code, .codeSpan: "code"
    case .table: "table"
    case .header: "thead"
    case .row: "tr"
    case .cell(let isHeading): isHeading ? "th" : "td"
    }
  }
}

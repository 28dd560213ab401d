internal import Prompts

extension Prompt.Context {
  /// What `context.mustache` draws.
  var values: TemplateValues {
    var values = TemplateValues()
    switch self {
    case .text(let text):
      values.set("isText", true)
      values["content"] = text
    case .code(let code, let language):
      values.set("isCode", true)
      values["content"] = Self.visible(code)
      values.set("hasLanguage", language != nil)
      values["language"] = language
    case .diff(let diff):
      values.set("isDiff", true)
      let text = diff.hasSuffix("\n") ? diff.dropLast() : diff[...]
      values.set(
        "lines", Self.visible(String(text)).split(separator: "\n", omittingEmptySubsequences: false).map(Self.line))
    case .table(let columns, let rows):
      values.set("isTable", true)
      values.set("columns", columns)
      values.set(
        "rows",
        rows.map { cells in
          var row = TemplateValues()
          row.set("cells", cells)
          return row
        })
    case .link(let url, let title):
      values.set("isLink", true)
      values["url"] = url
      values["content"] = Self.visible(title ?? url)
      values["host"] = Self.host(of: url)
    }
    return values
  }

  private static func line(_ text: Substring) -> TemplateValues {
    var values = TemplateValues()
    // Headers of files begin with three.
    let isHeader = text.hasPrefix("+++") || text.hasPrefix("---")
    let (isAdded, isRemoved) = (!isHeader && text.hasPrefix("+"), !isHeader && text.hasPrefix("-"))
    values["line"] = text + "\n"
    values.set("isAdded", isAdded)
    values.set("isRemoved", isRemoved)
    values.set("isSame", !isAdded && !isRemoved)
    return values
  }

  /// Shows what would make a text look like another one: marks that turn the direction of what follows.
  private static func visible(_ text: String) -> String {
    let isMark = { (scalar: Unicode.Scalar) in
      (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }
    guard text.unicodeScalars.contains(where: isMark) else { return text }
    return text.unicodeScalars.map { scalar in
      isMark(scalar) ? "⟨U+\(String(scalar.value, radix: 16, uppercase: true))⟩" : String(scalar)
    }.joined()
  }

  /// Where a link leads, whatever its title says. It has no user's name: `Rule.url` takes none.
  private static func host(of url: String) -> String {
    let rest = url.unicodeScalars.drop { $0 != "/" }.drop { $0 == "/" }
    return String(String.UnicodeScalarView(rest.prefix { !"/?#".unicodeScalars.contains($0) }))
  }
}

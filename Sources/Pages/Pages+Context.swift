internal import Prompts

extension Prompt.Context {
  /// What `context.mustache` draws.
  var values: TemplateValues {
    switch self {
    case .text(let text): return ["isText": true, "content": text]
    case .code(let code, let language):
      return ["isCode": true, "content": Self.visible(code), "hasLanguage": language != nil, "language": language]
    case .diff(let diff):
      let text = Self.visible(diff.hasSuffix("\n") ? String(diff.dropLast()) : diff)
      return ["isDiff": true, "lines": text.split(separator: "\n", omittingEmptySubsequences: false).map(Self.line)]
    case .table(let columns, let rows):
      return ["isTable": true, "columns": columns, "rows": rows.map { ["cells": $0] as TemplateValues }]
    case .link(let url, let title):
      return ["isLink": true, "url": url, "content": Self.visible(title ?? url), "host": Self.host(of: url)]
    }
  }

  private static func line(_ text: Substring) -> TemplateValues {
    // Headers of files begin with three.
    let mark = text.hasPrefix("+++") || text.hasPrefix("---") ? nil : text.first
    return [
      "line": text + "\n", "isAdded": mark == "+", "isRemoved": mark == "-", "isSame": mark != "+" && mark != "-",
    ]
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

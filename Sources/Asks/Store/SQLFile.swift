internal import Prompts

/// The sections of an SQL file inside the executable, below headings such as `-- statement: close`.
struct SQLFile: Sendable {
  private let name: String
  private var sections: [String: String]

  init(_ name: String) {
    self.name = name
    sections = EmbeddedFiles.sections(of: "Sources/Asks/Store/\(name)", comment: "--")
    sections = sections.mapValues(completed)
  }

  /// SQL with what stands for `{part}`, `{columns of table}` and `{values of table}`.
  private func completed(_ sql: String) -> String {
    sql.replacing(each: "{") { rest in
      guard let end = rest.firstIndex(of: "}") else { return nil }
      let words = rest[..<end].parts(between: " of ").map(String.init)
      return (words.count == 1 ? completed(self["part: \(words[0])"]) : Self.list(words[0], of: words[1]))
        + rest[end...].dropFirst()
    }
  }

  private static func list(_ what: String, of table: String) -> String {
    if table == "terms" { return AskTerms().columns.pairs.map(\.0).sorted().joined(separator: ", ") }
    let found = table == "new asks" ? StoreTable.newAsks : StoreTable.all.first { $0.name == table }
    return (what == "columns" ? found?.listed : found?.values) ?? ""
  }

  subscript(heading: String) -> String {
    guard let section = find(heading) else { preconditionFailure("\(name) has no “\(heading)”") }
    return section
  }

  func find(_ heading: String) -> String? { sections[heading] }
}

/// SQL with a `;` at the end of a line between its statements.
func statements(in sql: String) -> [String] { sql.parts(between: ";\n").map(String.init) }

extension String {
  /// Replaces each `mark` with the text from there to the next one.
  ///
  /// - Parameter replacement: what replaces the mark and the text after it, which it gets; `nil` leaves them.
  func replacing(each mark: String, with replacement: (Substring) -> String?) -> String {
    let parts = parts(between: mark)
    return parts.dropFirst().reduce(into: String(parts[0])) { $0 += replacement($1) ?? "\(mark)\($1)" }
  }
}

internal import Base

/// The sections of an SQL file inside the executable, below headings such as `-- statement: close`.
struct SQLFile: Sendable {
  private let name: String
  private var sections: [String: String]

  init(_ name: String) {
    self.name = name
    sections = EmbeddedFiles.sections(of: "Sources/Asks/Store/\(name)", comment: "--")
    let (part, list) = (#/\{(\w+)\}/#, #/\{(columns|values) of (\w+)\}/#)
    sections = sections.mapValues { section in
      section.replacing(part) { self["part: \($0.1)"] }
        .replacing(list) { found in
          if found.2 == "terms" { return AskTerms().columns.keys.sorted().joined(separator: ", ") }
          let table = StoreTable(String(found.2))
          return found.1 == "columns" ? table.listed : table.values
        }
    }
  }

  subscript(heading: String) -> String {
    guard let section = find(heading) else { preconditionFailure("\(name) has no “\(heading)”") }
    return section
  }

  func find(_ heading: String) -> String? { sections[heading] }
}

/// SQL with a `;` at the end of a line between its statements.
func statements(in sql: String) -> [String] { sql.split(separator: ";\n").map(String.init) }

/// Translates SQL from PostgreSQL to SQLite: removes the types of placeholders, changes the types of columns, and
/// removes the locking clauses that only a database with several writers needs.
func inSQLite(_ sql: String) -> String {
  let types = [
    ("bigint PRIMARY KEY", "INTEGER PRIMARY KEY AUTOINCREMENT"), (#"text COLLATE "C""#, "TEXT"), ("bytea", "BLOB"),
    ("bigint", "INTEGER"), ("boolean", "INTEGER"),
  ]
  let plain = sql.replacing(#/\$(\d+)(?:::\w+)?/#) { "?\($0.1)" }
    .replacing(#/= ANY \(ARRAY\(([^()]+)\)\)/#) { "IN (\($0.1))" }
    .replacing(#/ FOR UPDATE(?: SKIP LOCKED)?/#, with: "")
  return types.reduce(plain) { $0.replacing($1.0, with: $1.1) }
}

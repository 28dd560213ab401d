internal import Prompts

/// Every statement that a running server sends: see `statements.sql`.
enum StoreStatement: String, CaseIterable, Sendable {
  case create, releaseKey, askByID, askByLink, askByKey, place, openAsks, closedAsks, openAsksOfPrompt,
    closedAsksOfPrompt, close, due
  case append, answers, answerByReceipt, answerByKey
  case receivers, claim, settleCallback, nextCallback, statistics, tryWrite, purgeAsks, purgeAnswers
  /// Only several servers of one PostgreSQL need these.
  case endings, changes, notify, offer, leave

  private static let file = SQLFile("statements.sql")
  private static let allSQL = Dictionary(uniqueKeysWithValues: allCases.map { ($0, file["statement: \($0)"]) })
  private static let allSQLite = Dictionary(
    uniqueKeysWithValues: allCases.map { statement in
      (statement, statements(in: inSQLite(file.find("SQLite: \(statement)") ?? statement.sql)))
    })

  var sql: String { Self.allSQL[self] ?? "" }

  /// What SQLite runs, one after the other; the rows of all are the result.
  var sqlite: [String] { Self.allSQLite[self] ?? [] }
}

/// A table that SQLite and PostgreSQL both have: see `schema.sql`.
struct StoreTable: Sendable {
  let name: String
  /// Makes the table if it is not there.
  let sql: String
  /// Each with all that `CREATE TABLE` says of it; the first is the key.
  let columns: [(name: String, definition: String)]

  private static let file = SQLFile("schema.sql")

  /// In the order to fill them: asks come before the rows that refer to them.
  static let all = [asks, answers, StoreTable("callbacks")]
  static let (asks, answers) = (StoreTable("asks"), StoreTable("answers"))

  static let indexes = statements(in: file["section: indexes"])

  /// What only SQLite needs, and only PostgreSQL.
  static let (sqlite, nodes) = (file["section: SQLite"], file["section: nodes"])

  /// Numbers the asks of an earlier version.
  static let numbering = file["section: numbering"]

  /// Finds tables of another program in a PostgreSQL database.
  static let selectForeign = file["section: foreign"]

  private init(_ name: String) {
    self.name = name
    sql = Self.file["table: \(name)"]
    columns = sql.matches(of: #/\n  (([a-z_]+) .+?)(?=,?\n)/#).map { (String($0.2), String($0.1)) }
  }

  var key: String { columns[0].name }
}

/// The sections of an SQL file that is inside the executable: what stands below a heading such as `-- statement: close`,
/// without comments.
private struct SQLFile: Sendable {
  private let name: String
  private var sections: [String: String] = [:]

  init(_ name: String) {
    self.name = name
    var heading = ""
    for line in EmbeddedFiles.text(of: "Asks/\(name)").split(separator: "\n") {
      if let found = line.wholeMatch(of: #/-- (\w+: \w+)/#) {
        heading = String(found.1)
      } else if !line.hasPrefix("--") {
        sections[heading] = sections[heading].map { $0 + "\n" + line } ?? String(line)
      }
    }
    sections = sections.mapValues { $0.replacing(#/\{(\w+)\}/#) { self["part: \($0.1)"] } }
  }

  subscript(heading: String) -> String {
    guard let section = find(heading) else { preconditionFailure("\(name) has no “\(heading)”") }
    return section
  }

  func find(_ heading: String) -> String? { sections[heading] }
}

/// SQL with a `;` at the end of a line between its statements.
private func statements(in sql: String) -> [String] { sql.split(separator: ";\n").map(String.init) }

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

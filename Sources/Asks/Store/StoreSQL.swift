internal import Base
internal import Foundation

/// Every statement that a running server sends: see `statements.sql`.
enum StoreStatement: CaseIterable, Sendable {
  case create, createApart, releaseKey, asksOfAgent, endCall, askByID, askByLink, askByKey, place, openAsks, closedAsks,
    openAsksOfPrompt,
    closedAsksOfPrompt, openAsksOfAsker, closedAsksOfAsker, close, closeApart, change, due
  case append, answers, answerByReceipt, answerByKey
  case receivers, claim, claimNotices, sentNotices, settleCallback, settleNotice, nextDelivery, statistics, tryWrite,
    purgeAsks, purgeAnswers
  /// Only several servers of one PostgreSQL need these.
  case lock, endings, changes, notify, offer, leave

  private static let file = SQLFile("statements.sql")
  private static let forms = Dictionary(uniqueKeysWithValues: allCases.map { ($0, Form($0)) })

  private struct Form {
    var (sql, sqlite, parameters): (String, [String], [String]) = ("", [], [])

    init(_ statement: StoreStatement) {
      sql = numbered(file["statement: \(statement)"])
      sqlite = statements(in: inSQLite(file.find("SQLite: \(statement)").map { numbered($0) } ?? sql))
    }

    /// A statement with `$1` in the place of the first name and of every other that is the same. Those of the other
    /// dialect have the same numbers.
    private mutating func numbered(_ sql: String) -> String {
      sql.replacing(#/::\w+|:([a-z_]+)/#) { found in
        guard let name = found.1.map(String.init) else { return String(found.0) }
        let place = parameters.firstIndex(of: name) ?? parameters.count
        if place == parameters.count { parameters.append(name) }
        return "$\(place + 1)"
      }
    }
  }

  var sql: String { Self.forms[self]?.sql ?? "" }

  /// The statements that SQLite runs, one after the other; the rows of all are the result.
  var sqlite: [String] { Self.forms[self]?.sqlite ?? [] }

  /// The names of the values that it takes, in the order of their numbers.
  var parameters: [String] { Self.forms[self]?.parameters ?? [] }
}

/// A table that SQLite and PostgreSQL both have: see `schema.sql`.
struct StoreTable: Sendable {
  let name: String
  /// Makes the table if it is not there.
  let sql: String
  /// Each with all that `CREATE TABLE` says of it.
  let columns: [(name: String, definition: String)]
  /// The columns of its key.
  let key: [String]

  private static let file = SQLFile("schema.sql")

  /// In the order to fill them: asks come before the rows that refer to them.
  static let all = [asks, answers, StoreTable("deliveries"), StoreTable("turns"), StoreTable("pairs")]
  static let (asks, answers) = (StoreTable("asks"), StoreTable("answers"))

  static let indexes = statements(in: file["section: indexes"])

  /// The SQL that only SQLite needs, and that only PostgreSQL needs.
  static let (sqlite, nodes) = (file["section: SQLite"], file["section: nodes"])

  /// Numbers the asks of an earlier version.
  static let numbering = file["section: numbering"]

  /// Moves the callbacks of an earlier version, and lets its nodes go on.
  static let (callbacks, view) = (file["section: callbacks"], file["section: view"])

  /// Finds tables of another program in a PostgreSQL database.
  static let selectForeign = file["section: foreign"]

  fileprivate init(_ name: String) { self.init(name, Self.file["table: \(name)"]) }

  init(_ name: String, _ sql: String) {
    self.name = name
    self.sql = sql
    columns = sql.matches(of: #/\n  (([a-z_]+) .+?)(?=,?\n)/#).map { (String($0.2), String($0.1)) }
    let several = sql.firstMatch(of: #/\n  PRIMARY KEY \((.+?)\)/#)?.1.components(separatedBy: ", ")
    key = several ?? columns.filter { $0.definition.contains("PRIMARY KEY") }.map(\.name)
  }

  /// In lists of SQL: every column except `position`, which the store counts by itself.
  fileprivate var listed: String { given.map(\.name).joined(separator: ", ") }

  /// The values that a call gives these, with their types.
  fileprivate var values: String {
    given.map { ":\($0.name)::\($0.definition.split(separator: " ")[1])" }.joined(separator: ", ")
  }

  private var given: [(name: String, definition: String)] { columns.filter { $0.name != "position" } }
}

/// The sections of an SQL file inside the executable, below headings such as `-- statement: close`.
private struct SQLFile: Sendable {
  private let name: String
  private var sections: [String: String]

  init(_ name: String) {
    self.name = name
    sections = EmbeddedFiles.sections(of: "Sources/Asks/Store/\(name)", comment: "--")
    sections = sections.mapValues { section in
      section.replacing(#/\{(\w+)\}/#) { self["part: \($0.1)"] }
        .replacing(#/\{(columns|values) of (\w+)\}/#) { found in
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

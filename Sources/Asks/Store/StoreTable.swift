internal import Foundation

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

  init(_ name: String) { self.init(name, Self.file["table: \(name)"]) }

  init(_ name: String, _ sql: String) {
    self.name = name
    self.sql = sql
    // Without the indent and the comma.
    let lines = sql.components(separatedBy: "\n").filter { $0.hasPrefix("  ") }
      .map { line in String(line.dropFirst(2).prefix(line.hasSuffix(",") ? line.count - 3 : line.count)) }
    columns = lines.compactMap { line in
      let name = line.prefix { $0 == "_" || $0.isLowercase }
      return name.isEmpty ? nil : (String(name), line)
    }
    let start = "PRIMARY KEY ("
    let several = lines.first { $0.hasPrefix(start) }?.dropFirst(start.count).dropLast().components(separatedBy: ", ")
    key = several ?? columns.filter { $0.definition.contains("PRIMARY KEY") }.map(\.name)
  }

  /// In lists of SQL: every column except `position`, which the store counts by itself.
  var listed: String { given.map(\.name).joined(separator: ", ") }

  /// The values that a call gives these, with their types.
  var values: String {
    given.map { ":\($0.name)::\($0.definition.split(separator: " ")[1])" }.joined(separator: ", ")
  }

  private var given: [(name: String, definition: String)] { columns.filter { $0.name != "position" } }

  /// The columns of its key, as SQL lists them.
  var keys: String { key.joined(separator: ", ") }
}

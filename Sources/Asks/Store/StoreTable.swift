internal import Foundation
internal import Prompts

/// A table that SQLite and PostgreSQL both have: see `schema.sql`.
struct StoreTable: Sendable {
  struct Column {
    let name: String
    let type: ColumnType
    /// All that follows the type, with the space before it.
    let constraints: String
  }

  let name: String
  private(set) var columns: [Column]
  /// Those of the table as a whole.
  let constraints: [String]
  /// The columns of its key.
  let key: [String]

  private static let file = SQLFile("schema.sql")

  /// In the order to fill them: asks come before the rows that refer to them.
  static let all = [asks, answers, StoreTable("deliveries"), StoreTable("turns"), StoreTable("pairs")]
  static let (asks, answers) = (StoreTable("asks"), StoreTable("answers"))

  /// `asks` without the columns that the end of an ask and its result fill.
  static let newAsks = {
    let later = [
      "outcome", "closed_at", "closed", "closed_request", "answered_by", "result", "result_at", "moved_from",
    ]
    var table = asks
    table.columns.removeAll { later.contains($0.name) }
    return table
  }()

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

  /// - Parameter lines: a column or constraint each.
  init(_ name: String, _ lines: String) {
    self.name = name
    var (columns, constraints): ([Column], [String]) = ([], [])
    for line in lines.parts(between: ",\n") {
      let words = line.split(separator: " ", maxSplits: 2)
      if words.count > 1, let type = ColumnType(rawValue: String(words[1])) {
        columns.append(
          Column(name: String(words[0]), type: type, constraints: words.dropFirst(2).map { " " + $0 }.joined()))
      } else {
        constraints.append(String(line))
      }
    }
    (self.columns, self.constraints) = (columns, constraints)
    let start = "PRIMARY KEY ("
    let several = constraints.first { $0.hasPrefix(start) }?.dropFirst(start.count).dropLast().parts(between: ", ")
    key =
      several?.map(String.init)
      ?? columns.filter { $0.type == .counter || $0.constraints.contains("PRIMARY KEY") }.map(\.name)
  }

  /// In lists of SQL: every column except `position`, which the store counts by itself.
  var listed: String { given.map(\.name).joined(separator: ", ") }

  /// The values that a call gives these, with their types.
  var values: String {
    given.map { ":\($0.name)::\($0.type.ofValues)" }.joined(separator: ", ")
  }

  private var given: [Column] { columns.filter { $0.name != "position" } }

  /// The columns of its key, as SQL lists them.
  var keys: String { key.joined(separator: ", ") }
}

@testable import Asks

extension AskStore {
  /// The open SQLite file.
  var connection: SQLiteFile {
    guard let file else { preconditionFailure("the store is in a PostgreSQL") }
    return file
  }
  var unreadLog: UnreadLog? { connection.unreadLog }
}

extension SQLite {
  /// How SQLite will find a statement's rows, step by step.
  func plan(of sql: String, _ values: [StoreValue]) throws -> [String] {
    try run("EXPLAIN QUERY PLAN " + sql, values).map { $0.text("detail") ?? "" }
  }
}

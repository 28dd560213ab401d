@testable import Asks
import CSQLite

extension AskStore {
  /// The open SQLite file.
  var connection: SQLiteFile {
    guard let file else { preconditionFailure("the store is in a PostgreSQL") }
    return file
  }
}

extension SQLiteFile {
  /// Writes as the store does, and finds nothing.
  func commit(_ body: @escaping @Sendable (SQLite) throws -> Void) async throws {
    _ = try await write { db in
      try body(db)
      return []
    }
  }
}

extension SQLite {
  /// Instructions that SQLite's machine has run for a statement since it was compiled.
  func instructions(of sql: String) -> Int {
    statements[Text(sql: sql)].map { Int(sqlite3_stmt_status($0.pointer, SQLITE_STMTSTATUS_VM_STEP, 0)) } ?? 0
  }

  /// How SQLite will find a statement's rows, step by step.
  func plan(of sql: String, _ values: [StoreValue]) throws -> [String] {
    try run("EXPLAIN QUERY PLAN " + sql, values).map { $0.text("detail") ?? "" }
  }
}

@testable import Asks

extension SQLite {
  /// The number that a statement finds.
  func count(_ sql: String) throws -> Int { try row(sql) { Int($0.integer(0)) } ?? 0 }

  /// How SQLite will find a statement's rows, step by step.
  func plan(of sql: String, _ values: [StoreValue]) throws -> [String] {
    try rows("EXPLAIN QUERY PLAN " + sql, values) { $0.text(3) ?? "" }
  }
}

@testable import Asks
import GRDB
import GRDBSQLite
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A hundred thousand callbacks that wait` {
  let directory: TemporaryDirectory
  let store: SQLiteAskStore

  init() throws {
    directory = try TemporaryDirectory()
    let path = directory.file("asks.sqlite")
    store = try SQLiteAskStore(path, secrets: .beside(path, environment: nil), waiters: Waiters())
  }

  /// Closed asks whose callbacks are due at three receivers.
  private func queue(_ count: Int) async throws {
    try await store.connection.write { db in
      try db.execute(
        sql: """
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
          INSERT INTO asks (id, link_hash, definition, initial, metadata, holds_passwords, created_at, expires_at,
            outcome, closed_at, closed)
          SELECT lower(hex(randomblob(13))), randomblob(32), x'7b7d', x'7b7d', x'7b7d', 0, 0, 1, 'cancel', 1, x'7b7d' FROM n
          """, arguments: [count])
      try db.execute(
        sql: """
          INSERT INTO callbacks (ask, url, origin, due_at)
          SELECT id, 'https://' || (rowid % 3) || '.example/', 'https://' || (rowid % 3) || '.example', rowid FROM asks
          WHERE id NOT IN (SELECT ask FROM callbacks)
          """)
    }
  }

  /// What a claim of four asks, and who wants to know the next moment.
  private static var statements: [(String, StatementArguments)] {
    [
      (SQLiteAskStore.selectReceivers, []), (SQLiteAskStore.countClaimed, ["https://1.example"]),
      (SQLiteAskStore.selectFirstLease, []), (SQLiteAskStore.selectDue, ["https://1.example", 1 << 40, 4]),
    ]
  }

  /// Instructions that SQLite's machine runs for them.
  private func steps() async throws -> Int {
    try await store.connection.read { db in
      try Self.statements.reduce(0) { sum, each in
        let statement = try db.makeStatement(sql: each.0)
        _ = try Row.fetchAll(statement, arguments: each.1)
        return sum + Int(sqlite3_stmt_status(statement.sqliteStatement, SQLITE_STMTSTATUS_VM_STEP, 0))
      }
    }
  }

  @Test func `cost a claim no more than a hundred do`() async throws {
    try await queue(100)
    let few = try await steps()
    #expect(few > 50)
    try await queue(100_000)
    #expect(try await steps() <= few)
  }

  @Test func `are found by an index, and sorted by it`() async throws {
    let plans = try await store.connection.read { db in
      try Self.statements.map {
        try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + $0, arguments: $1).map { $0["detail"] as String }
      }
    }
    for plan in plans {
      for line in plan where line.contains(" callbacks") { #expect(line.contains(" INDEX callbacks_"), "\(line)") }
    }
    #expect(plans[3].allSatisfy { !$0.contains("TEMP B-TREE") })
  }

  @Test func `go to each receiver as its limit allows, the longest overdue first`() async throws {
    // Ids of this alphabet are read as ids.
    try await queue(30)
    try await store.connection.write { db in
      for (index, row) in try db.rows("SELECT id FROM asks ORDER BY rowid").enumerated() {
        let id = AskID().description
        try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
        try db.execute(sql: "UPDATE asks SET id = ? WHERE id = ?", arguments: [id, row["id"] as String])
        try db.execute(
          sql: "UPDATE callbacks SET ask = ?, due_at = ? WHERE ask = ?", arguments: [id, index, row["id"] as String])
      }
    }
    let claimed = try await store.claimCallbacks(
      limit: 9, perOrigin: 4, limits: ["https://0.example": 0, "https://2.example": 1], lease: .seconds(60))
    #expect(
      claimed.map(\.origin) == [
        "https://1.example", "https://1.example", "https://1.example", "https://1.example", "https://2.example",
      ])
    let again = try await store.claimCallbacks(
      limit: 2, perOrigin: 5, limits: ["https://2.example": 1], lease: .seconds(60))
    #expect(again.map(\.origin) == ["https://0.example", "https://0.example"])
    #expect(try await store.statistics().waitingCallbacks == 30)
  }
}

@testable import Asks
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A hundred thousand callbacks that wait` {
  private let file: DatabaseFile
  private let store: AskStore

  init() throws {
    file = try DatabaseFile()
    store = try file.open()
  }

  /// Closed asks whose callbacks are due at three receivers.
  private func queue(_ count: Int) async throws {
    try await store.connection.commit { db in
      try db.run(
        """
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
          INSERT INTO asks (id, link_hash, definition, initial, metadata, holds_passwords, created_at, expires_at,
            outcome, closed_at, closed)
          SELECT lower(hex(randomblob(13))), randomblob(32), x'7b7d', x'7b7d', x'7b7d', 0, 0, 1, 'cancel', 1, x'7b7d' FROM n
        """, [.integer(count)])
      try db.run(
        """
          INSERT INTO deliveries (id, ask, url, origin, due_at)
          SELECT id, id, 'https://' || (rowid % 3) || '.example/', 'https://' || (rowid % 3) || '.example', rowid FROM asks
          WHERE id NOT IN (SELECT ask FROM deliveries)
        """)
    }
  }

  /// What a claim of four from a receiver runs, and who wants to know the next moment.
  private static var statements: [StoreCall] {
    let now = StoreValue.integer(1 << 40)
    return [
      StoreCall(.receivers, ["now": now]), StoreCall(.nextDelivery, [:]),
      StoreCall(
        .claim,
        [
          "origin": .text("https://1.example"), "now": now, "limit": .integer(4), "leased_until": now,
          "strikes": .integer(0), "next_at": .integer(nil), "ended": .integer(1),
        ]),
    ]
  }

  /// Instructions that SQLite's machine runs for them.
  private func steps() async throws -> Int {
    try await store.connection.read { db in
      try Self.statements.reduce(0) { sum, each in
        try each.statement.sqlite.reduce(sum) { sum, sql in
          let before = db.instructions(of: sql)
          try db.run(sql, each.values)
          return sum + db.instructions(of: sql) - before
        }
      }
    }
  }

  /// Promise 3.8 | Waiting callbacks hardly slow down answers, however many there are: claiming reads only the
  /// callbacks it claims, and the server pauses failing receivers.
  @Test func `cost a claim no more than a hundred do`() async throws {
    try await queue(100)
    let few = try await steps()
    #expect(few > 50)
    try await queue(100_000)
    // A few more or fewer, as the random ids fall.
    #expect(try await steps() <= 2 * few)
  }

  @Test func `are found by an index, and sorted by it`() async throws {
    let plans = try await store.connection.read { db in
      try Self.statements.flatMap { call in try call.statement.sqlite.map { try db.plan(of: $0, call.values) } }
    }
    for plan in plans {
      for line in plan where line.contains(" deliveries") { #expect(line.contains(" INDEX "), "\(line)") }
    }
    #expect(plans.last?.allSatisfy { !$0.contains("TEMP B-TREE") } == true)
  }

  @Test func `go to each receiver as its limit allows, the longest overdue first`() async throws {
    // Ids of this alphabet are read as ids.
    try await queue(30)
    try await store.connection.commit { db in
      for (index, old) in try db.run("SELECT id FROM asks ORDER BY rowid").map(\.first).enumerated() {
        let id = AskID().description
        try db.execute("PRAGMA defer_foreign_keys = ON")
        try db.run("UPDATE asks SET id = ? WHERE id = ?", [.text(id), .text(old)])
        try db.run("UPDATE deliveries SET ask = ?, due_at = ? WHERE ask = ?", [.text(id), .integer(index), .text(old)])
      }
    }
    let claimed = try await store.claimCallbacks(
      limit: 9, perOrigin: 4, limits: ["https://0.example": 0, "https://2.example": 1], lease: .seconds(60))
    #expect(
      claimed.compactMap(\.url).map(CallbackURL.origin).sorted() == [
        "https://1.example", "https://1.example", "https://1.example", "https://1.example", "https://2.example",
      ])
    let again = try await store.claimCallbacks(
      limit: 2, perOrigin: 5, limits: ["https://2.example": 1], lease: .seconds(60))
    #expect(again.compactMap(\.url).map(CallbackURL.origin) == ["https://0.example", "https://0.example"])
    #expect(try await store.statistics().waitingCallbacks == 30)
  }
}

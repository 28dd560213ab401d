internal import GRDB

/// What makes an acknowledged write outlive a power loss: a write-ahead log, and an `fsync` of it
/// at each commit.
enum Durability {
  static func establish(_ db: Database) throws {
    // Not GRDB's own WAL mode: that one lowers `synchronous` to NORMAL.
    try db.execute(sql: "PRAGMA journal_mode = WAL")
    try db.execute(sql: "PRAGMA synchronous = FULL")
    try confirm(db)
  }

  /// - Throws: `StoreFault.notDurable` where SQLite says it runs otherwise.
  static func confirm(_ db: Database) throws {
    for (setting, expected) in [("journal_mode", "wal"), ("synchronous", "2"), ("foreign_keys", "1")] {
      let text = try value(of: setting, on: db)
      if text != expected { throw StoreFault.notDurable(setting: setting, value: text) }
    }
  }

  /// What SQLite says of a setting, as text; `nothing` where it says nothing.
  static func value(of setting: String, on db: Database) throws -> String {
    guard let row = try Row.fetchOne(db, sql: "PRAGMA \(setting)") else { return "nothing" }
    let value: DatabaseValue = row[0]
    return Int64.fromDatabaseValue(value).map { String($0) } ?? String.fromDatabaseValue(value) ?? "nothing"
  }
}

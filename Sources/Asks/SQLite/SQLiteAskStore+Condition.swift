internal import GRDB

extension SQLiteAskStore {
  public func census() async throws -> Census {
    try await connection.read { db in
      func count(_ sql: String) throws -> Int { try db.row(sql)?[0] ?? 0 }
      return Census(
        openAsks: try count("SELECT count(*) FROM asks WHERE outcome IS NULL"),
        waitingCallbacks: try count("SELECT count(*) FROM callbacks WHERE state = 'waiting' AND leased_until = 0")
          + count("SELECT count(*) FROM callbacks WHERE state = 'waiting' AND leased_until > 0"))
    }
  }

  public func tryWrite() async throws {
    // A number in the file's header that SQLite leaves to programs, and this one to itself.
    try await connection.write { db in try db.execute(sql: "PRAGMA user_version = 0") }
  }
}

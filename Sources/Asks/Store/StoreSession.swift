/// A connection to either database that waits for each response, for work before a server starts or in a command.
/// Statements are written in PostgreSQL's dialect.
protocol StoreSession {
  /// Runs a statement in the database's own words.
  @discardableResult
  func run(_ sql: String, _ values: [StoreValue]) throws -> [StoreRow]

  func rows(_ sql: String, _ values: [StoreValue]) throws -> [StoreRow]

  /// The last number that an answer got.
  func lastPosition() throws -> Int

  /// Makes sure that new answers get greater numbers than this one.
  func setLastPosition(_ position: Int) throws
}

extension StoreSession {
  /// Runs `body` in a transaction, which is rolled back if it throws.
  ///
  /// SQLite needs no `BEGIN IMMEDIATE`: its one connection has locked the file, so that no other can come between the first
  /// read and the first write.
  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try run("BEGIN", [])
    do {
      let result = try body()
      try run("COMMIT", [])
      return result
    } catch {
      _ = try? run("ROLLBACK", [])
      throw error
    }
  }

  /// The value of a setting in the database.
  func setting(_ name: String) throws -> String? {
    try rows("SELECT value FROM settings WHERE name = $1", [.text(name)]).first?.text("value")
  }

  func set(_ name: String, to value: String) throws {
    _ = try rows(
      "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      [.text(name), .text(value)])
  }
}

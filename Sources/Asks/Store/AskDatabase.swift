/// A database that an `AskStore` is kept in: it runs the store's statements.
protocol AskDatabase: Sendable {
  /// The reason the database cannot acknowledge writes now, or `nil` if it can.
  var fault: StoreFault? { get }

  /// Runs a statement that changes nothing.
  func read(_ call: StoreCall) async throws -> [StoreRow]

  /// Runs a statement in a transaction, together with others, and returns after its commit.
  func write(_ call: StoreCall) async throws -> [StoreRow]

  /// Looks whether what was acknowledged is still there.
  ///
  /// - Throws: `StoreFault` if it is known not to be.
  func inspect() async throws

  /// Runs `body` on a connection that waits for each response.
  ///
  /// - Throws: `StoreFault`, or what `body` throws.
  func withSession<Result: Sendable>(
    _ body: @escaping @Sendable (any StoreSession) throws -> Result
  ) async throws -> Result

  /// Finishes what waits and lets go of the database.
  func close() async throws
}

/// A connection to either database that waits for each response, for work before a server starts or in a command.
protocol StoreSession {
  var dialect: SQLDialect { get }

  @discardableResult
  func run(_ sql: String, _ values: [StoreValue]) throws -> [StoreRow]

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
    try run("SELECT value FROM settings WHERE name = \(dialect.placeholder(1))", [.text(name)]).first?.text("value")
  }

  func set(_ name: String, to value: String) throws {
    try run(
      """
      INSERT INTO settings (name, value) VALUES \(dialect.placeholders(2, from: 1))
      ON CONFLICT (name) DO UPDATE SET value = excluded.value
      """, [.text(name), .text(value)])
  }
}

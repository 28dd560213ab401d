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

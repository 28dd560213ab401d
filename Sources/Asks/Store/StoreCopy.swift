internal import Foundation

/// Moves all asks, answers and callbacks from an SQLite file to a new PostgreSQL, or back.
///
/// Sealed bytes stay sealed; cursors, receipts and idempotency keys stay what they were. It happens in one transaction:
/// whole or not at all.
package enum StoreCopy: Sendable {
  case toPostgreSQL, toSQLite

  /// Copies everything, and compares the numbers of rows before it is committed.
  ///
  /// - Parameters:
  ///   - file: the SQLite file, which no server may have open; `toSQLite` creates it if it is missing.
  ///   - address: the PostgreSQL database; its tables are locked meanwhile.
  ///   - secrets: the keys of both.
  ///   - progress: told of a table and how many of its rows are copied.
  /// - Returns: how many rows each table has.
  /// - Throws: `StoreFault` or `PlainError`, and then nothing was copied.
  package func run(
    file: String, address: PostgreSQLAddress, secrets: SecretSource, progress: (String, Int) -> Void = { _, _ in }
  ) throws -> [(table: String, rows: Int)] {
    let path = withoutLink(file)
    let isNew = self == .toSQLite && !FileManager.default.fileExists(atPath: path)
    do { return try whole(path, file, address, secrets, progress) } catch {
      // Nobody needs the file that was made for this.
      if isNew { for end in ["", "-wal", "-shm"] { unlink(path + end) } }
      throw error
    }
  }

  private func whole(
    _ path: String, _ file: String, _ address: PostgreSQLAddress, _ secrets: SecretSource,
    _ progress: (String, Int) -> Void
  ) throws -> [(table: String, rows: Int)] {
    // What can be refused is opened before its target gets tables.
    if self == .toSQLite { _ = try PostgreSQLOpening(address: address).open(with: secrets) }
    let db = try SQLiteOpening(path: path, patience: 0.5).open(with: secrets).connection
    if self == .toPostgreSQL { _ = try PostgreSQLOpening(address: address).open(with: secrets) }
    return try StoreFault.wrapping(address) {
      try db.markInUse(path)
      return try db.transaction {
        let session = try PostgreSQLSession(address)
        return try session.transaction {
          try lock(session, address)
          switch self {
          case .toPostgreSQL: return try copy(from: db, to: session, "\(address)", progress)
          case .toSQLite: return try copy(from: session, to: db, file, progress)
          }
        }
      }
    }
  }

  /// Throws if a server is still running, because its writes might not be copied; a server that starts now is refused.
  /// A killed server counts as running until PostgreSQL has noticed.
  private func lock(_ session: PostgreSQLSession, _ address: PostgreSQLAddress) throws {
    do {
      try session.run("SET LOCAL lock_timeout = '2s'; SELECT pg_advisory_xact_lock(\(PostgreSQLSession.usage))")
    } catch {
      if error.isConflict { throw StoreFault("in-use", ["path": "\(address)"]) }
      throw error
    }
    try session.run("LOCK TABLE \(StoreTable.all.map(\.name).joined(separator: ", ")) IN EXCLUSIVE MODE")
  }

  private func copy(
    from source: some StoreSession, to destination: some StoreSession, _ name: String, _ progress: (String, Int) -> Void
  ) throws -> [(table: String, rows: Int)] {
    for table in StoreTable.all where try destination.count(table) > 0 {
      throw StoreFault("not-empty", ["database": name])
    }
    let counts = try StoreTable.all.map { table in
      (table.name, try source.copy(table, to: destination) { progress(table.name, $0) })
    }
    for name in ["key", "fingerprints"] {
      if let value = try source.setting(name) { try destination.set(name, to: value) }
    }
    // No position is given twice, though its answer or ask may be gone.
    try destination.setLastPosition(try source.lastPosition())
    for row in try source.run("SELECT last FROM positions WHERE prompt = ''", []) {
      try destination.run(
        "UPDATE positions SET last = \(destination.dialect.placeholder(1)) WHERE prompt = ''", row.values)
    }
    return counts
  }
}

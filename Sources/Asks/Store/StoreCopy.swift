/// Moves all asks, answers and callbacks from an SQLite file to a new PostgreSQL, or back.
///
/// Sealed bytes stay sealed; cursors, receipts and idempotency keys stay what they were. It happens in one transaction:
/// whole or not at all.
package struct StoreCopy: Sendable {
  package enum Direction: Sendable { case toPostgreSQL, toSQLite }

  let file: String
  let address: PostgreSQLAddress
  let direction: Direction
  let secrets: SecretSource

  /// - Parameters:
  ///   - file: that no server has open; for `toSQLite` it is made if it is missing.
  ///   - address: for `toSQLite` its tables are locked meanwhile.
  ///   - secrets: the keys of both.
  package init(_ direction: Direction, file: String, address: PostgreSQLAddress, secrets: SecretSource) {
    (self.direction, self.file, self.address, self.secrets) = (direction, file, address, secrets)
  }

  /// Copies everything, and compares the numbers of rows before it is committed.
  ///
  /// - Parameter progress: told of a table and how many of its rows are copied.
  /// - Returns: how many rows each table has.
  /// - Throws: `StoreFault` or `SecretFault`, and then nothing was copied.
  package func run(progress: (String, Int) -> Void = { _, _ in }) throws -> [(table: String, rows: Int)] {
    _ = try PostgreSQLOpening(address: address).open(with: secrets)
    let opened = try SQLiteOpening(path: file, key: secrets.file, patience: 0.5).open()
    _ = try secrets.bind(to: opened.connection)
    defer { opened.connection.close() }
    do {
      return try opened.connection.transaction { try copy(opened.connection, progress) }
    } catch let error as PQError {
      throw StoreFault.unsuitable(database: "\(address)", .error("\(error)"))
    } catch let error as SQLiteError {
      throw CommitFailure(error).fault
    }
  }

  private func copy(_ db: SQLite, _ progress: (String, Int) -> Void) throws -> [(table: String, rows: Int)] {
    let session = try PostgreSQLSession(address)
    return try session.transaction {
      // Servers that still run would write what is not copied, and one that starts now is refused. One that was killed
      // is gone when PostgreSQL has noticed.
      do {
        try session.run("SET LOCAL lock_timeout = '2s'; SELECT pg_advisory_xact_lock(\(PostgreSQLSession.usage))")
      } catch let error as PQError where error.isConflict {
        throw StoreFault.inUse(path: "\(address)")
      }
      try session.run("LOCK TABLE asks, answers, callbacks IN EXCLUSIVE MODE")
      switch direction {
      case .toPostgreSQL: return try copy(from: db, to: session, progress)
      case .toSQLite: return try copy(from: session, to: db, progress)
      }
    }
  }

  private func copy(
    from source: some StoreSession, to destination: some StoreSession, _ progress: (String, Int) -> Void
  ) throws -> [(table: String, rows: Int)] {
    for table in StoreTable.all where try destination.count(table) > 0 {
      throw StoreFault.notEmpty(database: direction == .toSQLite ? file : "\(address)")
    }
    let counts = try StoreTable.all.map { table in
      var (count, last): (Int, StoreValue?) = (0, nil)
      while case let rows = try source.rows(of: table, after: last, limit: 500), !rows.isEmpty {
        try destination.insert(rows, into: table)
        count += rows.count
        last = rows.last?.first
        progress(table.name, count)
      }
      let (before, after) = (try source.count(table), try destination.count(table))
      guard count == before, before == after else {
        throw StoreFault.writeFailed(detail: "\(before) rows of \(table.name) became \(after)")
      }
      return (table.name, count)
    }
    for name in ["key", "fingerprints"] {
      if let value = try source.setting(name) { try destination.set(name, to: value) }
    }
    // No cursor is given twice, though its answer may be gone.
    try destination.setLastPosition(try source.lastPosition())
    return counts
  }
}

extension StoreSession {
  fileprivate func count(_ table: StoreTable) throws -> Int {
    Int(try rows("SELECT count(*) AS count FROM \(table.name)", []).first?.integer("count") ?? 0)
  }

  /// Rows in the order of their keys, each with the values of its columns.
  fileprivate func rows(of table: StoreTable, after key: StoreValue?, limit: Int) throws -> [[StoreValue]] {
    let names = table.copiedColumns.map(\.name).joined(separator: ", ")
    let condition = key == nil ? "" : "WHERE \(table.key.name) > $1"
    let sql = "SELECT \(names) FROM \(table.name) \(condition) ORDER BY \(table.key.name) LIMIT \(limit)"
    return try rows(sql, key.map { [$0] } ?? []).map(\.values)
  }

  fileprivate func insert(_ rows: [[StoreValue]], into table: StoreTable) throws {
    let names = table.copiedColumns.map(\.name)
    let places = rows.indices.map { row in
      "(" + names.indices.map { "$\(row * names.count + $0 + 1)" }.joined(separator: ", ") + ")"
    }
    _ = try self.rows(
      "INSERT INTO \(table.name) (\(names.joined(separator: ", "))) VALUES \(places.joined(separator: ", "))",
      rows.flatMap(\.self))
  }
}

extension SQLite {
  func lastPosition() throws -> Int { try count("SELECT seq FROM sqlite_sequence WHERE name = 'answers'") }

  func setLastPosition(_ position: Int) throws {
    try run("DELETE FROM sqlite_sequence WHERE name = 'answers'")
    try run("INSERT INTO sqlite_sequence (name, seq) VALUES ('answers', ?)", [.integer(position)])
  }
}

extension PostgreSQLSession {
  func lastPosition() throws -> Int {
    try text("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM answer_positions").flatMap { Int($0) } ?? 0
  }

  func setLastPosition(_ position: Int) throws {
    if position > 0 { try run("SELECT setval('answer_positions', \(position))") }
    try run("INSERT INTO positions SELECT prompt, max(position) FROM answers GROUP BY prompt")
  }
}

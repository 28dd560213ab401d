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
  package func run(
    progress: @escaping @Sendable (String, Int) -> Void = { _, _ in }
  ) async throws -> [(table: String, rows: Int)] {
    _ = try PostgreSQLOpening(address: address).open(with: secrets)
    let store = try SQLiteAskStore(file, secrets: secrets, waiters: Waiters(), patience: .milliseconds(500))
    do {
      let counts =
        switch direction {
        case .toPostgreSQL: try await store.connection.read { try copy($0, progress) }
        case .toSQLite: try await store.connection.write { try copy($0, progress) }
        }
      try await store.close()
      return counts
    } catch {
      try? await store.close()
      guard let error = error as? PQError else { throw error }
      throw StoreFault.unsuitable(database: "\(address)", detail: "\(error)")
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
    from source: some CopiedDatabase, to destination: some CopiedDatabase, _ progress: (String, Int) -> Void
  ) throws -> [(table: String, rows: Int)] {
    for table in CopiedTable.all where try destination.count(table) > 0 {
      throw StoreFault.notEmpty(database: direction == .toSQLite ? file : "\(address)")
    }
    let counts = try CopiedTable.all.map { table in
      var (count, last): (Int, SQLiteValue?) = (0, nil)
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
    try destination.setLastPosition(try source.lastPosition())
    return counts
  }
}

/// A table and its columns, which both databases have. The first is its key.
private struct CopiedTable: Sendable {
  enum Kind { case text, bytes, integer, flag }

  let name: String
  let columns: [(name: String, kind: Kind)]

  var key: String { columns[0].name }

  /// In an order in which each row's ask is there before it. Leases end with the servers that hold them.
  static let all = [
    CopiedTable(
      name: "asks",
      columns: [
        ("id", .text), ("link_hash", .bytes), ("link", .bytes), ("idempotency_key", .bytes),
        ("idempotency_body", .bytes), ("prompt", .text), ("definition", .bytes), ("initial", .bytes),
        ("metadata", .bytes), ("callback", .text), ("holds_passwords", .flag), ("created_at", .integer),
        ("expires_at", .integer), ("outcome", .text), ("closed_at", .integer), ("closed", .bytes),
        ("closed_request", .bytes),
      ]),
    CopiedTable(
      name: "answers",
      columns: [
        ("position", .integer), ("prompt", .text), ("answered_at", .integer), ("context", .text), ("outcome", .bytes),
        ("receipt", .text), ("idempotency_key", .bytes), ("idempotency_body", .bytes),
      ]),
    CopiedTable(
      name: "callbacks",
      columns: [
        ("ask", .text), ("url", .text), ("origin", .text), ("state", .text), ("attempts", .integer),
        ("due_at", .integer),
      ]),
  ]
}

/// Either database, in a transaction.
private protocol CopiedDatabase: KeepsSettings {
  func count(_ table: CopiedTable) throws -> Int
  /// Rows in the order of their keys.
  func rows(of table: CopiedTable, after key: SQLiteValue?, limit: Int) throws -> [[SQLiteValue]]
  func insert(_ rows: [[SQLiteValue]], into table: CopiedTable) throws
  /// The last number that an answer got. The answer may be gone, but no cursor is given twice.
  func lastPosition() throws -> Int64
  func setLastPosition(_ position: Int64) throws
}

extension SQLite: CopiedDatabase {
  fileprivate func count(_ table: CopiedTable) throws -> Int {
    try row("SELECT count(*) FROM \(table.name)") { Int($0.integer(0)) } ?? 0
  }

  fileprivate func rows(of table: CopiedTable, after key: SQLiteValue?, limit: Int) throws -> [[SQLiteValue]] {
    let names = table.columns.map(\.name).joined(separator: ", ")
    let condition = key == nil ? "" : "WHERE \(table.key) > ?"
    let sql = "SELECT \(names) FROM \(table.name) \(condition) ORDER BY \(table.key) LIMIT \(limit)"
    return try rows(sql, key.map { [$0] } ?? []) { row in
      table.columns.indices.map { row.value(Int32($0)) }
    }
  }

  fileprivate func insert(_ rows: [[SQLiteValue]], into table: CopiedTable) throws {
    let places = table.columns.map { _ in "?" }.joined(separator: ", ")
    let names = table.columns.map(\.name).joined(separator: ", ")
    for row in rows { try run("INSERT INTO \(table.name) (\(names)) VALUES (\(places))", row) }
  }

  fileprivate func lastPosition() throws -> Int64 {
    try row("SELECT seq FROM sqlite_sequence WHERE name = 'answers'") { $0.integer(0) } ?? 0
  }

  fileprivate func setLastPosition(_ position: Int64) throws {
    try run("DELETE FROM sqlite_sequence WHERE name = 'answers'")
    try run("INSERT INTO sqlite_sequence (name, seq) VALUES ('answers', ?)", [.integer(position)])
  }
}

extension PostgreSQLSession: CopiedDatabase {
  fileprivate func count(_ table: CopiedTable) throws -> Int {
    Int(try text("SELECT count(*) FROM \(table.name)") ?? "") ?? 0
  }

  fileprivate func rows(of table: CopiedTable, after key: SQLiteValue?, limit: Int) throws -> [[SQLiteValue]] {
    let names = table.columns.map { $0.kind == .flag ? "\($0.name)::int::bigint AS \($0.name)" : $0.name }
    let condition = key == nil ? "" : "WHERE \(table.key) > $1"
    let sql =
      "SELECT \(names.joined(separator: ", ")) FROM \(table.name) \(condition) ORDER BY \(table.key) LIMIT \(limit)"
    return try run(sql, key.map { [$0.parameter] } ?? []).rows.map { row in
      table.columns.map { column in
        switch column.kind {
        case .text: .text(row.text(column.name))
        case .bytes: .bytes(row.bytes(column.name))
        case .integer, .flag: .integer(row.integer(column.name))
        }
      }
    }
  }

  fileprivate func insert(_ rows: [[SQLiteValue]], into table: CopiedTable) throws {
    let width = table.columns.count
    let places = rows.indices.map { row in
      "(" + (1...width).map { "$\(row * width + $0)" }.joined(separator: ", ") + ")"
    }
    let names = table.columns.map(\.name).joined(separator: ", ")
    try run(
      "INSERT INTO \(table.name) (\(names)) VALUES \(places.joined(separator: ", "))",
      rows.flatMap { $0.map(\.parameter) })
  }

  fileprivate func lastPosition() throws -> Int64 {
    try text("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM answer_positions").flatMap { Int64($0) } ?? 0
  }

  fileprivate func setLastPosition(_ position: Int64) throws {
    if position > 0 { try run("SELECT setval('answer_positions', \(position))") }
    try run("INSERT INTO positions SELECT prompt, max(position) FROM answers GROUP BY prompt")
  }
}

extension SQLiteValue {
  fileprivate var parameter: PQParameter {
    switch self {
    case .integer(let number): .text(number.map { String($0) })
    case .text(let text): .text(text)
    case .bytes(let bytes): .bytes(bytes)
    }
  }
}

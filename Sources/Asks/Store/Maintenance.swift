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
  /// - Throws: `StoreFault` or `SecretFault`, and then nothing was copied.
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
      if error.isConflict { throw StoreFault.inUse(path: "\(address)") }
      throw error
    }
    try session.run("LOCK TABLE \(StoreTable.all.map(\.name).joined(separator: ", ")) IN EXCLUSIVE MODE")
  }

  private func copy(
    from source: some StoreSession, to destination: some StoreSession, _ name: String, _ progress: (String, Int) -> Void
  ) throws -> [(table: String, rows: Int)] {
    for table in StoreTable.all where try destination.count(table) > 0 {
      throw StoreFault.notEmpty(database: name)
    }
    let counts = try StoreTable.all.map { table in
      (table.name, try source.copy(table, to: destination) { progress(table.name, $0) })
    }
    for name in ["key", "fingerprints"] {
      if let value = try source.setting(name) { try destination.set(name, to: value) }
    }
    // No position is given twice, though its answer or ask may be gone.
    try destination.setLastPosition(try source.lastPosition())
    for row in try source.rows("SELECT last FROM positions WHERE prompt = ''", []) {
      _ = try destination.rows("UPDATE positions SET last = $1 WHERE prompt = ''", row.values)
    }
    return counts
  }
}

extension StoreTable {
  fileprivate var keys: String { key.joined(separator: ", ") }
}

extension StoreSession {
  fileprivate func count(_ table: StoreTable) throws -> Int {
    Int(try rows("SELECT count(*) AS count FROM \(table.name)", []).first?.integer("count") ?? 0)
  }

  /// Copies all rows of a table.
  ///
  /// - Parameter progress: told how many are copied.
  /// - Returns: how many there are.
  func copy(_ table: StoreTable, to destination: some StoreSession, progress: (Int) -> Void) throws -> Int {
    var (count, last): (Int, StoreRow?) = (0, nil)
    let names = table.key + table.columns.map(\.name).filter { !table.key.contains($0) }
    while case let rows = try rows(of: table, names, after: last, limit: 500), !rows.isEmpty {
      try destination.insert(rows, of: names, into: table)
      count += rows.count
      last = rows.last
      progress(count)
    }
    let (before, after) = (try self.count(table), try destination.count(table))
    guard count == before, before == after else {
      throw StoreFault.writeFailed(detail: "\(before) rows of \(table.name) became \(after)")
    }
    return count
  }

  /// The next rows of a table in the order of their keys.
  ///
  /// - Parameters:
  ///   - columns: which to select; those of the key come first.
  ///   - last: the row to go on after, or `nil` to begin.
  ///   - condition: which rows to select and lock until the commit; `nil` selects all rows and locks none.
  fileprivate func rows(
    of table: StoreTable, _ columns: [String], after last: StoreRow?, limit: Int, locked condition: String? = nil
  ) throws -> [StoreRow] {
    try rows(
      """
      SELECT \(columns.joined(separator: ", ")) FROM \(table.name)
      WHERE \(condition ?? "true") \(last == nil ? "" : "AND (\(table.keys)) > \(placeholders(table.key.count, from: 1))")
      ORDER BY \(table.keys) LIMIT \(limit)\(condition == nil ? "" : " FOR UPDATE")
      """, last.map { Array($0.values.prefix(table.key.count)) } ?? [])
  }

  fileprivate func insert(_ rows: [StoreRow], of names: [String], into table: StoreTable) throws {
    let places = rows.indices.map { placeholders(names.count, from: $0 * names.count + 1) }
    _ = try self.rows(
      "INSERT INTO \(table.name) (\(names.joined(separator: ", "))) VALUES \(places.joined(separator: ", "))",
      rows.flatMap(\.values))
  }
}

/// `($1, $2)`.
private func placeholders(_ count: Int, from first: Int) -> String {
  "(\((first..<first + count).map { "$\($0)" }.joined(separator: ", ")))"
}

// MARK: Keys

/// The result of re-encrypting a database.
package struct Rekeyed: Sendable, Equatable {
  /// Texts that another key had sealed.
  package internal(set) var count = 0
  /// The texts that no key opens, each with the reason; they stay as they are.
  package internal(set) var unreadable: [String] = []
}

extension AskStore {
  /// Seals again, with the first key, everything that another key sealed; afterwards only the first key is needed.
  /// Servers that share the database may run meanwhile if they have both keys. After an interruption the next run
  /// continues where the last one stopped, because sealed bytes say which key sealed them.
  ///
  /// - Parameter batch: rows of a transaction.
  package func rekey(batch: Int = 100) async throws -> Rekeyed {
    try await database.withSession { [secrets] session in
      var rekeyed = Rekeyed()
      for column in SealedColumn.all {
        var last: StoreRow?
        repeat {
          last = try session.transaction { try column.rekey(batch, after: last, on: session, secrets, &rekeyed) }
        } while last != nil
      }
      try session.transaction {
        try session.set("fingerprints", to: Data(secrets.formerFingerprints().stored).base64EncodedString())
        try session.set("key", to: secrets.keyID)
      }
      return rekeyed
    }
  }
}

/// A column that can hold sealed bytes.
private struct SealedColumn {
  let table: StoreTable
  let name: String
  /// Which part of an ask it is; `nil` if the row says its context.
  let part: SecretBox.Part?
  let condition: String

  static let all = [
    SealedColumn(table: .asks, name: "definition", part: .definition, condition: "holds_passwords"),
    SealedColumn(table: .asks, name: "initial", part: .values, condition: "holds_passwords"),
    SealedColumn(table: .asks, name: "closed", part: .closed, condition: "holds_passwords AND closed IS NOT NULL"),
    SealedColumn(table: .asks, name: "link", part: .link, condition: "link IS NOT NULL"),
    SealedColumn(table: .answers, name: "outcome", part: nil, condition: "context <> ''"),
  ]

  /// - Returns: the last row that was looked at, or `nil` if there was none.
  func rekey(
    _ batch: Int, after last: StoreRow?, on session: any StoreSession, _ secrets: SecretBox, _ rekeyed: inout Rekeyed
  ) throws -> StoreRow? {
    let columns = table.key + [part == nil ? "context" : "id AS context", "\(name) AS kept"]
    let rows = try session.rows(of: table, columns, after: last, limit: batch, locked: condition)
    for row in rows {
      let owner = try row.kept(row.text("context"))
      let context = try part.map { SecretBox.context($0, of: try row.kept(AskID(owner))) } ?? owner
      do {
        let kept = Sealable(stored: try row.kept(row.bytes("kept")), context: context)
        guard let sealed = try secrets.reseal(kept) else { continue }
        _ = try session.rows(
          "UPDATE \(table.name) SET \(name) = $1 WHERE (\(table.keys)) = \(placeholders(table.key.count, from: 2))",
          [.bytes(sealed.stored)] + row.values.prefix(table.key.count))
        rekeyed.count += 1
      } catch let fault as SecretFault {
        rekeyed.unreadable.append("\(context): \(fault)")
      }
    }
    return rows.last
  }
}

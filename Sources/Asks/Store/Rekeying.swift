internal import Foundation

/// What came of re-encrypting a database.
package struct Rekeyed: Sendable, Equatable {
  /// Texts that another key had sealed.
  package internal(set) var count = 0
  /// What no key opens, each with why; it stays as it is.
  package internal(set) var unreadable: [String] = []
}

/// Seals with the first key whatever another one sealed, batch by batch. What was interrupted goes on where it stopped,
/// since sealed bytes say which key sealed them.
struct Rekeying {
  /// A column that can hold sealed bytes.
  private struct Column {
    let table: StoreTable
    let name: String
    /// Which part of an ask it is; `nil` if the row says its context.
    let part: SecretBox.Part?
    let condition: String
  }

  private static let columns = [
    Column(table: .asks, name: "definition", part: .definition, condition: "holds_passwords"),
    Column(table: .asks, name: "initial", part: .values, condition: "holds_passwords"),
    Column(table: .asks, name: "closed", part: .closed, condition: "holds_passwords AND closed IS NOT NULL"),
    Column(table: .asks, name: "link", part: .link, condition: "link IS NOT NULL"),
    Column(table: .answers, name: "outcome", part: nil, condition: "context <> ''"),
  ]

  let secrets: SecretBox
  /// Rows of a transaction.
  var batch = 100

  func run(on session: some StoreSession) throws -> Rekeyed {
    var rekeyed = Rekeyed()
    for column in Self.columns {
      var place: StoreValue? = column.table.key.kind == .position ? .integer(0) : .text("")
      while let last = place {
        place = try session.transaction { try rekey(column, after: last, on: session, &rekeyed) }
      }
    }
    try session.transaction {
      try session.set("fingerprints", to: Data(secrets.formerFingerprints().stored).base64EncodedString())
      try session.set("key", to: secrets.keyID)
    }
    return rekeyed
  }

  /// - Returns: the key of the last row, or `nil` if there was none.
  private func rekey(
    _ column: Column, after last: StoreValue, on session: some StoreSession, _ rekeyed: inout Rekeyed
  ) throws -> StoreValue? {
    let (table, key, name) = (column.table.name, column.table.key.name, column.name)
    let rows = try session.rows(
      """
      SELECT \(key), \(column.part == nil ? "context" : "id") AS owner, \(name) AS kept FROM \(table)
      WHERE \(key) > $1 AND \(column.condition) ORDER BY \(key) LIMIT \(batch) \(session.lockingClause)
      """, [last])
    for row in rows {
      let owner = try row.kept(row.text("owner"))
      let context = try column.part.map { SecretBox.context($0, of: try row.kept(AskID(owner))) } ?? owner
      do {
        let kept = Sealable(stored: try row.kept(row.bytes("kept")))
        guard let sealed = try secrets.reseal(kept, context: context) else { continue }
        _ = try session.rows(
          "UPDATE \(table) SET \(name) = $1 WHERE \(key) = $2", [.bytes(sealed.stored), row.values[0]])
        rekeyed.count += 1
      } catch let fault as SecretFault {
        rekeyed.unreadable.append("\(context): \(fault)")
      }
    }
    return rows.last?.values[0]
  }
}

extension AskStore {
  /// Seals with the first key whatever another one sealed in an SQLite file; afterwards only the first is needed.
  package func rekey(batch: Int = 100) async throws -> Rekeyed {
    guard let file else { preconditionFailure("a PostgreSQL is given new keys by its address") }
    return try await file.read { [secrets] db in
      do {
        // What the old key sealed must not stay behind in unused bytes of the file.
        try db.execute("PRAGMA secure_delete = ON")
        return try Rekeying(secrets: secrets, batch: batch).run(on: db)
      } catch let error as SQLiteError {
        throw CommitFailure(error).fault
      }
    }
  }

  /// The same in a PostgreSQL. Servers that have both keys may run meanwhile.
  ///
  /// - Returns: what came of it, and the id of the only key that is needed now.
  /// - Throws: `StoreFault` or `SecretFault`.
  package static func rekey(
    _ address: PostgreSQLAddress, secrets: SecretSource
  ) throws -> (rekeyed: Rekeyed, keyID: String) {
    let (box, _) = try PostgreSQLOpening(address: address).open(with: secrets)
    do {
      return (try Rekeying(secrets: box).run(on: try PostgreSQLSession(address)), box.keyID)
    } catch let error as PQError {
      throw StoreFault.unsuitable(database: "\(address)", .error("\(error)"))
    }
  }
}

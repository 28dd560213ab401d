internal import Foundation

/// Seals with the first key whatever another one sealed in a PostgreSQL. Servers that have both keys may run meanwhile.
package struct PostgreSQLRekeying: Sendable {
  let address: PostgreSQLAddress
  let secrets: SecretSource

  package init(_ address: PostgreSQLAddress, secrets: SecretSource) {
    (self.address, self.secrets) = (address, secrets)
  }

  /// A column that can hold sealed bytes: of an ask the part that it is; of an answer `nil`, since the row says its
  /// context.
  private static let columns: [(table: String, key: String, column: String, part: SecretBox.Part?, sealed: String)] = [
    ("asks", "id", "definition", .definition, "holds_passwords"),
    ("asks", "id", "initial", .values, "holds_passwords"),
    ("asks", "id", "closed", .closed, "holds_passwords AND closed IS NOT NULL"),
    ("asks", "id", "link", .link, "link IS NOT NULL"),
    ("answers", "position", "outcome", nil, "context <> ''"),
  ]

  /// Each batch is a transaction. What was interrupted goes on where it had come to, since sealed bytes say by which key.
  ///
  /// - Returns: what came of it, and the id of the only key that is needed now.
  /// - Throws: `StoreFault` or `SecretFault`.
  package func run() throws -> (SQLiteAskStore.Rekeyed, keyID: String) {
    let (box, _) = try PostgreSQLOpening(address: address).open(with: secrets)
    let session = try PostgreSQLSession(address)
    var rekeyed = SQLiteAskStore.Rekeyed()
    do {
      for (table, key, column, part, sealed) in Self.columns {
        let owner = part == nil ? "context" : key
        let type = part == nil ? "bigint" : "text"
        var last = part == nil ? "0" : ""
        let select = """
          SELECT \(key)::text AS place, \(owner) AS owner, \(column) AS kept FROM \(table)
          WHERE \(key) > $1::\(type) AND \(sealed) ORDER BY \(table).\(key) LIMIT 100 FOR UPDATE
          """
        while true {
          let rows = try session.transaction {
            let rows = try session.run(select, [.text(last)]).rows
            for row in rows {
              let owner = try row.kept(row.text("owner"))
              let context = try part.map { SecretBox.context($0, of: try row.kept(AskID(owner))) } ?? owner
              do {
                let kept = Sealable(stored: try row.kept(row.bytes("kept")))
                guard let new = try box.reseal(kept, context: context) else { continue }
                try session.run(
                  "UPDATE \(table) SET \(column) = $2::bytea WHERE \(key) = $1::\(type)",
                  [.text(row.text("place")), .bytes(new.stored)])
                rekeyed.count += 1
              } catch let fault as SecretFault {
                rekeyed.unreadable.append("\(context): \(fault)")
              }
            }
            return rows
          }
          guard let place = rows.last?.text("place") else { break }
          last = place
        }
      }
      try session.transaction {
        try session.set("fingerprints", to: Data(box.formerFingerprints().stored).base64EncodedString())
        try session.set("key", to: box.keyID)
      }
    } catch let error as PQError {
      throw StoreFault.unsuitable(database: "\(address)", detail: "\(error)")
    }
    return (rekeyed, box.keyID)
  }
}

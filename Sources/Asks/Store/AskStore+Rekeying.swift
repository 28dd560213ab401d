internal import Foundation
internal import Prompts

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
  let part: SecretBox.AskPart?
  let condition: String

  static let all = [
    SealedColumn(table: .asks, name: "definition", part: .definition, condition: "holds_passwords"),
    SealedColumn(table: .asks, name: "initial", part: .values, condition: "holds_passwords"),
    SealedColumn(table: .asks, name: "closed", part: .closed, condition: "holds_passwords AND closed IS NOT NULL"),
    SealedColumn(table: .asks, name: "result", part: .result, condition: "holds_passwords AND result IS NOT NULL"),
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
        try session.run(
          """
          UPDATE \(table.name) SET \(name) = \(session.dialect.placeholder(1))
          WHERE (\(table.keys)) = \(session.dialect.placeholders(table.key.count, from: 2))
          """,
          [.bytes(sealed.stored)] + row.values.prefix(table.key.count))
        rekeyed.count += 1
      } catch let fault as PlainError {
        rekeyed.unreadable.append("\(context): \(fault)")
      }
    }
    return rows.last
  }
}

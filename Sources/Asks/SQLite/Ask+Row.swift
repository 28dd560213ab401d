internal import GRDB
internal import Prompts

extension Ask {
  /// A row of `asks`.
  init(_ row: Row) throws {
    let id = try AskID(row, column: "id")
    self.init(
      id: id, prompt: row["prompt"], definition: Sealable(stored: row.bytes("definition")),
      values: Sealable(stored: row.bytes("initial")), metadata: row.bytes("metadata"),
      callback: row["callback"], createdAt: row.timestamp("created_at"),
      expiresAt: row.timestamp("expires_at"), closed: try ClosedAsk(row, id: id))
  }
}

extension ClosedAsk {
  /// nil where the row's ask is open.
  init?(_ row: Row, id: AskID) throws {
    guard let word = row["outcome"] as String?, let outcome = Outcome.Kind(rawValue: word) else { return nil }
    self.init(
      id: id, outcome: outcome, closedAt: row.timestamp("closed_at"),
      json: Sealable(stored: row.bytes("closed")))
  }
}

extension AskID {
  init(_ row: Row, column: String) throws {
    guard let id = AskID(row[column] as String) else {
      throw StoreFault.readFailed(detail: "an ask’s id is none")
    }
    self = id
  }
}

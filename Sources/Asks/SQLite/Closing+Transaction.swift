internal import Foundation
internal import GRDB
internal import Prompts

extension Closing {
  /// What one closing did in its transaction.
  struct Committed: Sendable {
    let closing: Closing
    /// Set where this very closing ended the ask; whoever waits for it is to be woken.
    let new: ClosedAsk?
    /// Whether a callback was queued for it.
    let hasCallback: Bool
  }
}

extension Closing.Committed {
  /// Ends the ask in one conditional update, and queues its callback.
  init(
    _ id: AskID, as outcome: Outcome, at now: Timestamp, sealedWith secrets: SecretBox, on db: Database
  ) throws {
    let sql = """
      SELECT metadata, callback, holds_passwords, expires_at, outcome, closed_at, closed
      FROM asks WHERE id = ?
      """
    guard let row = try db.row(sql, [id.description]) else {
      self.init(closing: .unknown, new: nil, hasCallback: false)
      return
    }
    if let closed = try ClosedAsk(row, id: id) {
      self.init(closing: .alreadyClosed(closed), new: nil, hasCallback: false)
      return
    }
    let isDue = row.timestamp("expires_at") <= now
    if outcome.kind == .expired, !isDue {
      self.init(closing: .stillOpen, new: nil, hasCallback: false)
      return
    }
    let end = isDue ? Outcome.expired : outcome
    let json = ClosedAsk.json(id: id, outcome: end, closedAt: now, metadata: row.bytes("metadata"))
    let closed = ClosedAsk(
      id: id, outcome: end.kind, closedAt: now,
      json: secrets.keep(
        json, sealed: row["holds_passwords"], context: SecretBox.context(.closed, of: id)))
    let changes = try db.run(
      """
      UPDATE asks SET outcome = ?, closed_at = ?, closed = ?, link = NULL
      WHERE id = ? AND outcome IS NULL AND (expires_at <= ?) = ?
      """,
      [end.word, now.milliseconds, closed.json.data, id.description, now.milliseconds, isDue])
    guard changes == 1 else { throw StoreFault.writeFailed(detail: "an ask changed while it was closed") }
    let url = row["callback"] as String?
    if let url {
      try db.run(
        "INSERT INTO callbacks (ask, url, origin, due_at) VALUES (?, ?, ?, ?)",
        [id.description, url, Callback.origin(of: url), now.milliseconds])
    }
    self.init(
      closing: end.kind == outcome.kind ? .closed(closed) : .alreadyClosed(closed), new: closed, hasCallback: url != nil
    )
  }
}

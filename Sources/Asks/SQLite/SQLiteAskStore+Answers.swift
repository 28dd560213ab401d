internal import GRDB
package import Prompts

extension SQLiteAskStore {
  package func append(
    _ outcome: Outcome, to prompt: String, holdsPasswords: Bool, receipt: Receipt?
  ) async throws -> StandingAnswer.Cursor {
    try await connection.write { [secrets, clock] db in
      // The position is not known before the row is there: a random context stands in for it where one is needed.
      let context = holdsPasswords ? "answer \(AskID())" : ""
      let kept = secrets.keep(outcome.json(adding: nil), sealed: holdsPasswords, context: context)
      try db.run(
        "INSERT INTO answers (prompt, answered_at, context, outcome, receipt) VALUES (?, ?, ?, ?, ?)",
        [prompt, clock.now.milliseconds, context, kept.data, receipt?.description])
      return StandingAnswer.Cursor(position: db.lastInsertedRowID)
    }
  }

  package func answers(
    to prompt: String, after cursor: StandingAnswer.Cursor?, limit: Int, bytes: Int
  ) async throws -> [StandingAnswer] {
    try await connection.read { db in
      let select = "SELECT * FROM answers WHERE prompt = ? AND position > ? ORDER BY position LIMIT ?"
      let rows = try Row.fetchCursor(
        db.cachedStatement(sql: select), arguments: [prompt, cursor?.position ?? 0, limit])
      var (answers, size): ([StandingAnswer], Int) = ([], 0)
      while size < bytes, let row = try rows.next() {
        let answer = StandingAnswer(row)
        size += answer.outcome.stored.count
        answers.append(answer)
      }
      return answers
    }
  }

  package func answer(for receipt: Receipt) async throws -> StandingAnswer? {
    try await connection.read { db in
      try db.rows("SELECT * FROM answers WHERE receipt = ?", [receipt.description]).first.map(StandingAnswer.init)
    }
  }
}

extension StandingAnswer {
  /// A row of `answers`.
  fileprivate init(_ row: Row) {
    self.init(
      prompt: row["prompt"], cursor: .init(position: row["position"]), answeredAt: row.timestamp("answered_at"),
      outcome: Sealable(stored: row.bytes("outcome")), context: row["context"])
  }
}

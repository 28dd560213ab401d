internal import GRDB

extension SQLiteAskStore {
  public func claimCallbacks(limit: Int, perOrigin: Int, lease: Duration) async throws -> [Callback] {
    try await connection.write { [clock] db in
      let now = clock.now
      let claimed = try db.rows(
        """
        WITH ready AS (
          SELECT ask, origin, due_at,
            row_number() OVER (PARTITION BY origin ORDER BY due_at, ask) AS place
          FROM callbacks WHERE state = 'waiting' AND due_at <= ?1 AND leased_until <= ?1),
        busy AS (
          SELECT origin, count(*) AS underWay
          FROM callbacks WHERE state = 'waiting' AND leased_until > ?1 GROUP BY origin)
        SELECT callbacks.ask, callbacks.url, callbacks.attempts, asks.outcome, asks.closed_at, asks.closed
        FROM ready LEFT JOIN busy USING (origin)
          JOIN callbacks USING (ask) JOIN asks ON asks.id = ready.ask
        WHERE place + ifnull(underWay, 0) <= ?2
        ORDER BY ready.due_at, ready.ask LIMIT ?3
        """, [now.milliseconds, perOrigin, limit])
      return try claimed.map { row in
        let id = try AskID(row, column: "ask")
        guard let closed = try ClosedAsk(row, id: id) else {
          throw StoreFault.readFailed(detail: "a callback’s ask is open")
        }
        try db.run(
          "UPDATE callbacks SET leased_until = ? WHERE ask = ?",
          [(now + lease).milliseconds, id.description])
        return Callback(id: id, url: row["url"], attempts: row["attempts"], closed: closed)
      }
    }
  }

  public func settle(_ callback: Callback, as result: Callback.Result) async throws {
    let (state, retryAt, counts): (String, Timestamp?, Int) =
      switch result {
      case .delivered: ("delivered", nil, 1)
      case .failed(let moment): ("waiting", moment, 1)
      case .givenUp: ("given up", nil, 1)
      case .interrupted: ("waiting", nil, 0)
      }
    _ = try await connection.write { db in
      // The count of attempts tells whether another sender took over after this one's lease; a
      // delivery counts all the same.
      try db.run(
        """
        UPDATE callbacks SET state = ?, attempts = attempts + ?, leased_until = 0, due_at = ifnull(?, due_at)
        WHERE ask = ? AND state = 'waiting' AND (attempts = ? OR ? = 'delivered')
        """,
        [state, counts, retryAt?.milliseconds, callback.id.description, callback.attempts, state])
    }
  }

  public func nextCallback() async throws -> Timestamp? {
    try await connection.read { db in
      try db.row(
        "SELECT max(due_at, leased_until) AS due FROM callbacks WHERE state = 'waiting' ORDER BY due LIMIT 1"
      )?.timestamp("due")
    }
  }
}

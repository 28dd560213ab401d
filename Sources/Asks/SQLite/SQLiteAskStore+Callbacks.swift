internal import GRDB

/// Callbacks that wait are of two kinds, each with an index of its own: those that a sender has claimed, few at any
/// time, and those that are free, perhaps a hundred thousand. No statement here reads all of the latter.
extension SQLiteAskStore {
  package func claimCallbacks(
    limit: Int, perOrigin: Int, limits: [String: Int], lease: Duration
  ) async throws -> [Callback] {
    try await connection.write { [clock] db in
      let now = clock.now
      try db.run(
        "UPDATE callbacks SET leased_until = 0 WHERE state = 'waiting' AND leased_until > 0 AND leased_until <= ?",
        [now.milliseconds])
      var claimed: [Callback] = []
      for (origin, due) in try Self.receivers(db) where due <= now && claimed.count < limit {
        let busy: Int = try db.row(Self.countClaimed, [origin])?[0] ?? 0
        let room = min((limits[origin] ?? perOrigin) - busy, limit - claimed.count)
        guard room > 0 else { continue }
        claimed += try db.rows(Self.selectDue, [origin, now.milliseconds, room]).map(Callback.init)
      }
      for callback in claimed {
        try db.run(
          "UPDATE callbacks SET leased_until = ? WHERE ask = ?",
          [(now + lease).milliseconds, callback.id.description])
      }
      return claimed
    }
  }

  /// Every origin that a free callback waits for, and when the first of them is due; the longest overdue first.
  private static func receivers(_ db: Database) throws -> [(origin: String, due: Timestamp)] {
    try db.rows(selectReceivers).map { ($0["origin"], $0.timestamp("due")) }
  }

  /// Steps from origin to origin in the index, whatever waits for each.
  static let selectReceivers = """
    WITH RECURSIVE receivers (origin) AS (
      SELECT min(origin) FROM callbacks WHERE state = 'waiting' AND leased_until = 0
      UNION ALL
      SELECT (
        SELECT min(origin) FROM callbacks
        WHERE state = 'waiting' AND leased_until = 0 AND origin > receivers.origin)
      FROM receivers WHERE origin IS NOT NULL)
    SELECT origin, (
      SELECT min(due_at) FROM callbacks
      WHERE state = 'waiting' AND leased_until = 0 AND origin = receivers.origin) AS due
    FROM receivers WHERE origin IS NOT NULL ORDER BY due
    """

  static let countClaimed =
    "SELECT count(*) FROM callbacks WHERE state = 'waiting' AND leased_until > 0 AND origin = ?"

  static let selectDue = """
    SELECT callbacks.ask, callbacks.url, callbacks.attempts, asks.outcome, asks.closed_at, asks.closed
    FROM callbacks JOIN asks ON asks.id = callbacks.ask
    WHERE state = 'waiting' AND leased_until = 0 AND origin = ? AND due_at <= ?
    ORDER BY due_at LIMIT ?
    """

  static let selectFirstLease =
    "SELECT min(leased_until) AS due FROM callbacks WHERE state = 'waiting' AND leased_until > 0"

  package func settle(_ callback: Callback, as result: Callback.Result) async throws {
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

  package func nextCallback() async throws -> Timestamp? {
    try await connection.read { db in
      let lease = (try db.row(Self.selectFirstLease)?["due"] as Int64?).map(Timestamp.init(milliseconds:))
      return [lease, try Self.receivers(db).first?.due].compactMap(\.self).min()
    }
  }
}

extension Callback {
  /// A row of `callbacks`, joined with its closed ask.
  fileprivate init(_ row: Row) throws {
    let id = try AskID(row, column: "ask")
    guard let closed = try ClosedAsk(row, id: id) else {
      throw StoreFault.readFailed(detail: "a callback’s ask is open")
    }
    self.init(id: id, url: row["url"], attempts: row["attempts"], closed: closed)
  }
}

internal import GRDB

extension SQLiteAskStore {
  public func purge(before moment: Timestamp, limit: Int) async throws -> Int {
    try await connection.write { db in
      let asks = try db.run(
        """
        DELETE FROM asks WHERE id IN (
          SELECT id FROM asks
          WHERE outcome IS NOT NULL AND closed_at < ?
            AND NOT EXISTS (SELECT * FROM callbacks WHERE ask = id AND state = 'waiting')
          ORDER BY closed_at LIMIT ?)
        """, [moment.milliseconds, limit])
      let answers = try db.run(
        """
        DELETE FROM answers WHERE position IN (
          SELECT position FROM answers WHERE answered_at < ? ORDER BY answered_at LIMIT ?)
        """, [moment.milliseconds, limit])
      return asks + answers
    }
  }
}

internal import Foundation
internal import Glibc
package import Prompts

extension SQLiteAskStore {
  package func statistics() async throws -> StoreStatistics {
    try await connection.read { db in
      func count(_ sql: String) throws -> Int { try db.row(sql) { Int($0.integer(0)) } ?? 0 }
      return StoreStatistics(
        openAsks: try count("SELECT count(*) FROM asks WHERE outcome IS NULL"),
        waitingCallbacks: try count("SELECT count(*) FROM callbacks WHERE state = 'waiting' AND leased_until = 0")
          + count("SELECT count(*) FROM callbacks WHERE state = 'waiting' AND leased_until > 0"))
    }
  }

  package func tryWrite() async throws {
    // A number in the file's header that SQLite leaves to programs, and this one does not use.
    try await connection.write { db in try db.execute("PRAGMA user_version = 0") }
  }

  package func purge(before moment: Timestamp, limit: Int) async throws -> Int {
    try await connection.write { db in
      let asks = try db.run(
        """
        DELETE FROM asks WHERE id IN (
          SELECT id FROM asks
          WHERE outcome IS NOT NULL AND closed_at < ?
            AND NOT EXISTS (SELECT * FROM callbacks WHERE ask = id AND state = 'waiting')
          ORDER BY closed_at LIMIT ?)
        """, [.moment(moment), .integer(limit)])
      // The oldest are the first. One that stands behind younger ones, since the clock was set back, goes when they go.
      let answers = try db.run(
        """
        DELETE FROM answers WHERE answered_at < ? AND position IN (
          SELECT position FROM answers ORDER BY position LIMIT ?)
        """, [.moment(moment), .integer(limit)])
      return asks + answers
    }
  }

  /// Writes a copy of the database: whole, of one moment, a database of its own that only its owner can read. It takes
  /// the place of what had this name, once it is on the disk. Writes wait meanwhile.
  ///
  /// - Throws: `StoreFault`; what had this name is still there then.
  package func backUp(to path: String) async throws {
    let new = path + ".new"
    unlink(new)
    let failure = makePrivateFile(new)
    guard failure == 0 else { throw StoreFault.file(path: new, errno: failure) }
    do {
      _ = try await connection.read { db in try db.run("VACUUM INTO ?", [.text(new)]) }
      let failure = synchronizeFile(new)
      guard failure == 0 else { throw StoreFault.file(path: new, errno: failure) }
      guard rename(new, path) == 0 else { throw StoreFault.file(path: path, errno: errno) }
      synchronizeDirectory(of: path)
    } catch {
      unlink(new)
      throw error
    }
  }
}

// MARK: Keys

extension SQLiteAskStore {
  /// What came of sealing a database anew.
  package struct Rekeyed: Sendable, Equatable {
    /// Texts that another key had sealed.
    package var count = 0
    /// What no key opens, each with why; it stays as it is.
    package var unreadable: [String] = []
  }

  /// Seals with the first key whatever another one sealed; afterwards only the first is needed.
  ///
  /// Each batch is a transaction. After an interruption it continues where it had stopped, since sealed bytes say which
  /// key sealed them.
  package func rekey(batch: Int = 100) async throws -> Rekeyed {
    var rekeyed = Rekeyed()
    // What the old key sealed must not stay behind in unused bytes of the file.
    try await connection.read { try $0.execute("PRAGMA secure_delete = ON") }
    for column in SealedColumn.all {
      var place: Int64 = 0
      while true {
        let (part, last) = try await connection.write { [secrets, place] db in
          try column.reseal(after: place, limit: batch, with: secrets, on: db)
        }
        rekeyed.count += part.count
        rekeyed.unreadable += part.unreadable
        guard let last else { break }
        place = last
      }
    }
    try await connection.write { [secrets] db in
      try db.set("fingerprints", to: Data(secrets.formerFingerprints().stored).base64EncodedString())
      try db.set("key", to: secrets.keyID)
    }
    return rekeyed
  }
}

/// A column that can hold sealed bytes.
private struct SealedColumn: Sendable {
  /// Rows after a place, at most so many: `place`, `owner`, `kept`.
  let select: String
  let update: String
  /// Which part of an ask it is, whose id is the owner; `nil` if the owner is the whole context.
  let part: SecretBox.Part?

  static let all = [
    SealedColumn(
      select: """
        SELECT rowid AS place, id AS owner, definition AS kept FROM asks
        WHERE rowid > ? AND holds_passwords ORDER BY rowid LIMIT ?
        """, update: "UPDATE asks SET definition = ? WHERE rowid = ?", part: .definition),
    SealedColumn(
      select: """
        SELECT rowid AS place, id AS owner, initial AS kept FROM asks
        WHERE rowid > ? AND holds_passwords ORDER BY rowid LIMIT ?
        """, update: "UPDATE asks SET initial = ? WHERE rowid = ?", part: .values),
    SealedColumn(
      select: """
        SELECT rowid AS place, id AS owner, closed AS kept FROM asks
        WHERE rowid > ? AND holds_passwords AND closed IS NOT NULL ORDER BY rowid LIMIT ?
        """, update: "UPDATE asks SET closed = ? WHERE rowid = ?", part: .closed),
    SealedColumn(
      select: """
        SELECT rowid AS place, id AS owner, link AS kept FROM asks
        WHERE rowid > ? AND link IS NOT NULL ORDER BY rowid LIMIT ?
        """, update: "UPDATE asks SET link = ? WHERE rowid = ?", part: .link),
    SealedColumn(
      select: """
        SELECT position AS place, context AS owner, outcome AS kept FROM answers
        WHERE position > ? AND context <> '' ORDER BY position LIMIT ?
        """, update: "UPDATE answers SET outcome = ? WHERE position = ?", part: nil),
  ]

  /// - Returns: what came of them, and the last one's place, or `nil` if there was none.
  func reseal(
    after place: Int64, limit: Int, with secrets: SecretBox, on db: SQLite
  ) throws -> (SQLiteAskStore.Rekeyed, last: Int64?) {
    let rows = try db.rows(select, [.integer(place), .integer(limit)]) { row in
      let context = if let part { SecretBox.context(part, of: try row.askID(1)) } else { row.text(1) ?? "" }
      return (place: row.integer(0), context: context, kept: row.sealable(2))
    }
    var rekeyed = SQLiteAskStore.Rekeyed()
    for row in rows {
      do {
        guard let sealed = try secrets.reseal(row.kept, context: row.context) else { continue }
        try db.run(update, [.bytes(sealed.stored), .integer(row.place)])
        rekeyed.count += 1
      } catch let fault as SecretFault {
        rekeyed.unreadable.append("\(row.context): \(fault)")
      }
    }
    return (rekeyed, rows.last?.place)
  }
}

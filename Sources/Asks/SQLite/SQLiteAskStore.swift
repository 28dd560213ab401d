internal import Foundation
internal import Glibc
internal import GRDB

/// An `AskStore` in one SQLite file, for one process: it keeps the file to itself while it is open.
///
/// One connection does everything, and what is written together is committed together: see
/// `GroupCommit`. An answer is acknowledged when it is in the write-ahead log and the log is on the disk.
package final class SQLiteAskStore: AskStore {
  package let secrets: SecretBox
  package let callbackSignal = WakeSignal()
  let clock: WallClock
  let waiters: Waiters
  let connection: GroupCommit
  /// What SQLite did not read of the log as the file was opened; nil: it read everything.
  package let leftOut: LeftOut?

  /// Opens the file, or makes it (mode 0600) where there is none.
  ///
  /// - Parameters:
  ///   - path: the database file.
  ///   - source: where the key to sealed passwords comes from, mostly `SecretSource.beside(_:environment:)`.
  ///   - waiters: whom to wake after a commit that closed an ask.
  ///   - patience: how long to wait for another process to let go of the file.
  ///   - onCommit: told of each transaction that brought changes to the disk: how long it took, and its writes.
  /// - Throws: `StoreFault` or `SecretFault`.
  package init(
    _ path: String, secrets source: SecretSource, waiters: Waiters, clock: WallClock = .system,
    patience: Duration = .seconds(5), onCommit: @escaping @Sendable (Duration, Int) -> Void = { _, _ in }
  ) throws {
    let opening = DatabaseOpening(path: path, key: source.file, patience: patience / .seconds(1))
    let database: DatabaseQueue
    (database, leftOut) = try opening.open()
    secrets = try Self.bind(database, to: source)
    self.clock = clock
    self.waiters = waiters
    connection = GroupCommit(database, of: try DatabaseFiles(openAt: path), onCommit: onCommit)
  }

  /// The database remembers the keys that sealed something in it: a lost or changed one is noticed now
  /// and not when a sealed answer is asked for.
  private static func bind(_ database: DatabaseQueue, to source: SecretSource) throws -> SecretBox {
    try database.inDatabase { db in
      let keyIDs = try db.setting("key")?.split(separator: ",").map(String.init) ?? []
      let secrets = try source.load(boundTo: keyIDs)
      if !keyIDs.contains(secrets.keyID) {
        try db.set("key", to: (keyIDs + [secrets.keyID]).joined(separator: ","))
      }
      guard let former = try db.setting("fingerprints").flatMap({ Data(base64Encoded: $0) }) else { return secrets }
      return try secrets.finding(Sealable(stored: Array(former)))
    }
  }

  package var health: StoreHealth { connection.health }

  /// Transactions committed, and writes in them, since the file was opened.
  package var counts: (commits: Int, writes: Int) { connection.counts }

  /// Brings what waits to the disk and lets go of the file; every later call throws `.closed`.
  package func close() async throws { try await connection.close() }
}

extension SQLiteAskStore {
  package func statistics() async throws -> StoreStatistics {
    try await connection.read { db in
      func count(_ sql: String) throws -> Int { try db.row(sql)?[0] ?? 0 }
      return StoreStatistics(
        openAsks: try count("SELECT count(*) FROM asks WHERE outcome IS NULL"),
        waitingCallbacks: try count("SELECT count(*) FROM callbacks WHERE state = 'waiting' AND leased_until = 0")
          + count("SELECT count(*) FROM callbacks WHERE state = 'waiting' AND leased_until > 0"))
    }
  }

  package func tryWrite() async throws {
    // A number in the file's header that SQLite leaves to programs, and this one to itself.
    try await connection.write { db in try db.execute(sql: "PRAGMA user_version = 0") }
  }
}

extension SQLiteAskStore {
  /// Writes a copy of the database: whole, of one moment, a database of its own that only its owner
  /// can read. It takes the place of what had this name, once it is on the disk. Writes wait meanwhile.
  ///
  /// - Throws: `StoreFault`; what had this name is still there then.
  package func backUp(to path: String) async throws {
    let new = path + ".new"
    unlink(new)
    let failure = makePrivateFile(new)
    guard failure == 0 else { throw StoreFault.file(path: new, errno: failure) }
    do {
      try await connection.read { db in try db.execute(sql: "VACUUM INTO ?", arguments: [new]) }
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

extension SQLiteAskStore {
  package func purge(before moment: Timestamp, limit: Int) async throws -> Int {
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

internal import Foundation
internal import GRDB

/// An `AskStore` in one SQLite file, for one process: it keeps the file to itself while it is open.
///
/// One connection does everything, and what is written together is committed together: see
/// `GroupCommit`. An answer is acknowledged when it is in the write-ahead log and the log is on the disk.
public final class SQLiteAskStore: AskStore {
  public let secrets: SecretBox
  public let callbackBell = Doorbell()
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
  public init(
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

  public var health: StoreHealth { connection.health }

  /// Transactions committed, and writes in them, since the file was opened.
  public var counts: (commits: Int, writes: Int) { connection.counts }

  /// Brings what waits to the disk and lets go of the file; every later call throws `.closed`.
  public func close() async throws { try await connection.close() }
}

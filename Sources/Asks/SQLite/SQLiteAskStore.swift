internal import Glibc
package import Prompts
internal import StrictJSON

/// An `AskStore` in one SQLite file, for one process: it keeps the file to itself while it is open.
///
/// One connection does everything, and what is written together is committed together: see `GroupCommit`. An answer is
/// acknowledged when it is in the write-ahead log and the log is on the disk.
package typealias SQLiteAskStore = DatabaseAskStore<SQLiteFile>

/// An open SQLite file.
package struct SQLiteFile: AskDatabase {
  package typealias Row = SQLiteRecord

  let connection: GroupCommit<SQLiteCommitConnection>
  /// What SQLite did not read of the log as the file was opened, if anything.
  let unreadLog: UnreadLog?
  let notices: [OpeningNotice]

  package var health: StoreHealth { connection.health }

  package func read(_ call: StoreCall) async throws -> [SQLiteRecord] {
    try await connection.read { try $0.perform(call) }
  }

  package func write(_ call: StoreCall) async throws -> [SQLiteRecord] {
    try await connection.write { try $0.perform(call) }
  }

  package func inspect() async throws { try await connection.inspect() }

  package func close() async throws { try await connection.close() }
}

extension DatabaseAskStore where Database == SQLiteFile {
  /// Opens the file, or makes it (mode 0600) if there is none.
  ///
  /// - Parameters:
  ///   - path: the database file.
  ///   - source: where the key to sealed passwords comes from, mostly `SecretSource.beside(_:environment:)`.
  ///   - waiters: whom to wake after a commit that closed an ask.
  ///   - patience: how long to wait for another process to let go of the file.
  ///   - onCommit: told of each transaction that brought changes to the disk: how long it took, and its writes.
  /// - Throws: `StoreFault` or `SecretFault`.
  package convenience init(
    _ path: String, secrets source: SecretSource, waiters: Waiters, clock: WallClock = .system,
    patience: Duration = .seconds(5), onCommit: @escaping @Sendable (Duration, Int) -> Void = { _, _ in }
  ) throws {
    let (session, unreadLog, notices) = try SQLiteDatabase(
      path: path, key: source.file, patience: patience / .seconds(1)
    ).open()
    let secrets = try source.bind(to: session)
    // From now on the log is never empty while a server runs.
    try? session.set("opened", to: clock.now.description)
    let file = SQLiteFile(
      connection: GroupCommit(try SQLiteCommitConnection(session, at: path), onCommit: onCommit), unreadLog: unreadLog,
      notices: (unreadLog.map { [OpeningNotice($0)] } ?? []) + notices)
    self.init(file, secrets: secrets, waiters: waiters, clock: clock)
  }

  var connection: GroupCommit<SQLiteCommitConnection> { database.connection }
  var unreadLog: UnreadLog? { database.unreadLog }

  /// What an operator should know of how the file was opened.
  package var notices: [OpeningNotice] { database.notices }

  /// Transactions committed, and writes in them, since the file was opened.
  package var counts: (commits: Int, writes: Int) { connection.counts }

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

  /// Seals with the first key whatever another one sealed; afterwards only the first is needed.
  package func rekey(batch: Int = 100) async throws -> Rekeyed {
    // What the old key sealed must not stay behind in unused bytes of the file.
    try await connection.read { try $0.execute("PRAGMA secure_delete = ON") }
    var rekeying = Rekeying(secrets: secrets, batch: batch)
    while let step = rekeying.next {
      rekeying.note(try await connection.write { try step.run(on: $0) })
    }
    return rekeying.rekeyed
  }
}

// MARK: Statements

extension SQLite {
  func perform(_ call: StoreCall) throws -> [SQLiteRecord] {
    if call.statement == .claim { return try claim(call.values) }
    return try call.statement.sqlite.flatMap { try records($0, call.values) }
  }

  /// Takes callbacks that are due: first the leases that are over end, then each receiver gets as many as it has room for.
  ///
  /// - Parameter values: as in `StoreStatement.claim`.
  private func claim(_ values: [StoreValue]) throws -> [SQLiteRecord] {
    let (now, limits, lease) = (values[0], values[1], values[4])
    guard case .integer(let perOrigin?) = values[2], case .integer(var room?) = values[3] else { return [] }
    try run(
      "UPDATE callbacks SET leased_until = 0 WHERE state = 'waiting' AND leased_until > 0 AND leased_until <= ?", [now])
    var claimed: [SQLiteRecord] = []
    for receiver in try records(Self.selectRoom, [now, limits, .integer(perOrigin)]) where room > 0 {
      let limit = min(room, receiver.integer("room") ?? 0)
      if limit <= 0 { continue }
      let due = try records(Self.selectDue, [.text(receiver.text("origin")), now, .integer(limit)])
      room -= Int64(due.count)
      claimed += due
    }
    for callback in claimed {
      try run("UPDATE callbacks SET leased_until = ? WHERE ask = ?", [lease, .text(callback.text("id"))])
    }
    return claimed
  }

  static let selectRoom = """
    SELECT origin, coalesce(json_extract(?2, '$."' || origin || '"'), ?3) - (
      SELECT count(*) FROM callbacks WHERE state = 'waiting' AND leased_until > 0 AND origin = receiver.origin) AS room
    FROM (\(StoreStatement.receiversOfFree)) AS receiver WHERE due <= ?1
    """

  static let selectDue = """
    SELECT asks.id, callbacks.url, callbacks.attempts, outcome, closed_at, closed, closed_request
    FROM callbacks JOIN asks ON asks.id = callbacks.ask
    WHERE state = 'waiting' AND leased_until = 0 AND origin = ? AND due_at <= ?
    ORDER BY due_at LIMIT ?
    """
}

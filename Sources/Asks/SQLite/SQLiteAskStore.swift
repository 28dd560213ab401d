internal import Foundation
internal import GRDB
package import Prompts

/// An `AskStore` in one SQLite file, for one process: it keeps the file to itself while it is open.
///
/// One connection does everything, and what is written together is committed together: see `GroupCommit`. An answer is
/// acknowledged when it is in the write-ahead log and the log is on the disk.
package final class SQLiteAskStore: AskStore {
  package let secrets: SecretBox
  package let callbackSignal = WakeSignal()
  let clock: WallClock
  let waiters: Waiters
  let connection: GroupCommit<SQLiteCommitConnection>
  /// What SQLite did not read of the log as the file was opened, if anything.
  package let unreadLog: UnreadLog?

  /// Opens the file, or makes it (mode 0600) if there is none.
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
    let database: DatabaseQueue
    (database, unreadLog) = try SQLiteDatabase(path: path, key: source.file, patience: patience / .seconds(1)).open()
    secrets = try database.inDatabase { try source.bind(to: $0) }
    self.clock = clock
    self.waiters = waiters
    connection = GroupCommit(try SQLiteCommitConnection(database, at: path), onCommit: onCommit)
  }

  package var health: StoreHealth { connection.health }

  /// Transactions committed, and writes in them, since the file was opened.
  package var counts: (commits: Int, writes: Int) { connection.counts }

  /// Brings what waits to the disk and lets go of the file; every later call throws `.closed`.
  package func close() async throws { try await connection.close() }
}

// MARK: Asks

extension SQLiteAskStore {
  package func create(_ draft: AskDraft, idempotency key: IdempotencyKey?) async throws -> CreateResult {
    try await connection.write { [secrets, clock] db in
      let fingerprints = key.map { secrets.fingerprints(of: $0) } ?? []
      for (key, body) in fingerprints {
        let select = "SELECT \(Ask.columns), idempotency_body, link FROM asks WHERE idempotency_key = ?"
        guard let row = try db.row(select, [Data(key)]) else { continue }
        guard row.bytes(12) == body else { return .conflict }
        let ask = try Ask(row)
        let link = (row[13] as Data?).map { Sealable(stored: Array($0)) }
        return .existing(ask, try link.flatMap { try secrets.token(of: ask.id, from: $0) })
      }
      let token = LinkToken()
      let ask = Ask(draft, at: clock.now, sealedWith: secrets)
      let (fingerprint, link) = (fingerprints.first, key.map { _ in secrets.seal(token, of: ask.id).data })
      try db.run(
        """
        INSERT INTO asks (id, link_hash, link, idempotency_key, idempotency_body, prompt, definition,
          initial, metadata, callback, holds_passwords, created_at, expires_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          ask.id.description, Data(token.digest), link, fingerprint.map { Data($0.key) },
          fingerprint.map { Data($0.body) }, ask.prompt, ask.definition.data, ask.values.data, Data(ask.metadata),
          ask.callback, draft.holdsPasswords, ask.createdAt.milliseconds, ask.expiresAt.milliseconds,
        ])
      return .created(ask, token)
    }
  }

  package func releaseKey(of id: AskID) async throws {
    _ = try await connection.write { db in
      try db.run("UPDATE asks SET idempotency_key = NULL, idempotency_body = NULL WHERE id = ?", [id.description])
    }
  }

  package func ask(_ id: AskID) async throws -> Ask? {
    try await upToDate { try $0.row(Self.selectByID, [id.description]) }
  }

  package func ask(linkedBy token: LinkToken) async throws -> Ask? {
    let digest = Data(token.digest)
    return try await upToDate { try $0.row(Self.selectByLink, [digest]) }
  }

  private static let selectByID = "SELECT \(Ask.columns) FROM asks WHERE id = ?"
  private static let selectByLink = "SELECT \(Ask.columns) FROM asks WHERE link_hash = ?"

  /// The row's ask; closed first if its time is over.
  private func upToDate(_ find: @escaping @Sendable (Database) throws -> Row?) async throws -> Ask? {
    guard let ask = try await connection.read({ try find($0).map(Ask.init) }) else { return nil }
    guard ask.isOpen, ask.expiresAt <= clock.now else { return ask }
    _ = try await close(ask.id, as: .expired)
    return try await connection.read { try find($0).map(Ask.init) }
  }

  package func asks(
    areOpen: Bool, of prompt: String?, after cursor: ListedAsk.Cursor, limit: Int
  ) async throws -> [ListedAsk] {
    try await connection.read { db in
      let place: StatementArguments = [cursor.createdAt.milliseconds, cursor.id, limit]
      let select = Self.selectAsks(areOpen: areOpen, ofPrompt: prompt != nil)
      return try db.rows(select, prompt.map { [$0] + place } ?? place).map(ListedAsk.init)
    }
  }

  static func selectAsks(areOpen: Bool, ofPrompt: Bool) -> String {
    """
    SELECT id, prompt, created_at, expires_at, metadata, \(ClosedAsk.columns) FROM asks
    WHERE outcome IS \(areOpen ? "" : "NOT ")NULL \(ofPrompt ? "AND prompt = ? " : "")AND (created_at, id) > (?, ?)
    ORDER BY created_at, id LIMIT ?
    """
  }

  package func close(
    _ id: AskID, as outcome: Outcome, idempotency key: IdempotencyKey?
  ) async throws -> CloseResult {
    try await connection.write(afterCommit: { self.announce([$0]) }) { [secrets, clock] db in
      try Self.close(id, as: outcome, key, at: clock.now, sealedWith: secrets, on: db)
    }.result
  }

  package func expireDue(limit: Int) async throws -> Int {
    // Mostly there is nothing to write, and a transaction would say that the disk is well.
    guard let next = try await nextExpiry(), next <= clock.now else { return 0 }
    return try await connection.write(afterCommit: { self.announce($0) }) { [secrets, clock] db in
      let now = clock.now
      let due = try db.rows(
        "SELECT id FROM asks WHERE outcome IS NULL AND expires_at <= ? ORDER BY expires_at LIMIT ?",
        [now.milliseconds, limit])
      return try due.map { try Self.close($0.askID(0), as: .expired, nil, at: now, sealedWith: secrets, on: db) }
    }.count
  }

  package func nextExpiry() async throws -> Timestamp? {
    try await connection.read { db in
      try db.row("SELECT expires_at FROM asks WHERE outcome IS NULL ORDER BY expires_at LIMIT 1")?
        .timestamp(0)
    }
  }

  /// What one call of `close` did in its transaction.
  private struct Change: Sendable {
    let result: CloseResult
    /// The end of the ask, if it was this call that ended it: whoever waits for it is to be woken.
    var new: ClosedAsk?
    /// Whether a callback was queued for it.
    var hasCallback = false
  }

  /// Ends the ask in one conditional update, and queues its callback.
  private static func close(
    _ id: AskID, as outcome: Outcome, _ key: IdempotencyKey?, at now: Timestamp, sealedWith secrets: SecretBox,
    on db: Database
  ) throws -> Change {
    guard let row = try db.row(selectToClose, [id.description]) else { return Change(result: .unknown) }
    if let closed = ClosedAsk(row, id: id, from: 4) { return Change(result: .alreadyClosed(closed)) }
    let isDue = row.timestamp(3) <= now
    if outcome.kind == .expired, !isDue { return Change(result: .stillOpen) }
    let closed = ClosedAsk(
      id, as: isDue ? .expired : outcome, at: now, metadata: row.bytes(0), sealed: row[2], with: secrets,
      key: isDue ? nil : key)
    let changes = try db.run(
      """
      UPDATE asks SET outcome = ?, closed_at = ?, closed = ?, closed_request = ?, link = NULL
      WHERE id = ? AND outcome IS NULL AND (expires_at <= ?) = ?
      """,
      [
        closed.outcome.rawValue, now.milliseconds, closed.json.data, closed.request.map { Data($0) }, id.description,
        now.milliseconds, isDue,
      ])
    guard changes == 1 else { throw StoreFault.writeFailed(detail: "an ask changed while it was closed") }
    let url = row[1] as String?
    if let url {
      try db.run(
        "INSERT INTO callbacks (ask, url, origin, due_at) VALUES (?, ?, ?, ?)",
        [id.description, url, Callback.origin(of: url), now.milliseconds])
    }
    return Change(
      result: closed.outcome == outcome.kind ? .closed(closed) : .alreadyClosed(closed), new: closed,
      hasCallback: url != nil)
  }

  private static let selectToClose = """
    SELECT metadata, callback, holds_passwords, expires_at, \(ClosedAsk.columns) FROM asks WHERE id = ?
    """

  /// Tells those who wait for these; after the commit.
  private func announce(_ changes: [Change]) {
    for new in changes.compactMap(\.new) { waiters.wake(new) }
    if changes.contains(where: \.hasCallback) { callbackSignal.wake() }
  }
}

// MARK: Answers

extension SQLiteAskStore {
  package func append(
    _ outcome: Outcome, to prompt: String, about subject: String?, holdsPasswords: Bool, receipt: Receipt?,
    idempotency key: IdempotencyKey?
  ) async throws -> AppendResult {
    try await connection.write { [secrets, clock] db in
      let fingerprints = key.map { secrets.fingerprints(of: $0, to: prompt) } ?? []
      if let found = try Self.answer(keptWith: fingerprints, db) { return found }
      let (kept, context) = StandingAnswer.sealed(outcome, about: subject, if: holdsPasswords, with: secrets)
      try db.run(
        """
        INSERT INTO answers (prompt, answered_at, context, outcome, receipt, idempotency_key, idempotency_body)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
        [
          prompt, clock.now.milliseconds, context, kept.data, receipt?.description,
          fingerprints.first.map { Data($0.key) }, fingerprints.first.map { Data($0.body) },
        ])
      return .kept(StandingAnswer.Cursor(position: db.lastInsertedRowID))
    }
  }

  package func answer(keptWith key: IdempotencyKey, to prompt: String) async throws -> AppendResult? {
    let fingerprints = secrets.fingerprints(of: key, to: prompt)
    return try await connection.read { try Self.answer(keptWith: fingerprints, $0) }
  }

  private static func answer(
    keptWith fingerprints: [(key: [UInt8], body: [UInt8])], _ db: Database
  ) throws -> AppendResult? {
    for (key, body) in fingerprints {
      guard let row = try db.row(selectByKey, [Data(key)]) else { continue }
      guard row.bytes(5) == body else { return .conflict }
      return .existing(StandingAnswer(row), (row[6] as String?).flatMap { Receipt($0) })
    }
    return nil
  }

  static let selectByKey =
    "SELECT \(StandingAnswer.columns), idempotency_body, receipt FROM answers WHERE idempotency_key = ?"

  package func answers(
    to prompt: String, after cursor: StandingAnswer.Cursor?, limit: Int, bytes: Int
  ) async throws -> [StandingAnswer] {
    try await connection.read { db in
      let select = """
        SELECT \(StandingAnswer.columns) FROM answers WHERE prompt = ? AND position > ? ORDER BY position LIMIT ?
        """
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
      let select = "SELECT \(StandingAnswer.columns) FROM answers WHERE receipt = ?"
      return try db.row(select, [receipt.description]).map(StandingAnswer.init)
    }
  }
}

// MARK: Callbacks

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

  package func settle(_ callback: Callback, as result: Callback.Result) async throws {
    let (state, retryAt, counts) = result.kept
    _ = try await connection.write { db in
      // The count of attempts tells whether another sender took over after this one's lease; a delivery counts all the
      // same.
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

  /// Every origin that a free callback waits for, and when the first of them is due; the longest overdue first.
  private static func receivers(_ db: Database) throws -> [(origin: String, due: Timestamp)] {
    try db.rows(selectReceivers).map { ($0[0], $0.timestamp(1)) }
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
    SELECT callbacks.ask, callbacks.url, callbacks.attempts, \(ClosedAsk.columns)
    FROM callbacks JOIN asks ON asks.id = callbacks.ask
    WHERE state = 'waiting' AND leased_until = 0 AND origin = ? AND due_at <= ?
    ORDER BY due_at LIMIT ?
    """

  static let selectFirstLease =
    "SELECT min(leased_until) AS due FROM callbacks WHERE state = 'waiting' AND leased_until > 0"
}

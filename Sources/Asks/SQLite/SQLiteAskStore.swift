package import Prompts

/// An `AskStore` in one SQLite file, for one process: it keeps the file to itself while it is open.
///
/// One connection does everything, and what is written together is committed together: see `GroupCommit`. An answer is
/// acknowledged when it is in the write-ahead log and the log is on the disk.
package final class SQLiteAskStore: AskStore {
  package let secrets: SecretBox
  package let callbackSignal = WakeSignal()
  package let clock: WallClock
  let waiters: Waiters
  let connection: GroupCommit<SQLiteCommitConnection>
  /// What SQLite did not read of the log as the file was opened, if anything.
  let unreadLog: UnreadLog?
  /// What an operator should know of how the file was opened.
  package let notices: [OpeningNotice]

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
    let database: SQLite
    let more: [OpeningNotice]
    (database, unreadLog, more) = try SQLiteDatabase(path: path, key: source.file, patience: patience / .seconds(1))
      .open()
    notices = (unreadLog.map { [OpeningNotice($0)] } ?? []) + more
    secrets = try source.bind(to: database)
    // From now on the log is never empty while a server runs.
    try? database.set("opened", to: clock.now.description)
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
        let found: CreateResult? = try db.row(Self.selectByKeyOfAsk, [.bytes(key)]) { row in
          guard row.bytes(12) == body else { return .conflict }
          let ask = try Ask(row)
          let link = row.optionalBytes(13).map { Sealable(stored: $0) }
          return .existing(ask, try link.flatMap { try secrets.token(of: ask.id, from: $0) })
        }
        if let found { return found }
      }
      let token = LinkToken()
      let ask = Ask(draft, at: clock.now, sealedWith: secrets)
      let (fingerprint, link) = (fingerprints.first, key.map { _ in secrets.seal(token, of: ask.id).stored })
      try db.run(
        """
        INSERT INTO asks (id, link_hash, link, idempotency_key, idempotency_body, prompt, definition,
          initial, metadata, callback, holds_passwords, created_at, expires_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          .id(ask.id), .bytes(token.digest), .bytes(link), .bytes(fingerprint?.key), .bytes(fingerprint?.body),
          .text(ask.prompt), .bytes(ask.definition.stored), .bytes(ask.values.stored), .bytes(ask.metadata),
          .text(ask.callback), .integer(draft.holdsPasswords ? 1 : 0), .moment(ask.createdAt), .moment(ask.expiresAt),
        ])
      return .created(ask, token)
    }
  }

  private static let selectByKeyOfAsk =
    "SELECT \(Ask.columns), idempotency_body, link FROM asks WHERE idempotency_key = ?"

  package func releaseKey(of id: AskID) async throws {
    _ = try await connection.write { db in
      try db.run("UPDATE asks SET idempotency_key = NULL, idempotency_body = NULL WHERE id = ?", [.id(id)])
    }
  }

  package func ask(_ id: AskID) async throws -> Ask? {
    try await upToDate(Self.selectByID, .id(id))
  }

  package func ask(linkedBy token: LinkToken) async throws -> Ask? {
    try await upToDate(Self.selectByLink, .bytes(token.digest))
  }

  private static let selectByID = "SELECT \(Ask.columns) FROM asks WHERE id = ?"
  private static let selectByLink = "SELECT \(Ask.columns) FROM asks WHERE link_hash = ?"

  /// The ask that the statement finds; closed first if its time is over.
  private func upToDate(_ select: String, _ value: SQLiteValue) async throws -> Ask? {
    guard let ask = try await connection.read({ try $0.row(select, [value]) { try Ask($0) } }) else { return nil }
    guard ask.isOpen, ask.expiresAt <= clock.now else { return ask }
    _ = try await close(ask.id, as: .expired)
    return try await connection.read { try $0.row(select, [value]) { try Ask($0) } }
  }

  package func outcome(of id: AskID) async throws -> ClosedAsk? {
    let found = try await connection.read { db in
      try db.row(Self.selectOutcome, [.id(id)]) { (ClosedAsk($0, id: id, from: 1), $0.timestamp(0)) }
    }
    guard let (closed, expiresAt) = found else { throw UnknownAsk() }
    if let closed { return closed }
    return expiresAt <= clock.now ? try await ask(id)?.closed : nil
  }

  private static let selectOutcome = "SELECT expires_at, \(ClosedAsk.columns) FROM asks WHERE id = ?"

  package func asks(
    areOpen: Bool, of prompt: String?, after cursor: ListedAsk.Cursor, limit: Int
  ) async throws -> [ListedAsk] {
    try await connection.read { db in
      let place: [SQLiteValue] = [.moment(cursor.createdAt), .text(cursor.id), .integer(limit)]
      let select = Self.selectAsks(areOpen: areOpen, ofPrompt: prompt != nil)
      return try db.rows(select, prompt.map { [.text($0)] + place } ?? place) { try ListedAsk($0) }
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
    try await connection.write(afterCommit: { self.announce([$0]) }) { [self] db in
      try end(id, as: outcome, key, at: clock.now, on: db)
    }.result
  }

  package func expireDue(limit: Int) async throws -> Int {
    try await connection.inspect()
    // Mostly there is nothing to write, and a transaction would say that the disk is well.
    guard let next = try await nextExpiry(), next <= clock.now else { return 0 }
    return try await connection.write(afterCommit: { self.announce($0) }) { [self] db in
      let now = clock.now
      let due = try db.rows(
        "SELECT id FROM asks WHERE outcome IS NULL AND expires_at <= ? ORDER BY expires_at LIMIT ?",
        [.moment(now), .integer(limit)]
      ) { try $0.askID(0) }
      return try due.map { try end($0, as: .expired, nil, at: now, on: db) }
    }.count
  }

  package func nextExpiry() async throws -> Timestamp? {
    try await connection.read { db in
      try db.row("SELECT expires_at FROM asks WHERE outcome IS NULL ORDER BY expires_at LIMIT 1") { $0.timestamp(0) }
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

  /// An open ask that is to be closed.
  private struct Ending {
    let row: Int64
    let metadata: [UInt8]
    let callback: String?
    let holdsPasswords: Bool
    let expiresAt: Timestamp
    /// How it ended before, if it has.
    let closed: ClosedAsk?
  }

  /// Ends the ask, and queues its callback.
  private func end(
    _ id: AskID, as outcome: Outcome, _ key: IdempotencyKey?, at now: Timestamp, on db: SQLite
  ) throws -> Change {
    let found = try db.row(Self.selectToClose, [.id(id)]) { row in
      Ending(
        row: row.integer(0), metadata: row.bytes(1), callback: row.text(2), holdsPasswords: row.integer(3) != 0,
        expiresAt: row.timestamp(4), closed: ClosedAsk(row, id: id, from: 5))
    }
    guard let ask = found else { return Change(result: .unknown) }
    if let closed = ask.closed { return Change(result: .alreadyClosed(closed)) }
    let isDue = ask.expiresAt <= now
    if outcome.kind == .expired, !isDue { return Change(result: .stillOpen) }
    let closed = ClosedAsk(
      id, as: isDue ? .expired : outcome, at: now, metadata: ask.metadata, sealed: ask.holdsPasswords, with: secrets,
      key: isDue ? nil : key)
    // Nobody else has the database, so nothing has changed since it was read.
    try db.run(
      """
      UPDATE asks SET outcome = ?, closed_at = ?, closed = ?, closed_request = ?, link = NULL WHERE rowid = ?
      """,
      [
        .text(closed.outcome.rawValue), .moment(now), .bytes(closed.json.stored), .bytes(closed.request),
        .integer(ask.row),
      ])
    if let url = ask.callback {
      try db.run(
        "INSERT INTO callbacks (ask, url, origin, due_at) VALUES (?, ?, ?, ?)",
        [.id(id), .text(url), .text(Callback.origin(of: url)), .moment(now)])
    }
    return Change(
      result: closed.outcome == outcome.kind ? .closed(closed) : .alreadyClosed(closed), new: closed,
      hasCallback: ask.callback != nil)
  }

  private static let selectToClose = """
    SELECT rowid, metadata, callback, holds_passwords, expires_at, \(ClosedAsk.columns) FROM asks WHERE id = ?
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
          .text(prompt), .moment(clock.now), .text(context), .bytes(kept.stored), .text(receipt?.description),
          .bytes(fingerprints.first?.key), .bytes(fingerprints.first?.body),
        ])
      return .kept(StandingAnswer.Cursor(position: db.lastInsertedRow))
    }
  }

  package func answer(keptWith key: IdempotencyKey, to prompt: String) async throws -> AppendResult? {
    let fingerprints = secrets.fingerprints(of: key, to: prompt)
    return try await connection.read { try Self.answer(keptWith: fingerprints, $0) }
  }

  private static func answer(
    keptWith fingerprints: [(key: [UInt8], body: [UInt8])], _ db: SQLite
  ) throws -> AppendResult? {
    for (key, body) in fingerprints {
      let found: AppendResult? = try db.row(selectByKey, [.bytes(key)]) { row in
        guard row.bytes(5) == body else { return .conflict }
        return .existing(StandingAnswer(row), row.text(6).flatMap { Receipt($0) })
      }
      if let found { return found }
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
      var (answers, size): ([StandingAnswer], Int) = ([], 0)
      try db.eachRow(select, [.text(prompt), .integer(cursor?.position ?? 0), .integer(limit)]) { row in
        let answer = StandingAnswer(row)
        size += answer.outcome.stored.count
        answers.append(answer)
        return size < bytes
      }
      return answers
    }
  }

  package func answer(for receipt: Receipt) async throws -> StandingAnswer? {
    try await connection.read { db in
      let select = "SELECT \(StandingAnswer.columns) FROM answers WHERE receipt = ?"
      return try db.row(select, [.text(receipt.description)]) { StandingAnswer($0) }
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
        [.moment(now)])
      var claimed: [Callback] = []
      for (origin, due) in try Self.receivers(db) where due <= now && claimed.count < limit {
        let busy = try db.row(Self.countClaimed, [.text(origin)]) { Int($0.integer(0)) } ?? 0
        let room = min((limits[origin] ?? perOrigin) - busy, limit - claimed.count)
        guard room > 0 else { continue }
        claimed += try db.rows(Self.selectDue, [.text(origin), .moment(now), .integer(room)]) { try Callback($0) }
      }
      for callback in claimed {
        try db.run(
          "UPDATE callbacks SET leased_until = ? WHERE ask = ?", [.moment(now + lease), .id(callback.id)])
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
        [
          .text(state), .integer(counts), .integer(retryAt?.milliseconds), .id(callback.id),
          .integer(callback.attempts), .text(state),
        ])
    }
  }

  package func nextCallback() async throws -> Timestamp? {
    try await connection.read { db in
      let lease = try db.row(Self.selectFirstLease) { $0.isNull(0) ? nil : $0.timestamp(0) }
      return [lease, try Self.receivers(db).first?.due].compactMap(\.self).min()
    }
  }

  /// Every origin that a free callback waits for, and when the first of them is due; the longest overdue first.
  private static func receivers(_ db: SQLite) throws -> [(origin: String, due: Timestamp)] {
    try db.rows(selectReceivers) { ($0.text(0) ?? "", $0.timestamp(1)) }
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

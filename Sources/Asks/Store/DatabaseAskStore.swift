package import Prompts
internal import StrictJSON

/// A database that an `AskStore` is kept in: it runs the store's statements.
package protocol AskDatabase: Sendable {
  associatedtype Row

  /// Whether the database can acknowledge writes now.
  var health: StoreHealth { get }

  /// Runs a statement that changes nothing.
  func read(_ call: StoreCall) async throws -> [Row]

  /// Runs a statement in a transaction, together with others, and returns after its commit.
  func write(_ call: StoreCall) async throws -> [Row]

  /// Looks whether what was acknowledged is still there.
  ///
  /// - Throws: `StoreFault` if it is known not to be.
  func inspect() async throws

  /// Finishes what waits and lets go of the database.
  func close() async throws
}

/// One statement of a store, with its values.
package struct StoreCall: Sendable {
  let statement: StoreStatement
  let values: [StoreValue]
  /// What it locks, for a database that others write too.
  var lock = RowLock.other
  /// The ask that it closes, for those who wait on other nodes.
  var closing: AskID?
}

/// The row that a write locks. Transactions lock rows in the order of these, so that none waits for one that waits for
/// it.
enum RowLock: Sendable {
  case key([UInt8]?), ask(AskID), prompt(String), callback(AskID), other

  var text: String {
    switch self {
    case .key(let bytes): "0" + (bytes?.hexadecimal ?? "")
    case .ask(let id): "1\(id)"
    case .prompt(let name): "2" + name
    case .callback(let id): "3\(id)"
    case .other: "4"
    }
  }
}

/// An `AskStore` in a database of either kind. Here is decided what is open, due and first; databases differ in their
/// statements and in how they commit them.
///
/// Each write is one statement. Whatever of a row decides about it never changes while an ask is open.
package final class DatabaseAskStore<Database: AskDatabase>: AskStore where Database.Row: StoreRow {
  package let secrets: SecretBox
  package let callbackSignal = WakeSignal()
  package let clock: WallClock
  let waiters: Waiters
  let database: Database

  init(_ database: Database, secrets: SecretBox, waiters: Waiters, clock: WallClock) {
    (self.database, self.secrets, self.waiters, self.clock) = (database, secrets, waiters, clock)
  }

  package var health: StoreHealth { database.health }

  package func close() async throws { try await database.close() }

  private func read(_ statement: StoreStatement, _ values: StoreValue...) async throws -> [Database.Row] {
    try await database.read(StoreCall(statement: statement, values: values))
  }

  func write(
    _ statement: StoreStatement, _ values: [StoreValue], lock: RowLock = .other, closing: AskID? = nil
  ) async throws -> [Database.Row] {
    try await database.write(StoreCall(statement: statement, values: values, lock: lock, closing: closing))
  }
}

// MARK: Asks

extension DatabaseAskStore {
  package func create(_ draft: AskDraft, idempotency key: IdempotencyKey?) async throws -> CreateResult {
    let fingerprints = key.map { secrets.fingerprints(of: $0) } ?? []
    let keys = StoreValue.keys(fingerprints.map(\.key))
    let token = LinkToken()
    while true {
      let ask = Ask(draft, at: clock.now, sealedWith: secrets)
      let link = key.map { _ in secrets.seal(token, of: ask.id).stored }
      let created = try await write(
        .create,
        [
          .id(ask.id), .bytes(token.digest), .bytes(link), .bytes(fingerprints.first?.key),
          .bytes(fingerprints.first?.body), .text(ask.prompt), .bytes(ask.definition.stored),
          .bytes(ask.values.stored), .bytes(ask.metadata), .text(ask.callback), .flag(draft.holdsPasswords),
          .moment(ask.createdAt), .moment(ask.expiresAt), keys,
        ], lock: .key(fingerprints.first?.key))
      if !created.isEmpty { return .created(ask, token) }
      // One with this key is there, unless it was removed meanwhile.
      guard let row = try await read(.asksByKey, keys).first else { continue }
      guard matches(row, fingerprints) else { return .conflict }
      let found = try Ask(row)
      return .existing(
        found, try row.bytes("link").flatMap { try secrets.token(of: found.id, from: Sealable(stored: $0)) })
    }
  }

  private func matches(_ row: Database.Row, _ fingerprints: [(key: [UInt8], body: [UInt8])]) -> Bool {
    let (key, body) = (row.bytes("idempotency_key"), row.bytes("idempotency_body"))
    return fingerprints.contains { $0.key == key && $0.body == body }
  }

  package func releaseKey(of id: AskID) async throws {
    _ = try await write(.releaseKey, [.id(id)], lock: .ask(id))
  }

  package func ask(_ id: AskID) async throws -> Ask? {
    try await closedIfDue { try await read(.askByID, .id(id)).first }
  }

  package func outcome(of id: AskID) async throws -> ClosedAsk? {
    guard let row = try await read(.end, .id(id)).first else { throw UnknownAsk() }
    if let closed = try ClosedAsk(row, id: id) { return closed }
    guard try row.kept(row.timestamp("expires_at")) <= clock.now else { return nil }
    return try await ask(id)?.closed
  }

  package func ask(linkedBy token: LinkToken) async throws -> Ask? {
    try await closedIfDue { try await read(.askByLink, .bytes(token.digest)).first }
  }

  /// The row's ask; closed first if its time is over.
  private func closedIfDue(_ find: () async throws -> Database.Row?) async throws -> Ask? {
    guard let ask = try await find().map({ try Ask($0) }) else { return nil }
    guard ask.isOpen, ask.expiresAt <= clock.now else { return ask }
    _ = try await close(ask.id, as: .expired)
    return try await find().map { try Ask($0) }
  }

  package func asks(
    areOpen: Bool, of prompt: String?, after cursor: ListedAsk.Cursor, limit: Int
  ) async throws -> [ListedAsk] {
    let place: [StoreValue] = [.moment(cursor.createdAt), .text(cursor.id), .integer(limit)]
    let statement: StoreStatement =
      prompt == nil ? areOpen ? .openAsks : .closedAsks : areOpen ? .openAsksOfPrompt : .closedAsksOfPrompt
    let rows = try await database.read(
      StoreCall(statement: statement, values: place + (prompt.map { [.text($0)] } ?? [])))
    return try rows.map { try ListedAsk($0) }
  }

  package func close(
    _ id: AskID, as outcome: Outcome, idempotency key: IdempotencyKey?
  ) async throws -> CloseResult {
    guard let row = try await read(.end, .id(id)).first else { return .unknown }
    return try await close(row, as: outcome, key).result
  }

  /// Ends the ask in one conditional update, which also queues its callback.
  private func close(
    _ row: Database.Row, as outcome: Outcome, _ key: IdempotencyKey? = nil
  ) async throws -> (result: CloseResult, isNew: Bool) {
    let id = try AskID(row)
    if let closed = try ClosedAsk(row, id: id) { return (.alreadyClosed(closed), false) }
    let now = clock.now
    let isDue = try row.kept(row.timestamp("expires_at")) <= now
    if outcome.kind == .expired, !isDue { return (.stillOpen, false) }
    let closed = ClosedAsk(
      id, as: isDue ? .expired : outcome, at: now, metadata: try row.kept(row.bytes("metadata")),
      sealed: row.flag("holds_passwords"), with: secrets, key: isDue ? nil : key)
    let url = row.text("callback")
    let ended = try await write(
      .close,
      [
        .id(id), .text(closed.outcome.rawValue), .moment(now), .bytes(closed.json.stored), .text(url),
        .text(url.map { Callback.origin(of: $0) }), .bytes(closed.request),
      ], lock: .ask(id), closing: id)
    guard !ended.isEmpty else {
      // Another outcome was first, and it is committed: the update waited for that.
      guard let row = try await read(.end, .id(id)).first, let first = try ClosedAsk(row, id: id) else {
        return (.unknown, false)
      }
      return (.alreadyClosed(first), false)
    }
    waiters.wake(closed)
    if url != nil { callbackSignal.wake() }
    return (closed.outcome == outcome.kind ? .closed(closed) : .alreadyClosed(closed), true)
  }

  package func expireDue(limit: Int) async throws -> Int {
    try await database.inspect()
    let due = try await read(.due, .moment(clock.now), .integer(limit))
    // Side by side, so that they share a transaction.
    return try await withThrowingTaskGroup(of: Bool.self) { group in
      for id in try due.map({ try AskID($0) }) {
        group.addTask {
          guard let row = try await self.read(.end, .id(id)).first else { return false }
          return try await self.close(row, as: .expired).isNew
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
  }

  package func nextExpiry() async throws -> Timestamp? {
    try await read(.nextExpiry).first?.timestamp("expires_at")
  }
}

// MARK: Standing prompts

extension DatabaseAskStore {
  package func append(
    _ outcome: Outcome, to prompt: String, about subject: String?, holdsPasswords: Bool, receipt: Receipt?,
    idempotency key: IdempotencyKey?
  ) async throws -> AppendResult {
    let (kept, context) = StandingAnswer.sealed(outcome, about: subject, if: holdsPasswords, with: secrets)
    func append(_ statement: StoreStatement, _ more: [StoreValue] = []) async throws -> AppendResult? {
      let values: [StoreValue] = [
        .text(prompt), .moment(clock.now), .text(context), .bytes(kept.stored), .text(receipt?.description),
      ]
      let position = try await write(statement, values + more, lock: .prompt(prompt)).first?.integer("position")
      return position.map { .kept(StandingAnswer.Cursor(position: $0)) }
    }
    guard let key else {
      guard let kept = try await append(.append) else {
        throw StoreFault.writeFailed(detail: "an answer was not kept")
      }
      return kept
    }
    let fingerprints = secrets.fingerprints(of: key, to: prompt)
    while true {
      let (first, keys) = (fingerprints[0], StoreValue.keys(fingerprints.map(\.key)))
      if let kept = try await append(.appendOnce, [.bytes(first.key), .bytes(first.body), keys]) { return kept }
      // One with this key is there, unless it was removed meanwhile.
      if let found = try await answer(keptWith: fingerprints) { return found }
    }
  }

  package func answer(keptWith key: IdempotencyKey, to prompt: String) async throws -> AppendResult? {
    try await answer(keptWith: secrets.fingerprints(of: key, to: prompt))
  }

  private func answer(keptWith fingerprints: [(key: [UInt8], body: [UInt8])]) async throws -> AppendResult? {
    guard let row = try await read(.answerByKey, .keys(fingerprints.map(\.key))).first else { return nil }
    guard matches(row, fingerprints) else { return .conflict }
    return .existing(try StandingAnswer(row), row.text("receipt").flatMap { Receipt($0) })
  }

  package func answers(
    to prompt: String, after cursor: StandingAnswer.Cursor?, limit: Int, bytes: Int
  ) async throws -> [StandingAnswer] {
    try await read(.answers, .text(prompt), .integer(cursor?.position ?? 0), .integer(limit), .integer(bytes)).map {
      try StandingAnswer($0)
    }
  }

  package func answer(for receipt: Receipt) async throws -> StandingAnswer? {
    try await read(.answerByReceipt, .text(receipt.description)).first.map { try StandingAnswer($0) }
  }
}

// MARK: Callbacks and upkeep

extension DatabaseAskStore {
  package func claimCallbacks(
    limit: Int, perOrigin: Int, limits: [String: Int], lease: Duration
  ) async throws -> [Callback] {
    var json = JSONWriter()
    json.object { json in
      for (origin, limit) in limits { json.member(origin) { $0.literal(Array(String(limit).utf8)) } }
    }
    let now = clock.now
    return try await write(
      .claim,
      [
        .moment(now), .text(String(decoding: json.bytes, as: UTF8.self)), .integer(perOrigin), .integer(limit),
        .moment(now + lease),
      ]
    ).map { try Callback($0) }
  }

  package func settleCallback(_ callback: Callback, as result: Callback.Result) async throws {
    let (state, retryAt, counts) = result.kept
    _ = try await write(
      .settleCallback,
      [.id(callback.id), .text(state), .integer(counts), .moment(retryAt ?? clock.now), .integer(callback.attempts)],
      lock: .callback(callback.id))
  }

  package func nextCallback() async throws -> Timestamp? {
    try await read(.nextCallback).first?.timestamp("due_at")
  }

  package func statistics() async throws -> StoreStatistics {
    let row = try await read(.statistics).first
    return StoreStatistics(
      openAsks: Int(row?.integer("open") ?? 0), waitingCallbacks: Int(row?.integer("waiting") ?? 0))
  }

  package func tryWrite() async throws { _ = try await write(.tryWrite, [.text(clock.now.description)]) }

  package func purge(before moment: Timestamp, limit: Int) async throws -> Int {
    try await write(.purge, [.moment(moment), .integer(limit)]).reduce(0) { $0 + Int($1.integer("count") ?? 0) }
  }
}

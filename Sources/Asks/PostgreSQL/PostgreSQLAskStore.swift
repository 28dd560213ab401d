package import Prompts
internal import StrictJSON
internal import Synchronization

/// An `AskStore` in a PostgreSQL, which several servers can share.
///
/// Each write is one statement, and what comes together is one transaction: see `PostgreSQLConnection`. An answer is
/// acknowledged after the server has said that the transaction is committed.
package final class PostgreSQLAskStore: AskStore {
  package let secrets: SecretBox
  package let callbackSignal = WakeSignal()
  package let clock: WallClock
  private let waiters: Waiters
  let client: PostgreSQLClient
  private let waking: PostgreSQLWaking
  /// What this process calls itself among those that share the database.
  private let node = RandomText()
  private let hasOffered = Atomic(false)

  /// Looks at the database, makes or migrates its tables, and connects.
  ///
  /// - Parameters:
  ///   - address: of the server; or of a pooler of transactions, if there is a direct address.
  ///   - direct: the server's own address, for LISTEN; then nothing is prepared at the other one.
  ///   - source: where the key to sealed passwords comes from. All nodes need the same.
  ///   - waiters: whom to wake when an ask is closed, by this process or another.
  ///   - clock: `nil` for that of the database, by which all nodes agree on what is due.
  ///   - onCommit: told of each transaction: how long it took, and its writes.
  /// - Throws: `StoreFault` or `SecretFault`.
  package init(
    _ address: PostgreSQLAddress, direct: PostgreSQLAddress? = nil, secrets source: SecretSource, waiters: Waiters,
    clock: WallClock? = nil, onCommit: @escaping @Sendable (Duration, Int) -> Void = { _, _ in }
  ) throws {
    let databaseClock: DatabaseClock
    (secrets, databaseClock) = try PostgreSQLOpening(address: address).open(with: source)
    self.clock = clock ?? WallClock { databaseClock.now }
    self.waiters = waiters
    client = PostgreSQLClient(to: address, direct: direct, clock: databaseClock, onCommit: onCommit)
    waking = PostgreSQLWaking(client, waiters)
    client.start { [weak waking] in waking?.handle($0) }
  }

  deinit { client.stop() }

  package var health: StoreHealth { client.health }

  /// Finishes what waits and ends the connections; every later call throws `.closed`.
  package func close() async throws {
    // Whoever is killed is forgotten after a while.
    if hasOffered.load(ordering: .relaxed), health == .healthy {
      _ = try? await write(.leave, .text(node.description), lock: .other)
    }
    await client.close()
  }

  private func read(_ statement: PostgreSQLStatement, _ parameters: PQParameter...) async throws -> [PQRow] {
    try await client.perform(statement, parameters, .reads).rows
  }

  /// - Parameter lock: which row it locks; see `Lock`.
  private func write(
    _ statement: PostgreSQLStatement, _ parameters: PQParameter..., lock: Lock, closing: AskID? = nil
  ) async throws -> PQResult {
    try await client.perform(statement, parameters, .writes, lock: lock.text, closing: closing)
  }

  /// The rows that a write locks, in the order in which transactions lock them.
  private enum Lock {
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
}

// MARK: Asks

extension PostgreSQLAskStore {
  package func create(_ draft: AskDraft, idempotency key: IdempotencyKey?) async throws -> CreateResult {
    let fingerprints = key.map { secrets.fingerprints(of: $0) } ?? []
    let keys = Self.array(of: fingerprints)
    let token = LinkToken()
    while true {
      let ask = Ask(draft, at: clock.now, sealedWith: secrets)
      let link = key.map { _ in secrets.seal(token, of: ask.id).stored }
      let result = try await write(
        .create, .text(ask.id.description), .bytes(token.digest), .bytes(link), .bytes(fingerprints.first?.key),
        .bytes(fingerprints.first?.body), .text(ask.prompt), .bytes(ask.definition.stored), .bytes(ask.values.stored),
        .bytes(ask.metadata), .text(ask.callback), .flag(draft.holdsPasswords), .moment(ask.createdAt),
        .moment(ask.expiresAt), keys, lock: .key(fingerprints.first?.key))
      if !result.isEmpty { return .created(ask, token) }
      // One with this key is there, unless it was removed meanwhile.
      guard let row = try await read(.asksByKey, keys).first else { continue }
      let (key, body) = (row.bytes("idempotency_key"), row.bytes("idempotency_body"))
      guard fingerprints.contains(where: { $0.key == key && $0.body == body }) else { return .conflict }
      let found = try Ask(row)
      return .existing(
        found, try row.bytes("link").flatMap { try secrets.token(of: found.id, from: Sealable(stored: $0)) })
    }
  }

  /// A `bytea[]` of the keys. Hexadecimal digits need no escaping in an array.
  private static func array(of fingerprints: [(key: [UInt8], body: [UInt8])]) -> PQParameter {
    .text("{" + fingerprints.map { "\"\\\\x\($0.key.hexadecimal)\"" }.joined(separator: ",") + "}")
  }

  package func releaseKey(of id: AskID) async throws {
    _ = try await write(.releaseKey, .text(id.description), lock: .ask(id))
  }

  package func ask(_ id: AskID) async throws -> Ask? {
    try await upToDate { try await read(.askByID, .text(id.description)).first }
  }

  package func outcome(of id: AskID) async throws -> ClosedAsk? {
    guard let ask = try await ask(id) else { throw UnknownAsk() }
    return ask.closed
  }

  package func ask(linkedBy token: LinkToken) async throws -> Ask? {
    try await upToDate { try await read(.askByLink, .bytes(token.digest)).first }
  }

  package func asks(
    areOpen: Bool, of prompt: String?, after cursor: ListedAsk.Cursor, limit: Int
  ) async throws -> [ListedAsk] {
    let place: [PQParameter] = [.moment(cursor.createdAt), .text(cursor.id), .integer(Int64(limit))]
    let result =
      if let prompt {
        try await client.perform(
          areOpen ? .openAsksOfPrompt : .closedAsksOfPrompt, place + [.text(prompt)], .reads)
      } else {
        try await client.perform(areOpen ? .openAsks : .closedAsks, place, .reads)
      }
    return try result.rows.map(ListedAsk.init)
  }

  /// The row's ask; closed first if its time is over.
  private func upToDate(_ find: () async throws -> PQRow?) async throws -> Ask? {
    guard let ask = try await find().map(Ask.init) else { return nil }
    guard ask.isOpen, ask.expiresAt <= clock.now else { return ask }
    _ = try await close(ask.id, as: .expired)
    return try await find().map(Ask.init)
  }

  package func close(
    _ id: AskID, as outcome: Outcome, idempotency key: IdempotencyKey?
  ) async throws -> CloseResult {
    guard let row = try await read(.end, .text(id.description)).first else { return .unknown }
    return try await close(row, as: outcome, key).result
  }

  /// Ends the ask in one conditional update, which also queues its callback. What of the row decides never changes
  /// while the ask is open.
  private func close(
    _ row: PQRow, as outcome: Outcome, _ key: IdempotencyKey? = nil
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
    let result = try await write(
      .close, .text(id.description), .text(closed.outcome.rawValue), .moment(now), .bytes(closed.json.stored),
      .text(url), .text(url.map(Callback.origin)), .bytes(closed.request), lock: .ask(id), closing: id)
    guard !result.isEmpty else {
      // Another outcome was first, and it is committed: the update waited for that.
      guard let row = try await read(.end, .text(id.description)).first, let first = try ClosedAsk(row, id: id) else {
        return (.unknown, false)
      }
      return (.alreadyClosed(first), false)
    }
    waiters.wake(closed)
    if url != nil { callbackSignal.wake() }
    return (closed.outcome == outcome.kind ? .closed(closed) : .alreadyClosed(closed), true)
  }

  package func expireDue(limit: Int) async throws -> Int {
    let due = try await read(.due, .moment(clock.now), .integer(Int64(limit)))
    // Side by side, so that they share a transaction.
    return try await withThrowingTaskGroup(of: Bool.self) { group in
      for row in due { group.addTask { try await self.close(row, as: .expired).isNew } }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
  }

  package func nextExpiry() async throws -> Timestamp? {
    try await read(.nextExpiry).first?.timestamp("expires_at")
  }
}

// MARK: Standing prompts

extension PostgreSQLAskStore {
  package func append(
    _ outcome: Outcome, to prompt: String, about subject: String?, holdsPasswords: Bool, receipt: Receipt?,
    idempotency key: IdempotencyKey?
  ) async throws -> AppendResult {
    let (kept, context) = StandingAnswer.sealed(outcome, about: subject, if: holdsPasswords, with: secrets)
    func append(_ statement: PostgreSQLStatement, _ more: [PQParameter] = []) async throws -> AppendResult? {
      let parameters: [PQParameter] = [
        .text(prompt), .moment(clock.now), .text(context), .bytes(kept.stored), .text(receipt?.description),
      ]
      let result = try await client.perform(statement, parameters + more, .writes, lock: Lock.prompt(prompt).text)
      return result.rows.first?.integer("position").map { .kept(StandingAnswer.Cursor(position: $0)) }
    }
    guard let key else {
      guard let kept = try await append(.append) else {
        throw StoreFault.writeFailed(detail: "an answer was not kept")
      }
      return kept
    }
    let fingerprints = secrets.fingerprints(of: key, to: prompt)
    while true {
      let (first, keys) = (fingerprints[0], Self.array(of: fingerprints))
      if let kept = try await append(.appendOnce, [.bytes(first.key), .bytes(first.body), keys]) { return kept }
      // One with this key is there, unless it was removed meanwhile.
      if let found = try await answer(keptWith: fingerprints) { return found }
    }
  }

  package func answer(keptWith key: IdempotencyKey, to prompt: String) async throws -> AppendResult? {
    try await answer(keptWith: secrets.fingerprints(of: key, to: prompt))
  }

  private func answer(keptWith fingerprints: [(key: [UInt8], body: [UInt8])]) async throws -> AppendResult? {
    guard let row = try await read(.answerByKey, Self.array(of: fingerprints)).first else { return nil }
    let (key, body) = (row.bytes("idempotency_key"), row.bytes("idempotency_body"))
    guard fingerprints.contains(where: { $0.key == key && $0.body == body }) else { return .conflict }
    return .existing(try StandingAnswer(row), row.text("receipt").flatMap { Receipt($0) })
  }

  package func answers(
    to prompt: String, after cursor: StandingAnswer.Cursor?, limit: Int, bytes: Int
  ) async throws -> [StandingAnswer] {
    try await read(
      .answers, .text(prompt), .integer(cursor?.position ?? 0), .integer(Int64(limit)), .integer(Int64(bytes))
    ).map(StandingAnswer.init)
  }

  package func answer(for receipt: Receipt) async throws -> StandingAnswer? {
    try await read(.answerByReceipt, .text(receipt.description)).first.map(StandingAnswer.init)
  }
}

// MARK: Callbacks and upkeep

extension PostgreSQLAskStore {
  package func claimCallbacks(
    limit: Int, perOrigin: Int, limits: [String: Int], lease: Duration
  ) async throws -> [Callback] {
    var json = JSONWriter()
    json.object { json in
      for (origin, limit) in limits { json.member(origin) { $0.literal(Array(String(limit).utf8)) } }
    }
    let now = clock.now
    return try await write(
      .claim, .moment(now), .text(String(decoding: json.bytes, as: UTF8.self)), .integer(Int64(perOrigin)),
      .integer(Int64(limit)), .moment(now + lease), lock: .other
    ).rows.map(Callback.init)
  }

  package func settle(_ callback: Callback, as result: Callback.Result) async throws {
    let (state, retryAt, counts) = result.kept
    _ = try await write(
      .settle, .text(callback.id.description), .text(state), .integer(Int64(counts)), .moment(retryAt ?? clock.now),
      .integer(Int64(callback.attempts)), lock: .callback(callback.id))
  }

  package func nextCallback() async throws -> Timestamp? {
    try await read(.nextCallback).first?.timestamp("due_at")
  }

  package func statistics() async throws -> StoreStatistics {
    let row = try await read(.statistics).first
    return StoreStatistics(
      openAsks: Int(row?.integer("open") ?? 0), waitingCallbacks: Int(row?.integer("waiting") ?? 0))
  }

  package func tryWrite() async throws {
    _ = try await write(.tryWrite, .text(clock.now.description), lock: .other)
  }

  /// Says which version of each prompt this server offers.
  ///
  /// - Returns: the names of those that another running server offers in another version, or that only one of the two
  ///   offers, sorted.
  package func offer(_ versions: [String: String]) async throws -> [String] {
    var json = JSONWriter()
    json.object { json in for (name, version) in versions { json.member(name, version) } }
    hasOffered.store(true, ordering: .relaxed)
    let others = try await write(
      .offer, .text(node.description), .text(String(decoding: json.bytes, as: UTF8.self)), lock: .other
    ).rows
    var names: Set<String> = []
    for row in others {
      guard case .object(let members)? = try? JSON(parsing: row.kept(row.bytes("prompts")), limits: .file) else {
        continue
      }
      var other: [String: String] = [:]
      for member in members { if case .string(let version) = member.value { other[member.key] = version } }
      names.formUnion(Set(versions.keys).union(other.keys).filter { versions[$0] != other[$0] })
    }
    return names.sorted()
  }

  package func purge(before moment: Timestamp, limit: Int) async throws -> Int {
    let result = try await write(.purge, .moment(moment), .integer(Int64(limit)), lock: .other)
    return Int(result.rows.first?.integer("count") ?? 0)
  }
}

// MARK: Rows

extension PQRow {
  /// The value of a column that is never NULL.
  func kept<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw StoreFault.readFailed(detail: "a value is missing") }
    return value
  }
}

extension AskID {
  init(_ row: PQRow) throws {
    guard let id = row.text("id").flatMap({ AskID($0) }) else {
      throw StoreFault.readFailed(detail: "an ask’s id is none")
    }
    self = id
  }
}

extension Ask {
  /// A row of `asks`.
  fileprivate init(_ row: PQRow) throws {
    let id = try AskID(row)
    self.init(
      id: id, prompt: row.text("prompt"), definition: Sealable(stored: try row.kept(row.bytes("definition"))),
      values: Sealable(stored: try row.kept(row.bytes("initial"))), metadata: try row.kept(row.bytes("metadata")),
      callback: row.text("callback"), createdAt: try row.kept(row.timestamp("created_at")),
      expiresAt: try row.kept(row.timestamp("expires_at")), closed: try ClosedAsk(row, id: id))
  }
}

extension ListedAsk {
  fileprivate init(_ row: PQRow) throws {
    let id = try AskID(row)
    self.init(
      id: id, prompt: row.text("prompt"), createdAt: try row.kept(row.timestamp("created_at")),
      expiresAt: try row.kept(row.timestamp("expires_at")), metadata: try row.kept(row.bytes("metadata")),
      closed: try ClosedAsk(row, id: id))
  }
}

extension ClosedAsk {
  /// `nil` if the row's ask is open.
  init?(_ row: PQRow, id: AskID) throws {
    guard let outcome = row.text("outcome").flatMap({ Outcome.Kind(rawValue: $0) }) else { return nil }
    self.init(
      id: id, outcome: outcome, closedAt: try row.kept(row.timestamp("closed_at")),
      json: Sealable(stored: try row.kept(row.bytes("closed"))), request: row.bytes("closed_request"))
  }
}

extension StandingAnswer {
  /// A row of `answers`.
  fileprivate init(_ row: PQRow) throws {
    self.init(
      prompt: try row.kept(row.text("prompt")), cursor: .init(position: try row.kept(row.integer("position"))),
      answeredAt: try row.kept(row.timestamp("answered_at")),
      outcome: Sealable(stored: try row.kept(row.bytes("outcome"))), context: row.text("context") ?? "")
  }
}

extension Callback {
  /// A row of `claim`: a callback and its closed ask.
  fileprivate init(_ row: PQRow) throws {
    let id = try AskID(row)
    guard let closed = try ClosedAsk(row, id: id) else {
      throw StoreFault.readFailed(detail: "a callback’s ask is open")
    }
    self.init(
      id: id, url: try row.kept(row.text("url")), attempts: Int(row.integer("attempts") ?? 0), closed: closed)
  }
}

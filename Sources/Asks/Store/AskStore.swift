package import Prompts

/// Stores asks, answers and callbacks in an SQLite file, or in a PostgreSQL database that several servers share. This
/// class decides what is open, what is due and which outcome came first; databases differ only in their statements and
/// in how they commit them.
///
/// Everything that must outlive a process, or that another process must know, is in the database. A method returns only
/// once its result is on the disk. Every method throws `StoreFault`; if it does, nothing of that call is acknowledged.
///
/// Each write is one statement. The columns that decide what it does never change while an ask is open.
package final class AskStore: Sendable {
  /// Opens what this store sealed.
  package let secrets: SecretBox
  /// Wakes the sender when this process has queued a callback.
  let callbackSignal = WakeSignal()
  /// The clock that decides what is due: all servers that share the database use the same one.
  package let clock: WallClock
  /// The tasks of this process that wait for asks to close.
  package let waiters: Waiters
  let database: any AskDatabase

  init(_ database: any AskDatabase, secrets: SecretBox, clock: WallClock, waiters: Waiters = Waiters()) {
    self.database = database
    self.secrets = secrets
    self.clock = clock
    self.waiters = waiters
  }

  /// The reason the store cannot acknowledge writes now, or `nil` if it can. The next write that succeeds ends it if
  /// the disk was full, or if a file was moved away and is back; after a failed or damaged disk the process must be
  /// restarted.
  package var fault: StoreFault? { database.fault }

  /// Finishes what waits and lets go of the database; every later call throws `.closed`.
  package func close() async throws { try await database.close() }

  func read(_ statement: StoreStatement, _ values: NamedValues = [:]) async throws -> [StoreRow] {
    try await database.read(StoreCall(statement, values))
  }

  func write(_ statement: StoreStatement, _ values: NamedValues, locking locks: StoreLock...) async throws -> [StoreRow]
  {
    try await database.write(StoreCall(statement, values, locks: locks))
  }
}

/// A database that an `AskStore` is kept in: it runs the store's statements.
protocol AskDatabase: Sendable {
  /// The reason the database cannot acknowledge writes now, or `nil` if it can.
  var fault: StoreFault? { get }

  /// Runs a statement that changes nothing.
  func read(_ call: StoreCall) async throws -> [StoreRow]

  /// Runs a statement in a transaction, together with others, and returns after its commit.
  func write(_ call: StoreCall) async throws -> [StoreRow]

  /// Looks whether what was acknowledged is still there.
  ///
  /// - Throws: `StoreFault` if it is known not to be.
  func inspect() async throws

  /// Runs `body` on a connection that waits for each response.
  ///
  /// - Throws: `StoreFault`, or what `body` throws.
  func withSession<Result: Sendable>(
    _ body: @escaping @Sendable (any StoreSession) throws -> Result
  ) async throws -> Result

  /// Finishes what waits and lets go of the database.
  func close() async throws
}

/// Values by the names of a statement's parameters.
typealias NamedValues = [String: StoreValue]

/// One statement of a store, with its values.
struct StoreCall: Sendable {
  let statement: StoreStatement
  /// In the order of the statement's parameters.
  let values: [StoreValue]
  /// The locks of the call, in order: nobody else may change what they name between its reading and its commit. Without
  /// any, it passes over what others have locked.
  let locks: [StoreLock]

  /// - Precondition: `named` has a value for each parameter of the statement, and no other.
  init(_ statement: StoreStatement, _ named: NamedValues, locks: [StoreLock] = []) {
    values = statement.parameters.map { name in
      guard let value = named[name] else { preconditionFailure("\(statement) needs :\(name)") }
      return value
    }
    precondition(values.count == named.count, "\(statement) takes only \(statement.parameters)")
    self.statement = statement
    self.locks = locks.sorted()
  }

  /// The value of a parameter, or `nil` if the statement has none of that name.
  subscript(name: String) -> StoreValue? { statement.parameters.firstIndex(of: name).map { values[$0] } }

  /// True if a transaction makes this call's locks before the other's: in one order everywhere, so that there is no
  /// deadlock. Calls without locks come last.
  static func precedes(_ one: StoreCall, _ other: StoreCall) -> Bool {
    guard let first = one.locks.first else { return false }
    return other.locks.first.map { first < $0 } ?? true
  }
}

/// A row of a database with several writers, in the order in which they lock such rows.
enum StoreLock: Comparable, Sendable {
  /// The last position of all asks.
  case positions
  case ask(String)
  /// The last position of a prompt's answers.
  case prompt(String)
  case callback(String)
}

extension Array {
  /// Removes the first `count` elements, or all if there are fewer, and returns them.
  mutating func take(_ count: Int) -> [Element] {
    defer { removeFirst(Swift.min(count, self.count)) }
    return Array(prefix(count))
  }
}

// MARK: Idempotency keys

/// The result of inserting a row.
enum InsertResult: Sendable {
  case inserted(StoreRow)
  /// The row that a request with the same key and body has inserted before.
  case existing(StoreRow)
  /// The key was used with another body.
  case conflict
}

extension AskStore {
  /// Inserts a row, or finds the one that was inserted with a key before.
  ///
  /// - Parameters:
  ///   - lookup: finds a row by its key.
  ///   - fingerprints: of the request's key and body; none if it has no key. The first is kept.
  func insert(
    _ statement: StoreStatement, _ values: NamedValues, locking lock: StoreLock, unless lookup: StoreStatement,
    has fingerprints: [RequestFingerprint]
  ) async throws -> InsertResult {
    while true {
      if let found = try await find(lookup, fingerprints.dropFirst(), of: fingerprints) { return found }
      if let row = try await write(statement, values, locking: lock).first { return .inserted(row) }
      if let found = try await find(lookup, fingerprints.prefix(1), of: fingerprints) { return found }
      // It was there, and was removed meanwhile.
      guard !fingerprints.isEmpty else { throw StoreFault.writeFailed(detail: "nothing was kept") }
    }
  }

  /// The row that was inserted with one of `some` of these fingerprints, or `nil` if there is none.
  func find(
    _ lookup: StoreStatement, _ some: ArraySlice<RequestFingerprint>, of fingerprints: [RequestFingerprint]
  ) async throws -> InsertResult? {
    for fingerprint in some {
      guard let row = try await read(lookup, ["idempotency_key": .bytes(fingerprint.key)]).first else { continue }
      let (key, body) = (row.bytes("idempotency_key"), row.bytes("idempotency_body"))
      return fingerprints.contains { $0.key == key && $0.body == body } ? .existing(row) : .conflict
    }
    return nil
  }
}

// MARK: Asks

/// The result of making an ask.
package enum CreateResult: Sendable {
  /// A new ask.
  case created(Ask, LinkToken)
  /// The ask that was made with this key and body before. There is no token once the ask is closed.
  case existing(Ask, LinkToken?)
  /// The key was used with another body.
  case conflict
}

/// The result of ending an ask.
package enum CloseResult: Sendable {
  case closed(ClosedAsk)
  /// Another outcome was first; or the time was over, and this is the expiry.
  case alreadyClosed(ClosedAsk)
  /// It is open, and its time is not over: only for `.expired`.
  case stillOpen
  case unknown
}

extension AskStore {
  /// Makes an ask, or finds the one that was made with this key.
  package func create(_ draft: AskDraft, idempotency key: IdempotencyKey?) async throws -> CreateResult {
    let fingerprints = key.map { secrets.fingerprints(of: $0, by: draft.terms.askedBy) } ?? []
    let (ask, token) = (Ask(draft, at: clock.now, sealedWith: secrets), LinkToken())
    let context = SecretBox.context(.link, of: ask.id)
    let link = key.map { _ in secrets.seal(Array(token.text.utf8), context: context).stored }
    let row = ask.columns.merging([
      "link_hash": .bytes(token.digest), "link": .bytes(link), "idempotency_key": .bytes(fingerprints.first?.key),
      "idempotency_body": .bytes(fingerprints.first?.body),
    ]) { $1 }
    switch try await insert(.create, row, locking: .positions, unless: .askByKey, has: fingerprints) {
    case .inserted: return .created(ask, token)
    case .conflict: return .conflict
    case .existing(let row):
      let ask = try Ask(row)
      let link = try row.bytes("link").map { try secrets.open(Sealable(stored: $0, .link, of: ask.id)) }
      return .existing(ask, link.flatMap { LinkToken(String(decoding: $0, as: UTF8.self)) })
    }
  }

  /// Forgets the key that an ask was made with: the next request with it makes a new ask. Nothing if it had none.
  package func releaseKey(of id: AskID) async throws {
    _ = try await write(.releaseKey, ["id": .id(id)], locking: .ask(id.description))
  }

  /// The ask of that id, or `nil` if there is none. One whose time is over is closed as expired first.
  package func ask(_ id: AskID) async throws -> Ask? {
    try await closedIfDue(try await read(.askByID, ["id": .id(id)]).first)
  }

  /// The ask that this token's link leads to, or `nil` if there is none. Otherwise as `ask(_:)`.
  package func ask(linkedBy token: LinkToken) async throws -> Ask? {
    try await closedIfDue(try await read(.askByLink, ["link_hash": .bytes(token.digest)]).first)
  }

  private func closedIfDue(_ row: StoreRow?) async throws -> Ask? {
    guard var ask = try row.map({ try Ask($0) }) else { return nil }
    guard ask.isOpen, ask.expiresAt <= clock.now else { return ask }
    switch try await close(ask, as: Ended(.expired)) {
    case .closed(let closed), .alreadyClosed(let closed): ask.closed = closed
    case .stillOpen: break
    case .unknown: return nil
    }
    return ask
  }

  /// Asks in the order of their commits. One that is made meanwhile comes after all that were read.
  ///
  /// - Parameters:
  ///   - areOpen: whether to list the open ones or the closed ones, or `nil` for both.
  ///   - prompt: the named prompt that they were made from, or `nil` for all.
  ///   - asker: the name of the program that made them, or `nil` for all.
  ///   - cursor: where the last reading ended, or `nil` to read from the first.
  ///   - limit: how many asks to return at most.
  package func asks(
    areOpen: Bool?, of prompt: String?, by asker: String? = nil, after cursor: ListedAsk.Cursor?, limit: Int
  ) async throws -> [ListedAsk] {
    let place = try await read(
      .place, ["created_at": .integer(cursor?.createdAt.milliseconds ?? 0), "id": .text(cursor?.id)]
    ).first
    guard let start = cursor == nil ? 0 : place?.integer("start"), let end = place?.integer("last") else { return [] }
    var values: NamedValues = ["after": .integer(start), "limit": .integer(limit)]
    if prompt != nil || asker != nil { values["prompt"] = .text(prompt) }
    if let asker { values["asked_by"] = .text(asker) }
    // An ask that closes between the two is in both, and then it is closed. One that is made between the two is left for
    // the next reading: the first may lack one before it.
    var found: [Int64: ListedAsk] = [:]
    for isOpen in [true, false] where (areOpen ?? isOpen) == isOpen {
      let statement: StoreStatement =
        switch (asker, prompt) {
        case (_?, _): isOpen ? .openAsksOfAsker : .closedAsksOfAsker
        case (nil, _?): isOpen ? .openAsksOfPrompt : .closedAsksOfPrompt
        case (nil, nil): isOpen ? .openAsks : .closedAsks
        }
      for row in try await read(statement, values) {
        let ask = try ListedAsk(row)
        if ask.position <= end { found[ask.position] = ask }
      }
    }
    return found.values.sorted { $0.position < $1.position }.prefix(limit).map(\.self)
  }

  /// Ends an ask: see `close(_:as:idempotency:)` for one that was read.
  package func close(
    _ id: AskID, as ended: Ended, idempotency key: IdempotencyKey? = nil
  ) async throws -> CloseResult {
    guard let row = try await read(.askByID, ["id": .id(id)]).first else { return .unknown }
    return try await close(try Ask(row), as: ended, idempotency: key)
  }

  /// Ends an ask that was read before. The first outcome wins; its callback is queued in the same transaction.
  ///
  /// An outcome that comes when the time is over closes the ask as expired. `.expired` itself closes only an ask whose
  /// time is over.
  ///
  /// - Parameter key: the key of the person's request, by which it is known again: see `SecretBox.hasEnded`.
  package func close(
    _ ask: Ask, as ended: Ended, idempotency key: IdempotencyKey? = nil
  ) async throws -> CloseResult {
    if let closed = ask.closed { return .alreadyClosed(closed) }
    let now = clock.now
    let isDue = ask.expiresAt <= now
    if ended.outcome == .expired, !isDue { return .stillOpen }
    let closed = ClosedAsk(ask, as: isDue ? Ended(.expired) : ended, at: now, with: secrets, key: isDue ? nil : key)
    let id = ask.id.description
    let written = try await write(
      .close,
      ClosedAsk.columns(closed).merging([
        "id": .text(id), "url": .text(ask.terms.callback),
        "origin": .text(ask.terms.callback.map { Callback.origin(of: $0) }),
      ]) { $1 }, locking: .ask(id))
    guard !written.isEmpty else {
      // Another outcome was first, and it is committed: the update waited for that.
      let row = try await read(.askByID, ["id": .id(ask.id)]).first
      guard let first = try row.flatMap({ try Ask($0).closed }) else { return .unknown }
      return .alreadyClosed(first)
    }
    waiters.wake(closed)
    if ask.terms.callback != nil { callbackSignal.wake() }
    return closed.outcome == ended.outcome.kind ? .closed(closed) : .alreadyClosed(closed)
  }

  /// The program takes its question back.
  package func withdraw(_ id: AskID) async throws -> CloseResult { try await close(id, as: Ended(.withdrawn)) }

  /// Closes asks whose time is over, the longest overdue first.
  ///
  /// - Parameter limit: how many to close at most, so that other writers get their turn.
  /// - Returns: how many were closed; if that is `limit`, there may be more.
  package func expireDue(limit: Int) async throws -> Int {
    try await database.inspect()
    let due = try await read(.due, ["now": .moment(clock.now), "limit": .integer(limit)])
    // Side by side, so that they share a transaction.
    return try await withThrowingTaskGroup(of: Int.self) { group in
      for ask in try due.map({ try Ask($0) }) {
        group.addTask { if case .closed = try await self.close(ask, as: Ended(.expired)) { 1 } else { 0 } }
      }
      return try await group.reduce(0, +)
    }
  }
}

// MARK: Upkeep

/// The amount of work that waits in a store.
package struct StoreStatistics: Sendable, Equatable {
  /// Asks without an outcome.
  package let openAsks: Int
  /// Callbacks that are neither delivered nor given up.
  package let waitingCallbacks: Int
}

extension AskStore {
  /// The amount of work that waits.
  package func statistics() async throws -> StoreStatistics {
    let row = try await read(.statistics).first
    return StoreStatistics(
      openAsks: Int(row?.integer("open") ?? 0), waitingCallbacks: Int(row?.integer("waiting") ?? 0))
  }

  /// Writes something meaningless, all the way to the disk.
  package func tryWrite() async throws { _ = try await write(.tryWrite, ["value": .text(clock.now.description)]) }

  /// Removes asks closed, and answers given, before that moment; asks whose callback is still under way stay.
  ///
  /// - Parameter limit: how many of each to remove at most, so that other writers get their turn.
  /// - Returns: how many were removed; 0 if none is left.
  package func purge(before moment: Timestamp, limit: Int) async throws -> Int {
    let values: NamedValues = ["before": .moment(moment), "limit": .integer(limit)]
    return try await write(.purgeAsks, values).count + write(.purgeAnswers, values).count
  }

  /// Removes all asks closed and answers given before that moment, in batches with room between them for other writers.
  ///
  /// - Returns: how many were removed.
  package func purgeAll(before moment: Timestamp, batch: Int = 100) async throws -> Int {
    var total = 0
    while !Task.isCancelled, case let count = try await purge(before: moment, limit: batch), count > 0 {
      total += count
      await Task.yield()
    }
    return total
  }
}

package import Prompts

/// Stores asks, answers and callbacks in an SQLite file, or in a PostgreSQL database that several servers share. This
/// class decides what is open, what is due and which outcome came first; databases differ only in their statements and
/// in how they commit them.
///
/// Everything that must outlive a process, or that another process must know, is in the database. A method returns only
/// once its result is on the disk. Every method throws `StoreFault`; if it does, nothing of that call is acknowledged.
///
/// Each write is one statement. What it does is decided by columns that never change while an ask is open, or whose changes
/// the ask's `revision` counts; the statement does nothing if that is another one than was read.
package final class AskStore: Sendable {
  /// Opens what this store sealed.
  package let secrets: SecretBox
  /// Wakes the sender when this process has queued something.
  let deliverySignal = WakeSignal()
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

  func write(
    _ statement: StoreStatement, _ values: NamedValues, locking locks: [StoreLock] = []
  ) async throws -> [StoreRow] {
    try await database.write(StoreCall(statement, values, locks: locks))
  }
}

/// Values by the names of a statement's parameters, each once. They are so few that hashing the names would take longer
/// than comparing them.
struct NamedValues: Sendable {
  let pairs: [(String, StoreValue)]

  subscript(name: String) -> StoreValue? { pairs.firstIndex { $0.0.isName(name) }.map { pairs[$0].1 } }

  func merging(_ more: Self) -> Self { Self(pairs: pairs + more.pairs) }
}

extension NamedValues: ExpressibleByDictionaryLiteral {
  init(dictionaryLiteral pairs: (String, StoreValue)...) { self.init(pairs: pairs) }
}

extension String {
  /// True if both name the same column or parameter. Most names differ in length.
  func isName(_ other: String) -> Bool { utf8.count == other.utf8.count && self == other }
}

/// A row of a database with several writers, in the order in which they lock such rows.
enum StoreLock: Comparable, Sendable {
  /// The last position of all asks.
  case positions
  case ask(String)
  /// The last position of a prompt's answers.
  case prompt(String)
  case delivery(String)
  /// When the next notice may go to an origin.
  case turn(String)
}

extension Array {
  /// Removes the first `count` elements, or all if there are fewer, and returns them.
  mutating func take(_ count: Int) -> [Element] {
    defer { removeFirst(Swift.min(count, self.count)) }
    return Array(prefix(count))
  }
}

extension Sequence where Self: Sendable, Element: Sendable {
  /// Does this with all elements at once, so that what they write shares a transaction. One that fails stops no other.
  func sideBySide<Value: Sendable>(
    _ work: @escaping @Sendable (Element) async throws -> Value
  ) async -> [Result<Value, any Error>] {
    await withTaskGroup(of: Result<Value, any Error>.self) { group in
      for element in self {
        group.addTask { do { return .success(try await work(element)) } catch { return .failure(error) } }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
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
  /// The key was used by somebody else.
  case othersKey
}

extension AskStore {
  /// Inserts a row, or finds the one that was inserted with a key before.
  ///
  /// - Parameters:
  ///   - lookup: finds a row by its key.
  ///   - fingerprints: of the request's key and body; none if it has no key. The first is kept.
  ///   - others: asks without which nothing is inserted.
  ///   - isOwn: whether a row that is found is the sender's.
  /// - Throws: `UnknownAsk` if one of the others is not there.
  func insert(
    _ statement: StoreStatement, _ values: NamedValues, locking locks: [StoreLock], unless lookup: StoreStatement,
    has fingerprints: [RequestFingerprint], ifThereAre others: [String] = [],
    isOwn: @Sendable (StoreRow) throws -> Bool = { _ in true }
  ) async throws -> InsertResult {
    while true {
      if let found = try await find(lookup, fingerprints.dropFirst(), of: fingerprints, isOwn) { return found }
      if let row = try await write(statement, values, locking: locks).first { return .inserted(row) }
      if let found = try await find(lookup, fingerprints.prefix(1), of: fingerprints, isOwn) { return found }
      for id in others where try await read(.askByID, ["id": .text(id)]).isEmpty { throw UnknownAsk(id: id) }
      // It was there, and was removed meanwhile.
      guard !fingerprints.isEmpty else { throw StoreFault("write-failed", ["detail": "nothing was kept"]) }
    }
  }

  /// The row that was inserted with one of `some` of these fingerprints, or `nil` if there is none.
  func find(
    _ lookup: StoreStatement, _ some: ArraySlice<RequestFingerprint>, of fingerprints: [RequestFingerprint],
    _ isOwn: (StoreRow) throws -> Bool
  ) async throws -> InsertResult? {
    for fingerprint in some {
      guard let row = try await read(lookup, ["idempotency_key": .bytes(fingerprint.key)]).first else { continue }
      guard try isOwn(row) else { return .othersKey }
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
  /// There is no ask with this id, which it is to be kept apart from.
  case unknownOther(String)
}

package extension AskStore {
  /// Makes an ask, or finds the one that was made with this key.
  ///
  /// - Parameter channels: tell people of it, if it says so.
  func create(
    _ draft: AskDraft, idempotency key: IdempotencyKey?, through channels: [Channel] = []
  ) async throws -> CreateResult {
    let fingerprints = key.map { secrets.fingerprints(of: $0, by: draft.terms.askedBy) } ?? []
    let (ask, token) = (Ask(draft, at: clock.now, sealedWith: secrets), LinkToken())
    let isTold = ask.terms.notices != nil
    let link =
      key != nil || isTold
      ? secrets.seal(Array(token.text.utf8), context: SecretBox.context(.link, of: ask.id)).stored : nil
    var row = ask.columns.merging([
      "link_hash": .bytes(token.digest), "link": .bytes(link), "idempotency_key": .bytes(fingerprints.first?.key),
      "idempotency_body": .bytes(fingerprints.first?.body),
    ])
    let others = ask.terms.apartFrom
    // Nothing else can be the id of an ask, or stands in a statement.
    if let other = others.first(where: { AskID($0) == nil }) { return .unknownOther(other) }
    let isPlain = others.isEmpty && !isTold
    if !isPlain {
      let notices = ask.notices(through: channels, at: clock.now)
      row = row.merging(["others": .text(String(decoding: JSON.strings(others).bytes, as: UTF8.self))])
      row = row.merging(["notices": .text(String(decoding: notices, as: UTF8.self))])
    }
    let result: InsertResult
    do {
      result = try await insert(
        isPlain ? .create : .createApart, row, locking: [.positions] + others.map { .ask($0) },
        unless: .askByKey, has: fingerprints, ifThereAre: others)
    } catch let error as UnknownAsk { return .unknownOther(error.id) }
    switch result {
    case .inserted:
      if isTold { deliverySignal.wake() }
      return .created(ask, token)
    case .conflict, .othersKey: return .conflict
    case .existing(let row):
      let ask = try Ask(row)
      let link = try row.bytes("link").map { try secrets.open(Sealable(stored: $0, .link, of: ask.id)) }
      return .existing(ask, link.flatMap { LinkToken(String(decoding: $0, as: UTF8.self)) })
    }
  }

  /// Forgets the key that an ask was made with: the next request with it makes a new ask. Nothing if it had none.
  func releaseKey(of id: AskID) async throws {
    _ = try await write(.releaseKey, ["id": .id(id)], locking: [.ask(id.description)])
  }

  /// The ask of that id, or `nil` if there is none. One whose time is over is closed as expired first.
  func ask(_ id: AskID) async throws -> Ask? {
    try await closedIfDue(try await read(.askByID, ["id": .id(id)]).first)
  }

  /// The ask that this token's link leads to, or `nil` if there is none. Otherwise as `ask(_:)`.
  func ask(linkedBy token: LinkToken) async throws -> Ask? {
    try await closedIfDue(try await read(.askByLink, ["link_hash": .bytes(token.digest)]).first)
  }

  /// True unless this person answered an ask that it is kept apart from. One that has ended only says how.
  ///
  /// - Parameter person: who it is, or `nil` if nobody says so.
  func mayBeAnswered(_ ask: Ask, by person: Person?) async throws -> Bool {
    // A plain ask is kept apart from none.
    guard ask.isOpen, ask.revision != nil else { return true }
    return try await !read(.answerable, ["id": .id(ask.id), "answered_by": .text(person?.key ?? "")]).isEmpty
  }

  private func closedIfDue(_ row: StoreRow?) async throws -> Ask? {
    guard var ask = try row.map({ try Ask($0) }) else { return nil }
    guard ask.isOpen, ask.expiresAt <= clock.now else { return ask }
    switch try await close(ask, as: Ended(.expired)) {
    case .closed(let closed), .alreadyClosed(let closed): ask.closed = closed
    // Its end was moved meanwhile.
    case .stillOpen, .notAllowed: return try await self.ask(ask.id)
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
  func asks(
    areOpen: Bool?, of prompt: String?, by asker: String? = nil, after cursor: ListedAsk.Cursor?, limit: Int
  ) async throws -> [ListedAsk] {
    let place = try await read(
      .place, ["created_at": .integer(cursor?.createdAt.milliseconds ?? 0), "id": .text(cursor?.id)]
    ).first
    guard let start = cursor == nil ? 0 : place?.integer("start"), let end = place?.integer("last") else { return [] }
    var values: NamedValues = ["after": .integer(start), "limit": .integer(limit)]
    if prompt != nil || asker != nil { values = values.merging(["prompt": .text(prompt)]) }
    if let asker { values = values.merging(["asked_by": .text(asker)]) }
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
}

// MARK: Upkeep

/// The amount of work that waits in a store.
package struct StoreStatistics: Sendable, Equatable {
  /// Asks without an outcome.
  package let openAsks: Int
  /// Callbacks that are neither delivered nor given up.
  package let waitingCallbacks: Int
  /// The same of notices, reminders that are not due yet among them.
  package let waitingNotices: Int
  /// Those of them that were tried and have not arrived.
  package let failingNotices: Int
  /// Callbacks and notices that were given up because the program ended while it sent them.
  package let setAside: Int
}

extension AskStore {
  /// The amount of work that waits.
  package func statistics() async throws -> StoreStatistics {
    let row = try await read(.statistics).first
    return StoreStatistics(
      openAsks: Int(row?.integer("open") ?? 0), waitingCallbacks: Int(row?.integer("callbacks") ?? 0),
      waitingNotices: Int(row?.integer("notices") ?? 0), failingNotices: Int(row?.integer("failing") ?? 0),
      setAside: Int(row?.integer("set_aside") ?? 0))
  }

  /// Writes something meaningless, all the way to the disk.
  package func tryWrite() async throws { _ = try await write(.tryWrite, ["value": .text(clock.now.description)]) }

  /// Removes asks closed, and answers given, before that moment; asks whose callback is still under way stay.
  ///
  /// - Parameter limit: how many of each to remove at most, so that other writers get their turn.
  /// - Returns: how many were removed; 0 if none is left.
  func purge(before moment: Timestamp, limit: Int) async throws -> Int {
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

package import Prompts
internal import Synchronization

/// One of the servers that share a PostgreSQL database. It has three connections, each with its own thread, so that
/// reads do not wait for commits, and because LISTEN does not work through a pooler.
///
/// Each write is one statement, and writes that come together share a transaction. An answer is acknowledged after the
/// server has reported that the transaction is committed.
final class PostgreSQLNode: AskDatabase {
  private let address: PostgreSQLAddress
  private let reads: PostgreSQLWorker
  private let writes: PostgreSQLWorker
  private let listener: PostgreSQLWorker
  private let looking: Task<Void, Never>
  /// The name of this process among those that share the database.
  fileprivate let name = RandomText()
  fileprivate let hasOffered = Atomic(false)

  /// - Parameters:
  ///   - address: the server's address, or a pooler's if there is a direct address.
  ///   - direct: the server's own address, for LISTEN, or `nil` if `address` is that.
  init(
    _ address: PostgreSQLAddress, direct: PostgreSQLAddress?, waiters: Waiters, clock: DatabaseClock,
    onCommit: @escaping @Sendable (Duration, Int) -> Void
  ) {
    self.address = address
    let waking = PostgreSQLWaking(waiters)
    let prepares = direct == nil
    let reads = PostgreSQLWorker(.reads, to: address, prepares: prepares, onConnect: waking.forget)
    let commits = PostgreSQLWorker.Role.writes(clock: clock, onCommit: onCommit)
    writes = PostgreSQLWorker(commits, to: address, prepares: prepares, onConnect: waking.forget)
    let listens = PostgreSQLWorker.Role.listens { closed in
      let awaited = waiters.awaited(among: closed)
      if !awaited.isEmpty { Task { try? await waking.wake(awaited, reads) } }
    }
    listener = PostgreSQLWorker(listens, to: direct ?? address, prepares: false, onConnect: waking.forget)
    self.reads = reads
    looking = Task {
      // A look that fails is made up for by the next.
      while (try? await Task.sleep(for: .seconds(1))) != nil { try? await waking.look(reads) }
    }
  }

  deinit {
    looking.cancel()
    for worker in [reads, writes, listener] { worker.stop() }
  }

  var fault: StoreFault? { writes.fault ?? reads.fault }

  /// The reason it hears only at the next look, once a second, what other nodes close; or `nil`.
  var hearingFault: StoreFault? { listener.fault }

  func read(_ call: StoreCall) async throws -> [StoreRow] { try await reads.perform(call) }

  func write(_ call: StoreCall) async throws -> [StoreRow] { try await writes.perform(call) }

  /// A connection that is lost says so by itself.
  func inspect() {}

  func withSession<Result: Sendable>(
    _ body: @escaping @Sendable (any StoreSession) throws -> Result
  ) async throws -> Result {
    try StoreFault.wrapping(address) { try body(try PostgreSQLSession(address)) }
  }

  func close() async {
    looking.cancel()
    // One that is killed is forgotten after a while.
    if hasOffered.load(ordering: .relaxed), fault == nil {
      _ = try? await write(StoreCall(.leave, ["id": .text(name.description)]))
    }
    listener.stop()
    await reads.close()
    await writes.close()
  }
}

package extension AskStore {
  /// Looks at a PostgreSQL database, makes its tables or adds what they lack, and connects.
  ///
  /// - Parameters:
  ///   - address: the server's address, or a transaction pooler's if there is a direct address.
  ///   - direct: the server's own address, for LISTEN. If it is given, no statements are prepared at `address`.
  ///   - source: where the key to sealed passwords comes from. All nodes need the same key.
  ///   - clock: `nil` for the database's clock, so that all nodes agree on what is due.
  ///   - onCommit: told of each transaction: how long it took, and its writes.
  /// - Throws: `StoreFault` or `PlainError`.
  convenience init(
    _ address: PostgreSQLAddress, direct: PostgreSQLAddress? = nil, secrets source: SecretSource,
    clock: WallClock? = nil, onCommit: @escaping @Sendable (Duration, Int) -> Void = { _, _ in }
  ) throws {
    let waiters = Waiters()
    let (secrets, databaseClock) = try PostgreSQLOpening(address: address).open(with: source)
    let node = PostgreSQLNode(address, direct: direct, waiters: waiters, clock: databaseClock, onCommit: onCommit)
    self.init(node, secrets: secrets, clock: clock ?? WallClock { databaseClock.now }, waiters: waiters)
  }

  /// True if other servers can share the database.
  var isShared: Bool { database is PostgreSQLNode }

  /// The reason waiting for what other servers close takes up to a second longer, or `nil` if it does not.
  var hearingFault: StoreFault? { (database as? PostgreSQLNode)?.hearingFault }

  /// Says which version of each prompt this server offers.
  ///
  /// - Returns: the names of those that another running server offers in another version, or that only one of the two
  ///   offers, sorted; none if the database is not shared.
  func offer(_ versions: [String: String]) async throws -> [String] {
    guard let node = database as? PostgreSQLNode else { return [] }
    let json = JSONWriter.object { json in for (name, version) in versions { json.member(name, version) } }
    node.hasOffered.store(true, ordering: .relaxed)
    let values: NamedValues = [
      "id": .text(node.name.description), "prompts": .text(String(decoding: json, as: UTF8.self)),
    ]
    return try await write(.offer, values).compactMap { $0.text("name") }
  }
}

// MARK: What other nodes closed

/// Wakes the tasks of this process that wait for an ask that another process has closed.
///
/// LISTEN is the fast way. The reliable way is one query for changes, once a second, for all waiting tasks together,
/// while there are any.
private final class PostgreSQLWaking: Sendable {
  private let waiters: Waiters
  /// The snapshot of the database at the last look, or `nil` if it is not known what happened before the next one.
  private let snapshot = Mutex<String?>(nil)

  init(_ waiters: Waiters) { self.waiters = waiters }

  func forget() { snapshot.withLock { $0 = nil } }

  func look(_ reads: PostgreSQLWorker) async throws {
    guard waiters.count > 0 else { return forget() }
    let last = snapshot.withLock(\.self)
    let row = try await reads.perform(StoreCall(.changes, ["snapshot": .text(last)])).first
    // Without a snapshot, every ask that somebody waits for is looked up. A new connection, also after a failover, has
    // none.
    try await wake(waiters.awaited(among: last == nil ? nil : AskID.list(row?.text("ids") ?? "")), reads)
    snapshot.withLock { snapshot in
      // A connection that came meanwhile has forgotten it.
      if snapshot == last { snapshot = row?.text("snapshot") }
    }
  }

  func wake(_ ids: [AskID], _ reads: PostgreSQLWorker) async throws {
    for start in stride(from: 0, to: ids.count, by: 1000) {
      let part = StoreValue.array(ids[start..<min(ids.count, start + 1000)].map(\.description))
      for row in try await reads.perform(StoreCall(.endings, ["ids": part])) {
        // One that cannot be read keeps nobody else waiting.
        if let closed = try? ClosedAsk(row, id: AskID(row)) { waiters.wake(closed) }
      }
    }
  }
}

extension AskID {
  /// Ids with commas between them.
  static func list(_ text: String) -> [AskID] { text.split(separator: ",").compactMap { AskID(String($0)) } }
}

/// A database's clock, as far as this process knows it. All that share the database agree on what is due, whatever the
/// clocks of their machines say.
final class DatabaseClock: Sendable {
  /// The moment from which this process counts.
  private let start = ContinuousClock.now
  /// The time of the database's clock then, or a little less.
  private let startMoment = Mutex<Timestamp?>(nil)

  /// The time of the database's clock now, or a little less.
  var now: Timestamp {
    startMoment.withLock(\.self).map { $0 + start.duration(to: .now) } ?? WallClock.system.now
  }

  /// Records a reading of the database's clock: it showed `moment` at some time since `sent`. The previous estimate
  /// stays if it agrees with that reading.
  func set(_ moment: Timestamp, sent: ContinuousClock.Instant) {
    let (earliest, latest) = (moment - start.duration(to: .now), moment - start.duration(to: sent))
    startMoment.withLock { $0 = $0.map { min(max($0, earliest), latest) } ?? earliest }
  }
}

internal import CSQLite
internal import Dispatch
internal import Glibc
package import Prompts
internal import Synchronization

/// An open SQLite file, for one process: it keeps the file to itself.
///
/// One connection does everything. Writes that come together share a transaction and its `fsync`: while one transaction
/// is brought to the disk, the next one's writes gather. A write is acknowledged only when it is in the write-ahead log
/// and the log is on the disk; when a commit fails, all in it fail.
final class SQLiteFile: AskDatabase {
  /// Writes that may wait, beyond which more are refused: it bounds the memory they hold.
  static let capacity = 1024
  /// Writes in one transaction: reads that come meanwhile wait for no more than these.
  private static let batch = 128

  private struct PendingWrite: Sendable {
    /// Called perhaps twice, the first time in a transaction that is rolled back.
    let body: @Sendable (SQLite) throws -> [StoreRow]
    let continuation: CheckedContinuation<[StoreRow], any Error>
  }

  private struct Writes {
    var pending: [PendingWrite] = []
    /// True once no more writes are accepted.
    var isClosed = false
    /// Why the last write failed. After a lasting failure no write is tried any more: what the disk holds is not known.
    var failure: CommitFailure?
    var lastingFailure: CommitFailure? { failure.flatMap { $0.extent == .lasting ? $0 : nil } }
  }

  let notices: [OpeningNotice]
  private let path: String
  /// Runs the calls one after another.
  private let queue = DispatchQueue(label: "okcancel.store")
  /// Used only on the queue; `nil` once it is closed.
  private nonisolated(unsafe) var connection: SQLite?
  private let files: Mutex<DatabaseFiles>
  private let state = Mutex(Writes())
  private let onCommit: @Sendable (Duration, Int) -> Void

  /// - Parameters:
  ///   - connection: used by nobody else from now on.
  ///   - onCommit: told of each transaction that changed something: how long it took, and its writes.
  init(
    _ connection: SQLite, at path: String, notices: [OpeningNotice],
    onCommit: @escaping @Sendable (Duration, Int) -> Void
  ) {
    self.connection = connection
    self.path = path
    self.notices = notices
    self.onCommit = onCommit
    files = Mutex(DatabaseFiles(openAt: path))
  }

  var fault: StoreFault? { state.withLock(\.failure)?.fault }

  /// Writes that no transaction has taken yet.
  var waitingWrites: Int { state.withLock { $0.pending.count } }

  func read(_ call: StoreCall) async throws -> [StoreRow] { try await read { try $0.perform(call) } }

  func write(_ call: StoreCall) async throws -> [StoreRow] { try await write { try $0.perform(call) } }

  func withSession<Result: Sendable>(
    _ body: @escaping @Sendable (any StoreSession) throws -> Result
  ) async throws -> Result {
    try await read { db in
      try StoreFault.wrapping {
        try db.markInUse(self.path)
        // What is replaced must not stay behind in unused bytes of the file.
        try db.execute("PRAGMA secure_delete = ON")
        return try body(db)
      }
    }
  }

  /// Runs `body` between two transactions.
  func read<Result: Sendable>(_ body: @escaping @Sendable (SQLite) throws -> Result) async throws -> Result {
    do {
      return try await withCheckedThrowingContinuation { continuation in
        queue.async {
          continuation.resume(
            with: Swift.Result {
              guard let connection = self.connection else { throw StoreFault("closed") }
              return try body(connection)
            })
        }
      }
    } catch let error as SQLiteError {
      throw StoreFault("read-failed", ["detail": error.detail])
    }
  }

  func backUp(to copy: String) async throws {
    try await read { try $0.backUp(self.path, to: copy, by: $0.copy) }
  }

  /// Runs `body` in a transaction, together with others, and returns after its commit.
  func write(_ body: @escaping @Sendable (SQLite) throws -> [StoreRow]) async throws -> [StoreRow] {
    try await withCheckedThrowingContinuation { continuation in
      let refusal: StoreFault? = state.withLock { state in
        if state.isClosed { return StoreFault("closed") }
        if let failure = state.lastingFailure { return failure.fault }
        if state.pending.count >= Self.capacity { return StoreFault("overloaded") }
        state.pending.append(PendingWrite(body: body, continuation: continuation))
        return nil
      }
      if let refusal { return continuation.resume(throwing: refusal) }
      // Usually an earlier batch has taken this write already, and nothing is left to do. Reads run between batches.
      queue.async { if let db = self.connection { self.commitBatch(on: db) } }
    }
  }

  /// Looks whether the database is still where it was opened, though nobody writes.
  func inspect() async throws {
    guard let failure = try await read({ db in self.files.withLock { $0.failure(db) } }) else { return }
    state.withLock { $0.failure = $0.lastingFailure ?? failure }
    throw failure.fault
  }

  /// Refuses new writes, brings those that wait to the disk, and closes the connection.
  ///
  /// - Throws: `StoreFault` if the files were not what they should be; what could be saved is saved then.
  func close() async throws {
    state.withLock { $0.isClosed = true }
    let failure = try? await read { db in
      while self.waitingWrites > 0 { self.commitBatch(on: db) }
      self.connection = nil
      return self.files.withLock { $0.failure(db) }
    }
    if let failure { throw failure.fault }
  }

  // MARK: On the queue

  private func commitBatch(on db: SQLite) {
    let batch = state.withLock { $0.pending.take(Self.batch) }
    if !batch.isEmpty { commit(batch, on: db) }
  }

  /// Commits these together, or if a statement fails, each by itself, and acknowledges what is on the disk.
  private func commit(_ writes: [PendingWrite], on db: SQLite) {
    func checkFiles() throws {
      if let failure = files.withLock({ $0.failure(db) }) { throw failure }
    }
    let began = ContinuousClock.now
    let changes = db.totalChanges
    do {
      // Writes that were waiting when the disk failed are not tried either: their success would prove nothing.
      if let failure = state.withLock(\.lastingFailure) { throw failure }
      // The files are checked before, so that nothing is written in vain, and after: only then is it acknowledged.
      try checkFiles()
      // If the disk was full at the start, or the log was gone meanwhile.
      try db.markInUse(path)
      let results = try db.transaction { try writes.map { try $0.body(db) } }
      try checkFiles()
      state.withLock { $0.failure = nil }
      // A transaction that changed nothing never went to the disk.
      if db.totalChanges != changes { onCommit(.now - began, writes.count) }
      for (write, rows) in zip(writes, results) { write.continuation.resume(returning: rows) }
    } catch {
      let failure = CommitFailure(error)
      if failure.extent == .statement, writes.count > 1 {
        // Rare. Each write gets its own transaction, so that the failing one does not fail the others.
        for write in writes { commit([write], on: db) }
        return
      }
      if failure.extent != .statement { state.withLock { $0.failure = failure } }
      for write in writes { write.continuation.resume(throwing: failure.fault) }
    }
  }
}

extension SQLite {
  fileprivate func perform(_ call: StoreCall) throws -> [StoreRow] {
    try call.statement.sqlite.flatMap { try run($0, call.values) }
  }
}

// MARK: The store

extension AskStore {
  /// Opens an SQLite file, or makes it (mode 0600) if there is none.
  ///
  /// - Parameters:
  ///   - path: the database file.
  ///   - source: where the key to sealed passwords comes from, mostly `SecretSource.beside(_:environment:)`.
  ///   - patience: how long to wait for another process to let go of the file.
  ///   - onCommit: told of each transaction that brought changes to the disk: how long it took, and its writes.
  /// - Throws: `StoreFault` or `PlainError`.
  package convenience init(
    _ path: String, secrets source: SecretSource, clock: WallClock = .system, patience: Duration = .seconds(5),
    onCommit: @escaping @Sendable (Duration, Int) -> Void = { _, _ in }
  ) throws {
    let path = withoutLink(path)
    let opened = try SQLiteOpening(path: path, patience: patience / .seconds(1)).open(with: source)
    let file = SQLiteFile(opened.connection, at: path, notices: opened.notices, onCommit: onCommit)
    self.init(file, secrets: opened.secrets, clock: clock)
  }

  /// The database if it is an SQLite file.
  var file: SQLiteFile? { database as? SQLiteFile }

  /// Notices to the operator about the opening of the file.
  package var notices: [OpeningNotice] { file?.notices ?? [] }

  /// Writes a consistent copy of the SQLite file: a complete database that only its owner can read. Once the copy is on
  /// the disk, it replaces an earlier one with this name, and no other file. Writes wait meanwhile.
  ///
  /// - Returns: false if the store is in a PostgreSQL database, which has backups of its own.
  /// - Throws: `StoreFault`; an existing file with this name then stays.
  @discardableResult
  package func backUp(to path: String) async throws -> Bool {
    guard let file else { return false }
    try await file.backUp(to: path)
    return true
  }
}

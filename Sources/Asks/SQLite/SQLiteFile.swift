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

  private struct State {
    var pending: [any PendingWrite] = []
    /// Whether the queue has been told to commit what waits.
    var isScheduled = false
    /// Whether no more writes are taken.
    var isClosed = false
    /// Whether the connection is closed, so that nothing may touch it or look for its files.
    var isConnectionClosed = false
    var health = StoreHealth.healthy
    /// Why no write is tried any more: what the disk holds is not known.
    var breakage: StoreFault?
  }

  /// What SQLite did not read of the log as the file was opened, if anything.
  let unreadLog: UnreadLog?
  let notices: [OpeningNotice]
  /// What does one thing after another.
  private let queue = DispatchQueue(label: "okcancel.store")
  /// Used only on the queue.
  private nonisolated(unsafe) let connection: SQLite
  private let files: Mutex<DatabaseFiles>
  private let state = Mutex(State())
  private let onCommit: @Sendable (Duration, Int) -> Void

  /// - Parameters:
  ///   - connection: used by nobody else from now on.
  ///   - onCommit: told of each transaction that changed something: how long it took, and its writes.
  /// - Throws: `StoreFault` if the files are gone already.
  init(
    _ connection: SQLite, at path: String, unreadLog: UnreadLog?, notices: [OpeningNotice],
    onCommit: @escaping @Sendable (Duration, Int) -> Void
  ) throws(StoreFault) {
    (self.connection, self.unreadLog, self.notices, self.onCommit) = (connection, unreadLog, notices, onCommit)
    files = Mutex(try DatabaseFiles(openAt: path))
  }

  var health: StoreHealth { state.withLock(\.health) }

  /// Writes that no transaction has taken yet.
  var waitingWrites: Int { state.withLock { $0.pending.count } }

  func read(_ call: StoreCall) async throws -> [StoreRow] { try await read { try $0.perform(call) } }

  func write(_ call: StoreCall) async throws -> [StoreRow] { try await write { try $0.perform(call) } }

  /// Runs `body` between two transactions.
  func read<Result: Sendable>(_ body: @escaping @Sendable (SQLite) throws -> Result) async throws -> Result {
    if state.withLock({ $0.isClosed }) { throw StoreFault.closed }
    do {
      return try await withCheckedThrowingContinuation { continuation in
        queue.async {
          // It may have been closed since this was enqueued.
          let isClosed = self.state.withLock(\.isConnectionClosed)
          continuation.resume(
            with: Swift.Result {
              if isClosed { throw StoreFault.closed }
              return try body(self.connection)
            })
        }
      }
    } catch let error as SQLiteError {
      throw StoreFault.readFailed(detail: error.detail)
    }
  }

  /// Runs `body` in a transaction, together with others, and returns after its commit.
  func write<Result: Sendable>(_ body: @escaping @Sendable (SQLite) throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let write = Write(body: body, continuation: continuation)
      let refusal: StoreFault? = state.withLock { state in
        if state.isClosed { return .closed }
        if let breakage = state.breakage { return breakage }
        if state.pending.count >= Self.capacity { return .overloaded }
        state.pending.append(write)
        schedule(&state)
        return nil
      }
      if let refusal { write.finish(refusal) }
    }
  }

  /// Looks whether the database is still where it was opened, though nobody writes.
  func inspect() async throws {
    let fault = try await read { db in self.files.withLock { $0.failure(db)?.fault } }
    guard let fault else { return }
    state.withLock { $0.health = .unhealthy(fault) }
    throw fault
  }

  /// Refuses new writes, brings those that wait to the disk, and closes the connection.
  ///
  /// - Throws: `StoreFault` if the files were not what they should be; what could be saved is saved then.
  func close() async throws {
    state.withLock { $0.isClosed = true }
    let fault: StoreFault? = await withCheckedContinuation { continuation in
      queue.async {
        guard !self.state.withLock(\.isConnectionClosed) else { return continuation.resume(returning: nil) }
        while self.waitingWrites > 0 { self.commitBatch() }
        let failure = self.files.withLock { $0.failure(self.connection) }
        self.connection.close()
        self.state.withLock { $0.isConnectionClosed = true }
        continuation.resume(returning: failure?.fault)
      }
    }
    if let fault { throw fault }
  }

  private func schedule(_ state: inout State) {
    guard !state.isScheduled, !state.pending.isEmpty else { return }
    state.isScheduled = true
    // Enqueued anew for each batch: reads that came meanwhile are served in between.
    queue.async {
      self.commitBatch()
      self.state.withLock { state in
        state.isScheduled = false
        self.schedule(&state)
      }
    }
  }

  // MARK: On the queue

  private func commitBatch() {
    let (batch, breakage) = state.withLock { state in
      let batch = Array(state.pending.prefix(Self.batch))
      state.pending.removeFirst(batch.count)
      return (batch, state.breakage)
    }
    // Closing commits what waits, and a batch that was scheduled before comes after it with nothing.
    guard !batch.isEmpty else { return }
    let began = ContinuousClock.now
    let changes = connection.totalChanges
    // What waited as the disk failed is not tried either: it could succeed and prove nothing.
    let failure = breakage.map { CommitFailure(fault: $0, isLasting: true) } ?? commit(batch)
    // A transaction that changed nothing never went to the disk.
    if failure == nil, connection.totalChanges != changes { onCommit(.now - began, batch.count) }
    state.withLock { state in
      state.health = failure.map { .unhealthy($0.fault) } ?? .healthy
      if let failure, failure.isLasting { state.breakage = failure.fault }
    }
    for write in batch { write.finish(failure?.fault) }
  }

  /// - Returns: `nil` once all of them are on the disk.
  private func commit(_ writes: [any PendingWrite]) -> CommitFailure? {
    func missingFile() -> CommitFailure? { files.withLock { $0.failure(connection) } }
    // The files are checked before, so that nothing is written in vain, and after: only then is it acknowledged.
    if let failure = missingFile() { return failure }
    do {
      do {
        try connection.transaction { for write in writes { try write.run(on: connection) } }
      } catch  where !error.isOfTheFile {
        // Hardly ever: then all of them once more, so that the one that fails takes no other with it.
        try connection.transaction { for write in writes { try runAlone(write) } }
      }
    } catch {
      return CommitFailure(error)
    }
    return missingFile()
  }

  /// - Throws: only what makes the whole transaction fail.
  private func runAlone(_ write: any PendingWrite) throws {
    try connection.run("SAVEPOINT single")
    do {
      try write.run(on: connection)
    } catch {
      if error.isOfTheFile || !connection.isInTransaction { throw error }
      try connection.run("ROLLBACK TO single")
      write.fail((error as? SQLiteError).map { StoreFault.writeFailed(detail: $0.detail) } ?? error)
    }
    try connection.run("RELEASE single")
  }
}

/// Why a transaction failed as a whole.
struct CommitFailure: Error {
  let fault: StoreFault
  /// True if a later success would prove nothing: after a failed `fsync` the system may have dropped what it could not
  /// write, and a damaged file stays damaged.
  let isLasting: Bool
}

extension CommitFailure {
  init(_ error: any Error) {
    guard let error = error as? SQLiteError else {
      self.init(fault: .writeFailed(detail: String(describing: error)), isLasting: false)
      return
    }
    let isLasting = [SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_NOTADB].contains(error.primary)
    let fault = error.primary == SQLITE_FULL ? StoreFault.full : .writeFailed(detail: error.detail)
    self.init(fault: fault, isLasting: isLasting)
  }
}

extension Error {
  /// Whether the error is the file's and not one statement's.
  fileprivate var isOfTheFile: Bool {
    guard let code = (self as? SQLiteError)?.primary else { return false }
    return [
      SQLITE_FULL, SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_NOMEM,
      SQLITE_BUSY, SQLITE_LOCKED,
    ].contains(code)
  }
}

/// A write that waits for its transaction, whatever its result is.
private protocol PendingWrite: Sendable {
  /// Runs it and keeps its result; perhaps twice, the first time in a transaction that is rolled back.
  func run(on connection: SQLite) throws
  /// It failed by itself, for this reason.
  func fail(_ error: any Error)
  /// Resumes its caller after the commit, or after the commit's failure.
  func finish(_ fault: StoreFault?)
}

private final class Write<Success: Sendable>: PendingWrite {
  private let body: @Sendable (SQLite) throws -> Success
  private let continuation: CheckedContinuation<Success, any Error>
  private let result = Mutex<Result<Success, any Error>?>(nil)

  init(
    body: @escaping @Sendable (SQLite) throws -> Success, continuation: CheckedContinuation<Success, any Error>
  ) {
    (self.body, self.continuation) = (body, continuation)
  }

  func run(on connection: SQLite) throws {
    let success = try body(connection)
    result.withLock { $0 = .success(success) }
  }

  func fail(_ error: any Error) { result.withLock { $0 = .failure(error) } }

  func finish(_ fault: StoreFault?) {
    let result = fault.map { .failure($0) } ?? result.withLock { $0 }
    continuation.resume(with: result ?? .failure(StoreFault.writeFailed(detail: "never run")))
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
  ///   - waiters: whom to wake after a commit that closed an ask.
  ///   - patience: how long to wait for another process to let go of the file.
  ///   - onCommit: told of each transaction that brought changes to the disk: how long it took, and its writes.
  /// - Throws: `StoreFault` or `SecretFault`.
  package convenience init(
    _ path: String, secrets source: SecretSource, waiters: Waiters, clock: WallClock = .system,
    patience: Duration = .seconds(5), onCommit: @escaping @Sendable (Duration, Int) -> Void = { _, _ in }
  ) throws {
    let opened = try SQLiteOpening(path: path, key: source.file, patience: patience / .seconds(1)).open()
    let secrets = try source.bind(to: opened.connection)
    // From now on the log is never empty while a server runs.
    try? opened.connection.set("opened", to: clock.now.description)
    let file = try SQLiteFile(
      opened.connection, at: path, unreadLog: opened.unreadLog, notices: opened.notices, onCommit: onCommit)
    self.init(file, secrets: secrets, waiters: waiters, clock: clock)
  }

  /// The database if it is an SQLite file.
  var file: SQLiteFile? { database as? SQLiteFile }

  /// What an operator should know of how the file was opened.
  package var notices: [OpeningNotice] { file?.notices ?? [] }

  /// Writes a copy of the SQLite file: whole, of one moment, a database of its own that only its owner can read. It takes
  /// the place of what had this name, once it is on the disk. Writes wait meanwhile.
  ///
  /// - Returns: false if the store is in a PostgreSQL, which has backups of its own.
  /// - Throws: `StoreFault`; what had this name is still there then.
  @discardableResult
  package func backUp(to path: String) async throws -> Bool {
    guard let file else { return false }
    let new = path + ".new"
    unlink(new)
    let failure = makePrivateFile(new)
    guard failure == 0 else { throw StoreFault.file(path: new, errno: failure) }
    do {
      _ = try await file.read { db in try db.run("VACUUM INTO ?", [.text(new)]) }
      let failure = synchronizeFile(new)
      guard failure == 0 else { throw StoreFault.file(path: new, errno: failure) }
      guard rename(new, path) == 0 else { throw StoreFault.file(path: path, errno: errno) }
      synchronizeDirectory(of: path)
    } catch {
      unlink(new)
      throw error
    }
    return true
  }
}

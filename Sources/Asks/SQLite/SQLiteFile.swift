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

  private struct State {
    var pending: [PendingWrite] = []
    /// Whether the queue has been told to commit what waits.
    var isScheduled = false
    /// Whether no more writes are taken.
    var isClosed = false
    /// Whether the connection is closed, so that nothing may touch it or look for its files.
    var isConnectionClosed = false
    /// Why the last write failed. After a lasting failure no write is tried any more: what the disk holds is not known.
    var failure: CommitFailure?
    var lastingFailure: CommitFailure? { failure.flatMap { $0.isLasting ? $0 : nil } }
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

  var health: StoreHealth { state.withLock(\.failure).map { .unhealthy($0.fault) } ?? .healthy }

  /// Writes that no transaction has taken yet.
  var waitingWrites: Int { state.withLock { $0.pending.count } }

  func read(_ call: StoreCall) async throws -> [StoreRow] { try await read { try $0.perform(call) } }

  func write(_ call: StoreCall) async throws -> [StoreRow] { try await write { try $0.perform(call) } }

  func withSession<Result: Sendable>(
    _ body: @escaping @Sendable (any StoreSession) throws -> Result
  ) async throws -> Result {
    try await read { db in
      try StoreFault.wrapping {
        // What is replaced must not stay behind in unused bytes of the file.
        try db.execute("PRAGMA secure_delete = ON")
        return try body(db)
      }
    }
  }

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
  func write(_ body: @escaping @Sendable (SQLite) throws -> [StoreRow]) async throws -> [StoreRow] {
    try await withCheckedThrowingContinuation { continuation in
      let refusal: StoreFault? = state.withLock { state in
        if state.isClosed { return .closed }
        if let failure = state.lastingFailure { return failure.fault }
        if state.pending.count >= Self.capacity { return .overloaded }
        state.pending.append(PendingWrite(body: body, continuation: continuation))
        schedule(&state)
        return nil
      }
      if let refusal { continuation.resume(throwing: refusal) }
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
    let (batch, lastingFailure) = state.withLock { state in
      let batch = Array(state.pending.prefix(Self.batch))
      state.pending.removeFirst(batch.count)
      return (batch, state.lastingFailure)
    }
    // Closing commits what waits, and a batch that was scheduled before comes after it with nothing.
    guard !batch.isEmpty else { return }
    let began = ContinuousClock.now
    let changes = connection.totalChanges
    let results: [Result<[StoreRow], any Error>]
    var failure: CommitFailure?
    do throws(CommitFailure) {
      // What waited as the disk failed is not tried either: it could succeed and prove nothing.
      if let lastingFailure { throw lastingFailure }
      results = try commit(batch)
      // A transaction that changed nothing never went to the disk.
      if connection.totalChanges != changes { onCommit(.now - began, batch.count) }
    } catch {
      results = batch.map { _ in .failure(error.fault) }
      failure = error
    }
    state.withLock { $0.failure = failure }
    for (write, result) in zip(batch, results) { write.continuation.resume(with: result) }
  }

  /// - Returns: the result of each, once all of them are on the disk.
  private func commit(_ writes: [PendingWrite]) throws(CommitFailure) -> [Result<[StoreRow], any Error>] {
    func checkFiles() throws(CommitFailure) {
      if let failure = files.withLock({ $0.failure(connection) }) { throw failure }
    }
    // The files are checked before, so that nothing is written in vain, and after: only then is it acknowledged.
    try checkFiles()
    let results: [Result<[StoreRow], any Error>]
    do {
      do {
        results = try connection.transaction { try writes.map { .success(try $0.body(connection)) } }
      } catch  where !error.isOfTheFile {
        // Hardly ever: then all of them once more, so that the one that fails takes no other with it.
        results = try connection.transaction { try writes.map(runAlone) }
      }
    } catch {
      throw CommitFailure(error)
    }
    try checkFiles()
    return results
  }

  /// - Throws: only what makes the whole transaction fail.
  private func runAlone(_ write: PendingWrite) throws -> Result<[StoreRow], any Error> {
    let result: Result<[StoreRow], any Error>
    try connection.run("SAVEPOINT single")
    do {
      result = .success(try write.body(connection))
    } catch {
      if error.isOfTheFile || !connection.isInTransaction { throw error }
      try connection.run("ROLLBACK TO single")
      result = .failure((error as? SQLiteError).map { StoreFault.writeFailed(detail: $0.detail) } ?? error)
    }
    try connection.run("RELEASE single")
    return result
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

extension SQLite {
  fileprivate func perform(_ call: StoreCall) throws -> [StoreRow] {
    try call.statement.sqlite.flatMap { try run($0, call.values) }
  }
}

/// The files of an open database, as they were when it was opened.
///
/// SQLite goes on writing into a file that has lost its name, and says nothing: what it keeps there is gone with the
/// process.
struct DatabaseFiles: Sendable {
  private struct File: Sendable {
    enum State { case whole, cut, gone }

    let path: String
    let device: dev_t
    let inode: ino_t
    /// The largest that it was. Nothing here makes either file smaller.
    var size: off_t

    /// - Returns: `nil` if nothing has this name.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      (self.path, device, inode, size) = (path, status.st_dev, status.st_ino, status.st_size)
    }

    /// What became of the file with this name.
    mutating func state() -> State {
      guard let now = File(path), now.device == device, now.inode == inode else { return .gone }
      guard now.size >= size else { return .cut }
      size = now.size
      return .whole
    }
  }

  private var database: File
  private var log: File
  /// What was found when a file was not the open one any more; `nil` while both are.
  private var failure: CommitFailure?

  /// - Parameter path: of a database in WAL mode that only this process has open.
  init(openAt path: String) throws(StoreFault) {
    guard let database = File(path) else { throw .gone(file: fileName(path)) }
    guard let log = File(path + "-wal") else {
      throw .logGone(file: fileName(path) + "-wal", .failed(detail: "it went as the database was opened"))
    }
    (self.database, self.log) = (database, log)
  }

  /// Why what is written now would be gone with the process: a file at the path is not the open one any more.
  mutating func failure(_ db: SQLite) -> CommitFailure? {
    // A log that was cut short is not whole again because it has grown.
    if let failure, failure.isLasting { return failure }
    let states = (database.state(), log.state())
    guard states != (.whole, .whole) else {
      failure = nil
      return nil
    }
    if failure == nil {
      failure =
        states.0 == .whole
        ? save(db, isCut: states.1 == .cut)
        : CommitFailure(fault: .gone(file: fileName(database.path)), isLasting: false)
    }
    return failure
  }

  /// Saves what this process still has, once, when the log is gone.
  ///
  /// - Parameter isCut: whether the open file itself lost its end; otherwise it only lost its name.
  private func save(_ db: SQLite, isCut: Bool) -> CommitFailure {
    let rescue = Rescue(of: db, at: database.path)
    if isCut {
      // SQLite believes in frames that are not there. A part of them in the database would be neither before nor after.
      db.keepsLog = true
    } else {
      // What was acknowledged and stands only in the log comes into the database, as long as somebody has it open.
      try? db.execute("PRAGMA wal_checkpoint(FULL)")
    }
    return CommitFailure(fault: .logGone(file: fileName(log.path), rescue), isLasting: isCut)
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
    let opened = try SQLiteOpening(path: path, patience: patience / .seconds(1)).open(with: source)
    // From now on the log is never empty while a server runs.
    try? opened.connection.set("opened", to: clock.now.description)
    let file = try SQLiteFile(
      opened.connection, at: path, unreadLog: opened.unreadLog, notices: opened.notices, onCommit: onCommit)
    self.init(file, secrets: opened.secrets, waiters: waiters, clock: clock)
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
    try await file.read { try $0.backUp(to: path) }
    return true
  }
}

internal import GRDB
internal import Synchronization

/// Gathers writes that come together into one transaction, so that they share one `fsync`.
///
/// While one transaction is brought to the disk, the next one's writes gather. Each write has a
/// savepoint of its own: one that fails alone takes nothing else with it. A write is acknowledged
/// only after the commit that holds it; when that fails, all in it fail.
final class GroupCommit: Sendable {
  /// Writes that may wait, beyond which more are refused: it bounds the memory they hold.
  static let capacity = 1024
  /// Writes in one transaction: reads that come meanwhile wait for no more than these.
  static let batch = 128

  private struct State {
    var pending: [any PendingWrite] = []
    /// Whether a drain is on the database's queue.
    var isScheduled = false
    var isClosed = false
    var health = StoreHealth.well
    /// Why no write is tried any more: what the disk holds is not known.
    var breakage: StoreFault?
    var commits = 0
    var writes = 0
  }

  private let database: DatabaseQueue
  private let onCommit: @Sendable (Duration, Int) -> Void
  private let state = Mutex(State())
  /// Used on the database's queue alone.
  private let files: Mutex<DatabaseFiles>

  init(
    _ database: DatabaseQueue, of files: DatabaseFiles,
    onCommit: @escaping @Sendable (Duration, Int) -> Void = { _, _ in }
  ) {
    self.database = database
    self.files = Mutex(files)
    self.onCommit = onCommit
  }

  var health: StoreHealth { state.withLock { $0.health } }

  /// Transactions committed, and writes in them, since the store was opened.
  var counts: (commits: Int, writes: Int) { state.withLock { ($0.commits, $0.writes) } }

  /// Writes that no transaction has taken yet.
  var waitingWrites: Int { state.withLock { $0.pending.count } }

  /// Does `body` in a transaction, together with others, and returns after its commit.
  ///
  /// - Parameter afterCommit: called before this returns, and before the next transaction begins.
  func write<Result: Sendable>(
    afterCommit: @escaping @Sendable (Result) -> Void = { _ in },
    _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      let write = Write(body: body, afterCommit: afterCommit, continuation: continuation)
      let refusal: StoreFault? = state.withLock { state in
        if state.isClosed { return .closed }
        if let breakage = state.breakage { return breakage }
        if state.pending.count >= Self.capacity { return .overloaded }
        state.pending.append(write)
        return nil
      }
      if let refusal { write.finish(refusal) } else { schedule() }
    }
  }

  /// Does `body` between two transactions.
  func read<Result: Sendable>(_ body: @escaping @Sendable (Database) throws -> Result) async throws -> Result {
    if state.withLock({ $0.isClosed }) { throw StoreFault.closed }
    do {
      return try await withCheckedThrowingContinuation { continuation in
        // Not GRDB's own `read`: that one interrupts the connection when its task is cancelled.
        database.asyncWriteWithoutTransaction { db in
          continuation.resume(with: Swift.Result { try body(db) })
        }
      }
    } catch let error as DatabaseError {
      throw StoreFault.readFailed(detail: CommitFailure.detail(error))
    }
  }

  /// Refuses new writes, brings those that wait to the disk, and closes the database.
  func close() async throws {
    state.withLock { $0.isClosed = true }
    while state.withLock({ $0.isScheduled }) {
      await withCheckedContinuation { continuation in
        database.asyncWriteWithoutTransaction { _ in continuation.resume() }
      }
    }
    try database.close()
  }

  // MARK: On the database's queue

  private func schedule() {
    let isMine = state.withLock { state in
      guard !state.isScheduled, !state.pending.isEmpty else { return false }
      state.isScheduled = true
      return true
    }
    if isMine { database.asyncWriteWithoutTransaction { self.drain($0) } }
  }

  private func drain(_ db: Database) {
    let (batch, breakage) = state.withLock { state in
      let batch = Array(state.pending.prefix(Self.batch))
      state.pending.removeFirst(batch.count)
      return (batch, state.breakage)
    }
    let (began, changes) = (ContinuousClock.now, db.totalChangesCount)
    // What waited as the disk failed is not tried either: it could succeed and prove nothing.
    // The files are looked at before, so that nothing is written in vain, and after: only then is it acknowledged.
    let failure =
      breakage.map { CommitFailure(fault: $0, isLasting: true) } ?? absence(db) ?? commit(batch, on: db) ?? absence(db)
    // One that changed nothing never went to the disk.
    if failure == nil, db.totalChangesCount != changes { onCommit(.now - began, batch.count) }
    state.withLock { state in
      if let failure {
        state.health = .unwell(failure.fault)
        if failure.isLasting { state.breakage = failure.fault }
      } else {
        state.health = .well
        state.commits += 1
        state.writes += batch.count
      }
    }
    for write in batch { write.finish(failure?.fault) }
    // Queued anew and not looped: reads that came meanwhile are served in between.
    state.withLock { $0.isScheduled = false }
    schedule()
  }

  /// Why what is written now would be gone with the process: its files are not those at the path any more. Nil: they are.
  private func absence(_ db: Database) -> CommitFailure? {
    guard let fault = files.withLock({ $0.fault() }) else { return nil }
    // What was acknowledged and stands only in the log comes into the database, as long as somebody has that log open.
    if case .logGone = fault { try? db.execute(sql: "PRAGMA wal_checkpoint(FULL)") }
    return CommitFailure(fault: fault, isLasting: false)
  }

  /// One transaction with all of them; nil when it is on the disk.
  private func commit(_ batch: [any PendingWrite], on db: Database) -> CommitFailure? {
    do {
      try db.beginTransaction(.immediate)
      for write in batch { try perform(write, on: db) }
      try db.commit()
      return nil
    } catch {
      if db.isInsideTransaction { try? db.rollback() }
      return CommitFailure(error)
    }
  }

  /// - Throws: only what makes the whole transaction fail.
  private func perform(_ write: any PendingWrite, on db: Database) throws {
    // Not GRDB's `inSavepoint`, which compiles these statements for each write anew.
    try db.run("SAVEPOINT single")
    do {
      try write.run(on: db)
    } catch {
      if CommitFailure.isWhole(error) || !db.isInsideTransaction { throw error }
      try db.run("ROLLBACK TO single")
      write.fail(error)
    }
    try db.run("RELEASE single")
  }
}

/// A write that waits for its transaction, whatever it returns.
protocol PendingWrite: Sendable {
  /// Does it and keeps its result.
  func run(on db: Database) throws
  /// It failed alone, for this reason.
  func fail(_ error: any Error)
  /// Resumes its caller after the commit, or after the commit's failure.
  func finish(_ fault: StoreFault?)
}

final class Write<Success: Sendable>: PendingWrite {
  private let body: @Sendable (Database) throws -> Success
  private let afterCommit: @Sendable (Success) -> Void
  private let continuation: CheckedContinuation<Success, any Error>
  private let result = Mutex<Result<Success, any Error>?>(nil)

  init(
    body: @escaping @Sendable (Database) throws -> Success,
    afterCommit: @escaping @Sendable (Success) -> Void,
    continuation: CheckedContinuation<Success, any Error>
  ) {
    self.body = body
    self.afterCommit = afterCommit
    self.continuation = continuation
  }

  func run(on db: Database) throws {
    let success = try body(db)
    result.withLock { $0 = .success(success) }
  }

  func fail(_ error: any Error) {
    let fault = (error as? DatabaseError).map { StoreFault.writeFailed(detail: CommitFailure.detail($0)) }
    result.withLock { $0 = .failure(fault ?? error) }
  }

  func finish(_ fault: StoreFault?) {
    if let fault { return continuation.resume(throwing: fault) }
    let result = result.withLock { $0 }
    if case .success(let success)? = result { afterCommit(success) }
    continuation.resume(with: result ?? .failure(StoreFault.writeFailed(detail: "never run")))
  }
}

/// Why a transaction failed as a whole.
struct CommitFailure {
  let fault: StoreFault
  /// True where a later success would prove nothing: after a failed `fsync` the system may have
  /// dropped what it could not write, and a damaged file stays so.
  let isLasting: Bool

  init(_ error: any Error) {
    guard let error = error as? DatabaseError else {
      self.init(fault: .writeFailed(detail: String(describing: error)), isLasting: false)
      return
    }
    switch error.resultCode {
    case .SQLITE_FULL: self.init(fault: .full, isLasting: false)
    case .SQLITE_IOERR, .SQLITE_CORRUPT, .SQLITE_NOTADB:
      self.init(fault: .writeFailed(detail: Self.detail(error)), isLasting: true)
    default: self.init(fault: .writeFailed(detail: Self.detail(error)), isLasting: false)
    }
  }

  init(fault: StoreFault, isLasting: Bool) {
    self.fault = fault
    self.isLasting = isLasting
  }

  /// Whether the error is the file's and not one statement's.
  static func isWhole(_ error: any Error) -> Bool {
    guard let code = (error as? DatabaseError)?.resultCode else { return false }
    return [
      .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_READONLY,
      .SQLITE_CANTOPEN, .SQLITE_NOMEM, .SQLITE_BUSY, .SQLITE_LOCKED,
    ].contains(code)
  }

  /// SQLite's words without the statement and its arguments, which can hold what people typed.
  static func detail(_ error: DatabaseError) -> String {
    "SQLite \(error.extendedResultCode.rawValue): \(error.message ?? "no message")"
  }
}

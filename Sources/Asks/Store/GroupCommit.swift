internal import Synchronization

/// Gathers writes that come together into one transaction, so that they share one `fsync`.
///
/// While one transaction is brought to the disk, the next one's writes gather. A write is acknowledged only after the
/// commit that holds it; when that fails, all in it fail.
final class GroupCommit<Connection: CommitConnection>: Sendable {
  typealias Session = Connection.Session

  /// Writes that may wait, beyond which more are refused: it bounds the memory they hold.
  static var capacity: Int { 1024 }
  /// Writes in one transaction: reads that come meanwhile wait for no more than these.
  static var batch: Int { 128 }

  private struct State {
    var pending: [any PendingWrite<Session>] = []
    /// Whether the connection has been told to commit what waits.
    var isScheduled = false
    var isClosed = false
    var health = StoreHealth.healthy
    /// Why no write is tried any more: what the disk holds is not known.
    var breakage: StoreFault?
    var commits = 0
    var writes = 0
  }

  private let connection: Connection
  private let onCommit: @Sendable (Duration, Int) -> Void
  private let state = Mutex(State())

  /// - Parameter onCommit: told of each transaction that changed something: how long it took, and its writes.
  init(_ connection: Connection, onCommit: @escaping @Sendable (Duration, Int) -> Void) {
    self.connection = connection
    self.onCommit = onCommit
  }

  var health: StoreHealth { state.withLock { $0.health } }

  /// Transactions committed, and writes in them, since the store was opened.
  var counts: (commits: Int, writes: Int) { state.withLock { ($0.commits, $0.writes) } }

  /// Writes that no transaction has taken yet.
  var waitingWrites: Int { state.withLock { $0.pending.count } }

  /// Runs `body` in a transaction, together with others, and returns after its commit.
  ///
  /// - Parameter afterCommit: called before this returns, and before the next transaction begins.
  func write<Result: Sendable>(
    afterCommit: @escaping @Sendable (Result) -> Void = { _ in },
    _ body: @escaping @Sendable (Session) throws -> Result
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

  /// Runs `body` between two transactions.
  func read<Result: Sendable>(_ body: @escaping @Sendable (Session) throws -> Result) async throws -> Result {
    if state.withLock({ $0.isClosed }) { throw StoreFault.closed }
    do {
      return try await withCheckedThrowingContinuation { continuation in
        connection.enqueue { session in
          continuation.resume(with: Swift.Result { try body(session) })
        }
      }
    } catch {
      throw connection.readFault(error)
    }
  }

  /// Looks whether the database is still where it was opened, though nobody writes.
  ///
  /// - Throws: `StoreFault` if it is not; no write would be acknowledged.
  func inspect() async throws {
    let fault = try await read { [connection] in connection.fault($0) }
    guard let fault else { return }
    state.withLock { $0.health = .unhealthy(fault) }
    throw fault
  }

  /// Refuses new writes, brings those that wait to the disk, and closes the connection.
  func close() async throws {
    state.withLock { $0.isClosed = true }
    while state.withLock({ $0.isScheduled }) {
      await withCheckedContinuation { continuation in
        connection.enqueue { _ in continuation.resume() }
      }
    }
    try connection.close()
  }

  private func schedule() {
    let isMine = state.withLock { state in
      guard !state.isScheduled, !state.pending.isEmpty else { return false }
      state.isScheduled = true
      return true
    }
    if isMine { connection.enqueue { self.drain($0) } }
  }

  private func drain(_ session: Session) {
    let (batch, breakage) = state.withLock { state in
      let batch = Array(state.pending.prefix(Self.batch))
      state.pending.removeFirst(batch.count)
      return (batch, state.breakage)
    }
    let began = ContinuousClock.now
    var fault: StoreFault?
    // What waited as the disk failed is not tried either: it could succeed and prove nothing.
    let broken = breakage.map { CommitFailure(fault: $0, isLasting: true) }
    switch broken.map(Result.failure) ?? connection.commit(batch, in: session) {
    case .success(let hasChanged):
      // A transaction that changed nothing never went to the disk.
      if hasChanged { onCommit(.now - began, batch.count) }
      state.withLock { state in
        state.health = .healthy
        state.commits += 1
        state.writes += batch.count
      }
    case .failure(let failure):
      fault = failure.fault
      state.withLock { state in
        state.health = .unhealthy(failure.fault)
        if failure.isLasting { state.breakage = failure.fault }
      }
    }
    for write in batch { write.finish(fault) }
    // Enqueued anew instead of looping: reads that came meanwhile are served in between.
    state.withLock { $0.isScheduled = false }
    schedule()
  }
}

/// One connection to a database, which does one thing after another.
protocol CommitConnection: Sendable {
  /// What reads and writes are handed, such as `SQLite`.
  associatedtype Session

  /// Runs `body` after everything that was enqueued before.
  func enqueue(_ body: @escaping @Sendable (Session) -> Void)

  /// Runs these writes in one transaction. One that fails by itself leaves nothing behind and takes no other with it.
  ///
  /// - Returns: whether anything changed, when all of it is on the disk.
  func commit(_ writes: [any PendingWrite<Session>], in session: Session) -> Result<Bool, CommitFailure>

  /// Why nothing can be acknowledged now, or `nil` if nothing is known to be wrong.
  func fault(_ session: Session) -> StoreFault?

  /// What to throw in place of a read's error.
  func readFault(_ error: any Error) -> any Error

  func close() throws
}

/// Why a transaction failed as a whole.
struct CommitFailure: Error {
  let fault: StoreFault
  /// True if a later success would prove nothing: after a failed `fsync` the system may have dropped what it could not
  /// write, and a damaged file stays damaged.
  let isLasting: Bool
}

/// A write that waits for its transaction, whatever its result is.
protocol PendingWrite<Session>: Sendable {
  associatedtype Session

  /// Runs it and keeps its result; perhaps twice, the first time in a transaction that is rolled back.
  func run(on session: Session) throws
  /// It failed by itself, for this reason.
  func fail(_ error: any Error)
  /// Resumes its caller after the commit, or after the commit's failure.
  func finish(_ fault: StoreFault?)
}

private final class Write<Session, Success: Sendable>: PendingWrite {
  private let body: @Sendable (Session) throws -> Success
  private let afterCommit: @Sendable (Success) -> Void
  private let continuation: CheckedContinuation<Success, any Error>
  private let result = Mutex<Result<Success, any Error>?>(nil)

  init(
    body: @escaping @Sendable (Session) throws -> Success,
    afterCommit: @escaping @Sendable (Success) -> Void,
    continuation: CheckedContinuation<Success, any Error>
  ) {
    self.body = body
    self.afterCommit = afterCommit
    self.continuation = continuation
  }

  func run(on session: Session) throws {
    let success = try body(session)
    result.withLock { $0 = .success(success) }
  }

  func fail(_ error: any Error) { result.withLock { $0 = .failure(error) } }

  func finish(_ fault: StoreFault?) {
    if let fault { return continuation.resume(throwing: fault) }
    let result = result.withLock { $0 }
    if case .success(let success)? = result { afterCommit(success) }
    continuation.resume(with: result ?? .failure(StoreFault.writeFailed(detail: "never run")))
  }
}

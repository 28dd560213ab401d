internal import GRDB
internal import Synchronization

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

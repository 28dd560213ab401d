internal import CSQLite
internal import Dispatch

/// The reason a transaction failed.
struct CommitFailure: Error {
  enum Extent {
    /// One of its statements failed, and only because of that statement.
    case statement
    /// The whole transaction failed. A later one may succeed.
    case transaction
    /// The whole transaction failed, and a later success would prove nothing: after a failed `fsync` the system may
    /// have dropped what it could not write, and a damaged file stays damaged.
    case lasting
  }

  let fault: StoreFault
  let extent: Extent
}

extension CommitFailure {
  init(_ error: any Error) {
    if let failure = error as? CommitFailure {
      self = failure
      return
    }
    let error = error as? SQLiteError ?? SQLiteError(code: SQLITE_ERROR, message: "\(error)")
    fault = error.primary == SQLITE_FULL ? .full : .writeFailed(detail: error.detail)
    extent =
      switch error.primary {
      case SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_NOTADB: .lasting
      case SQLITE_FULL, SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_NOMEM, SQLITE_BUSY, SQLITE_LOCKED: .transaction
      default: .statement
      }
  }
}

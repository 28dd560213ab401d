internal import GRDB

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

internal import CSQLite
internal import Dispatch
internal import Foundation

/// A connection to an SQLite database file, for one thread at a time.
///
/// Statements are compiled once and kept. There are as many as this program has, since their texts never depend on what
/// a client sends.
final class SQLite {
  private let connection: OpaquePointer
  private(set) var statements: [Text: Statement] = [:]

  /// The text of a statement, hashed by its length: there are few, and they are long.
  struct Text: Hashable {
    let sql: String
    func hash(into hasher: inout Hasher) { hasher.combine(sql.utf8.count) }
  }

  struct Statement {
    let pointer: OpaquePointer
    /// The names of its columns.
    let columns: [String]
  }

  /// Opens the file, or makes it.
  ///
  /// - Parameters:
  ///   - patience: how long a statement waits for another process to let go of the file, in seconds.
  ///   - isSnapshot: whether to read only the file as it is now, without its log and without locks.
  /// - Throws: `SQLiteError`
  init(path: String, patience: Double = 0, isSnapshot: Bool = false) throws(SQLiteError) {
    _ = Self.isLean
    var opened: OpaquePointer?
    let name = isSnapshot ? URL(fileURLWithPath: path).absoluteString + "?immutable=1" : path
    let access = isSnapshot ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    // Without a lock of its own: only one thread uses it.
    let code = sqlite3_open_v2(name, &opened, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard let opened, code == SQLITE_OK else {
      defer { sqlite3_close_v2(opened) }
      throw SQLiteError(code: code, message: opened.map { String(cString: sqlite3_errmsg($0)) })
    }
    connection = opened
    sqlite3_busy_timeout(connection, Int32(patience * 1000))
  }

  /// Keeps SQLite from counting its memory, for which it would take a lock at each allocation.
  private static let isLean = csqlite_configure(SQLITE_CONFIG_MEMSTATUS, 0) == SQLITE_OK

  /// True if this connection has marked the file as in use.
  var isInUse = false
  /// The mark that the file had before, once that is known.
  var earlierMark: LogMark??

  /// Lets go of the file.
  deinit {
    if isInUse, !keepsLog { closeMark() }
    for statement in statements.values { sqlite3_finalize(statement.pointer) }
    sqlite3_close_v2(connection)
  }

  /// True if closing leaves the write-ahead log as it is, instead of copying it into the database and removing it.
  var keepsLog = false {
    didSet { _ = csqlite_set(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keepsLog ? 1 : 0) }
  }

  /// The log stays if the file still says that it needs it.
  private func closeMark() {
    do { try markClosed() } catch { keepsLog = true }
  }

  /// Rows that were inserted, updated or deleted since the connection was opened.
  var totalChanges: Int64 { sqlite3_total_changes64(connection) }

  /// Runs statements that are not worth keeping, without values.
  func execute(_ sql: String) throws(SQLiteError) {
    guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw error }
  }

  /// Runs a statement.
  ///
  /// - Returns: the rows that it found.
  @discardableResult
  func run(_ sql: String, _ values: [StoreValue] = []) throws -> [StoreRow] {
    let compiled = try compiled(sql)
    let statement = compiled.pointer
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    let count = Int(sqlite3_bind_parameter_count(statement))
    precondition(count <= values.count, "a value for each place")
    for (place, value) in values.prefix(count).enumerated() {
      guard value.bind(to: statement, at: Int32(place + 1)) == SQLITE_OK else { throw error }
    }
    var rows: [StoreRow] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        let values = (0..<sqlite3_column_count(statement)).map { StoreValue(statement, column: $0) }
        rows.append(StoreRow(columns: compiled.columns, values: values))
      case SQLITE_DONE: return rows
      default: throw error
      }
    }
  }

  /// The first value of the first row that a statement finds, as text.
  func text(_ sql: String, _ values: [StoreValue] = []) throws -> String? { try run(sql, values).first?.first }

  /// The same of a number, or 0 if there is none.
  func count(_ sql: String) throws -> Int { try text(sql).flatMap { Int($0) } ?? 0 }

  private func compiled(_ sql: String) throws(SQLiteError) -> Statement {
    if let statement = statements[Text(sql: sql)] { return statement }
    var compiled: OpaquePointer?
    guard sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil) == SQLITE_OK,
      let compiled
    else { throw error }
    let columns = (0..<sqlite3_column_count(compiled)).map { String(cString: sqlite3_column_name(compiled, $0)) }
    let statement = Statement(pointer: compiled, columns: columns)
    statements[Text(sql: sql)] = statement
    return statement
  }

  private var error: SQLiteError {
    SQLiteError(code: sqlite3_extended_errcode(connection), message: String(cString: sqlite3_errmsg(connection)))
  }
}

/// An error that SQLite reports.
struct SQLiteError: Error {
  /// An extended result code.
  let code: Int32
  /// In SQLite's own words, without the statement and its values, which can hold what people typed.
  var message: String?

  /// The result code, without what extends it.
  var primary: Int32 { code & 0xFF }

  var detail: String { "SQLite \(code): \(message ?? "no message")" }
}

extension StoreValue {
  /// - Returns: SQLite's result code.
  fileprivate func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
    // SQLite makes a copy of its own.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch self {
    case .integer(let number?): return sqlite3_bind_int64(statement, place, number)
    case .text(var text?):
      return text.withUTF8 { utf8 in
        utf8.withMemoryRebound(to: CChar.self) {
          sqlite3_bind_text(statement, place, $0.baseAddress, Int32($0.count), transient)
        }
      }
    case .bytes(let bytes?):
      // Without an address it would be NULL.
      if bytes.isEmpty { return sqlite3_bind_zeroblob(statement, place, 0) }
      return bytes.withUnsafeBytes {
        sqlite3_bind_blob(statement, place, $0.baseAddress, Int32($0.count), transient)
      }
    case .integer(nil), .text(nil), .bytes(nil): return sqlite3_bind_null(statement, place)
    }
  }

  /// Reads a column of a statement's current row.
  fileprivate init(_ statement: OpaquePointer, column: Int32) {
    var count: Int { Int(sqlite3_column_bytes(statement, column)) }
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
    case SQLITE_TEXT:
      self = .text(
        String(
          decoding: UnsafeBufferPointer(start: sqlite3_column_text(statement, column), count: count), as: UTF8.self))
    case SQLITE_BLOB:
      self = .bytes(Array(UnsafeRawBufferPointer(start: sqlite3_column_blob(statement, column), count: count)))
    default: self = .text(nil)
    }
  }
}

extension SQLite: StoreSession {
  var dialect: SQLDialect { .sqlite }

  func lastPosition() throws -> Int { try count("SELECT seq FROM sqlite_sequence WHERE name = 'answers'") }

  func setLastPosition(_ position: Int) throws {
    try run("DELETE FROM sqlite_sequence WHERE name = 'answers'")
    try run("INSERT INTO sqlite_sequence (name, seq) VALUES ('answers', ?)", [.integer(position)])
  }
}

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
    fault = error.primary == SQLITE_FULL ? StoreFault("full") : StoreFault("write-failed", ["detail": error.detail])
    extent =
      switch error.primary {
      case SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_NOTADB: .lasting
      case SQLITE_FULL, SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_NOMEM, SQLITE_BUSY, SQLITE_LOCKED: .transaction
      default: .statement
      }
  }
}

internal import CSQLite
internal import Foundation

/// A connection to an SQLite database file, for one thread at a time.
///
/// Statements are compiled once and kept. There are as many as this program has, since their texts never depend on what
/// somebody sends.
final class SQLite {
  private let connection: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]
  /// The places of columns, by the statements that have been asked for records.
  private var columns: [String: [String: Int]] = [:]
  private var isClosed = false

  /// Opens the file, or makes it.
  ///
  /// - Parameters:
  ///   - patience: how long a statement waits for another process to let go of the file, in seconds.
  ///   - isSnapshot: whether to read only the file as it is now, without its log and without locks.
  /// - Throws: `SQLiteError`
  init(path: String, patience: Double = 0, isSnapshot: Bool = false) throws(SQLiteError) {
    var opened: OpaquePointer?
    // Without a lock of its own: only one thread uses it.
    let flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code =
      isSnapshot
      ? sqlite3_open_v2(
        URL(fileURLWithPath: path).absoluteString + "?immutable=1", &opened,
        flags | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil)
      : sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
    guard let opened, code == SQLITE_OK else {
      defer { sqlite3_close_v2(opened) }
      throw SQLiteError(code: code, message: opened.map { String(cString: sqlite3_errmsg($0)) })
    }
    connection = opened
    sqlite3_busy_timeout(connection, Int32(patience * 1000))
  }

  deinit { close() }

  /// Lets go of the file; every statement fails afterwards.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    for statement in statements.values { sqlite3_finalize(statement) }
    statements = [:]
    sqlite3_close_v2(connection)
  }

  /// Whether closing leaves the write-ahead log as it is, instead of copying it into the database and removing it.
  var keepsLog = false {
    didSet { _ = csqlite_set(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keepsLog ? 1 : 0) }
  }

  /// Whether a transaction has begun and not ended.
  var isInTransaction: Bool { sqlite3_get_autocommit(connection) == 0 }

  /// Rows that were inserted, updated or deleted since the connection was opened.
  var totalChanges: Int64 { sqlite3_total_changes64(connection) }

  /// The key that the last inserted row got.
  var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(connection) }

  /// Runs statements that are not worth keeping, without values.
  func execute(_ sql: String) throws(SQLiteError) {
    guard !isClosed else { throw .closed }
    guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw error }
  }

  /// Runs a statement.
  ///
  /// - Returns: how many rows it changed.
  @discardableResult
  func run(_ sql: String, _ values: [StoreValue] = []) throws -> Int {
    try steps(sql, values) { statement in while try step(statement) {} }
    return Int(sqlite3_changes(connection))
  }

  /// Reads the first row that a statement finds, or returns `nil` if there is none.
  func row<Result>(
    _ sql: String, _ values: [StoreValue] = [], _ read: (borrowing SQLiteRow) throws -> Result?
  ) throws -> Result? {
    var result: Result?
    try eachRow(sql, values) { row in
      result = try read(row)
      return false
    }
    return result
  }

  /// Reads every row that a statement finds.
  func rows<Result>(
    _ sql: String, _ values: [StoreValue] = [], _ read: (borrowing SQLiteRow) throws -> Result
  ) throws -> [Result] {
    var results: [Result] = []
    try eachRow(sql, values) { row in
      results.append(try read(row))
      return true
    }
    return results
  }

  /// Reads the rows that a statement finds as long as `read` returns true.
  func eachRow(
    _ sql: String, _ values: [StoreValue] = [], _ read: (borrowing SQLiteRow) throws -> Bool
  ) throws {
    try steps(sql, values) { statement in
      while try step(statement), try read(SQLiteRow(statement)) {}
    }
  }

  /// Reads every row that a statement finds, by the names of its columns.
  func records(_ sql: String, _ values: [StoreValue]) throws -> [SQLiteRecord] {
    var results: [SQLiteRecord] = []
    try steps(sql, values) { statement in
      let count = sqlite3_column_count(statement)
      while try step(statement) {
        let places = columns[sql] ?? Self.places(of: statement, count)
        columns[sql] = places
        let row = SQLiteRow(statement)
        results.append(SQLiteRecord(places: places, values: (0..<count).map { row.value($0) }))
      }
    }
    return results
  }

  private static func places(of statement: OpaquePointer, _ count: Int32) -> [String: Int] {
    Dictionary(
      (0..<count).map { (sqlite3_column_name(statement, $0).map { String(cString: $0) } ?? "", Int($0)) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Hands out the compiled statement with its values; afterwards it keeps none of them.
  private func steps(_ sql: String, _ values: [StoreValue], _ body: (OpaquePointer) throws -> Void) throws {
    let statement = try compiled(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    let count = Int(sqlite3_bind_parameter_count(statement))
    precondition(count <= values.count, "a value for each place")
    for (place, value) in values.prefix(count).enumerated() {
      guard value.bind(to: statement, at: Int32(place + 1)) == SQLITE_OK else { throw error }
    }
    try body(statement)
  }

  private func compiled(_ sql: String) throws(SQLiteError) -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    guard !isClosed else { throw .closed }
    var compiled: OpaquePointer?
    guard sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil) == SQLITE_OK,
      let compiled
    else { throw error }
    statements[sql] = compiled
    return compiled
  }

  /// - Returns: whether there is a row to read.
  private func step(_ statement: OpaquePointer) throws(SQLiteError) -> Bool {
    switch sqlite3_step(statement) {
    case SQLITE_ROW: true
    case SQLITE_DONE: false
    default: throw error
    }
  }

  private var error: SQLiteError {
    SQLiteError(code: sqlite3_extended_errcode(connection), message: String(cString: sqlite3_errmsg(connection)))
  }

  /// Instructions that SQLite's machine has run for a statement since it was compiled.
  func instructions(of sql: String) -> Int {
    statements[sql].map { Int(sqlite3_stmt_status($0, SQLITE_STMTSTATUS_VM_STEP, 0)) } ?? 0
  }
}

/// What SQLite says when it does not do something.
struct SQLiteError: Error {
  /// An extended result code.
  let code: Int32
  /// In SQLite's own words, without the statement and its values, which can hold what people typed.
  var message: String?

  /// The result code, without what extends it.
  var primary: Int32 { code & 0xFF }

  static let closed = SQLiteError(code: SQLITE_MISUSE, message: "the connection is closed")

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
    case .keys(let keys): return StoreValue.bytes(keys.flatMap(\.self)).bind(to: statement, at: place)
    case .integer(nil), .text(nil), .bytes(nil): return sqlite3_bind_null(statement, place)
    }
  }
}

/// A row that outlives its statement. Its columns have names.
package struct SQLiteRecord: StoreRow, Sendable {
  fileprivate let places: [String: Int]
  fileprivate let values: [StoreValue]

  private func value(_ column: String) -> StoreValue {
    guard let place = places[column] else { preconditionFailure("the statement has no column \(column)") }
    return values[place]
  }

  package func text(_ column: String) -> String? { if case .text(let text) = value(column) { text } else { nil } }
  package func bytes(_ column: String) -> [UInt8]? { if case .bytes(let bytes) = value(column) { bytes } else { nil } }
  package func integer(_ column: String) -> Int64? {
    if case .integer(let number) = value(column) { number } else { nil }
  }
  package func flag(_ column: String) -> Bool { integer(column) == 1 }
}

/// A row that a statement has come to. Columns count from 0; what is NULL reads as `nil`, 0 or nothing.
struct SQLiteRow: ~Copyable {
  private let statement: OpaquePointer

  fileprivate init(_ statement: OpaquePointer) { self.statement = statement }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

  func text(_ column: Int32) -> String? {
    sqlite3_column_text(statement, column).map {
      String(
        decoding: UnsafeBufferPointer(start: $0, count: Int(sqlite3_column_bytes(statement, column))), as: UTF8.self)
    }
  }

  func bytes(_ column: Int32) -> [UInt8] {
    Array(
      UnsafeRawBufferPointer(
        start: sqlite3_column_blob(statement, column), count: Int(sqlite3_column_bytes(statement, column))))
  }

  /// Whatever it is: an integer, a text, bytes, or the text `nil`.
  func value(_ column: Int32) -> StoreValue {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: .integer(integer(column))
    case SQLITE_TEXT: .text(text(column))
    case SQLITE_BLOB: .bytes(bytes(column))
    default: .text(nil)
    }
  }
}

extension SQLite: StoreSession {
  var lockingClause: String { "" }

  func rows(_ sql: String, _ values: [StoreValue]) throws -> [SQLiteRecord] {
    try records(StoreStatement.sqlite(sql), values)
  }

  /// What the database remembers of itself under this name.
  func setting(_ name: String) throws -> String? {
    try row("SELECT value FROM settings WHERE name = ?", [.text(name)]) { $0.text(0) }
  }

  func set(_ name: String, to value: String) throws {
    try run("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", [.text(name), .text(value)])
  }
}

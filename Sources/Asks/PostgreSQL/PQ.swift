internal import CPQ
internal import Foundation
internal import Prompts

/// libpq, PostgreSQL's own client library, opened when it is first needed.
enum PQ {
  /// Its functions, or why it cannot be opened. They are only written here, once.
  private static let opened: Result<cpq, StoreFault> = {
    // All of its fields are written, or the result is not used.
    let library = UnsafeMutablePointer<cpq>.allocate(capacity: 1)
    defer { library.deallocate() }
    if let problem = cpq_open(library) {
      return .failure(StoreFault("no-library", ["detail": String(cString: problem)]))
    }
    return .success(library.pointee)
  }()

  static func open() throws(StoreFault) -> cpq { try opened.get() }

  /// For those that have a connection or a result: libpq is open then.
  static var library: cpq {
    guard case .success(let library) = opened else { preconditionFailure("libpq was never opened") }
    return library
  }

  /// The reason the last call failed, in one line.
  static func reason(_ connection: OpaquePointer?) -> ConnectionError {
    let lines = (library.PQerrorMessage(connection).map { String(cString: $0) } ?? "").split(
      whereSeparator: \.isNewline)
    // A hint begins with a tab.
    var message = lines.filter { !$0.hasPrefix("LOCATION:") }.map { $0.trimmingCharacters(in: .whitespaces) }
      .joined(separator: " ")
    var code = library.PQconnectionNeedsPassword(connection) == 1 ? "28P01" : nil
    for colon in message.ranges(of: ": ") {
      var reader = TextReader(message[colon.upperBound...])
      _ = reader.take(any: " ")
      guard let found = reader.take(some: "0-9A-Z", 5...5), ASCII.isDigit(found.utf8[found.startIndex]),
        reader.take(": ")
      else { continue }
      code = String(found)
      message.replaceSubrange(colon.upperBound..<reader.rest.startIndex, with: "")
      break
    }
    return ConnectionError(code: code, message: message)
  }
}

/// The result of one statement.
struct PQResult {
  let status: ExecStatusType
  /// The server's summary of the command: `COMMIT`, `UPDATE 1`.
  let tag: String
  let rows: [StoreRow]
  /// The reason the statement failed, or `nil` if it succeeded.
  let error: PQError?

  /// Takes over libpq's result.
  init(_ result: OpaquePointer) {
    let pq = PQ.library
    defer { pq.PQclear(result) }
    status = pq.PQresultStatus(result)
    tag = pq.PQcmdStatus(result).map { String(cString: $0) } ?? ""
    func field(_ code: UInt8) -> String { pq.PQresultErrorField(result, Int32(code)).map { String(cString: $0) } ?? "" }
    error =
      switch status {
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_PIPELINE_SYNC: nil
      case PGRES_PIPELINE_ABORTED: PQError(code: "", message: "an earlier statement failed")
      default: PQError(code: field(UInt8(ascii: "C")), message: field(UInt8(ascii: "M")))
      }
    let width = pq.PQnfields(result)
    let columns = (0..<width).map { pq.PQfname(result, $0).map { String(cString: $0) } ?? "" }
    rows = (0..<pq.PQntuples(result)).map { row in
      StoreRow(columns: columns, values: (0..<width).map { StoreValue(result, row, $0) })
    }
  }
}

extension StoreValue {
  fileprivate init(_ result: OpaquePointer, _ row: Int32, _ column: Int32) {
    let pq = PQ.library
    guard pq.PQgetisnull(result, row, column) == 0 else {
      self = .text(nil)
      return
    }
    let value = UnsafeRawBufferPointer(
      start: pq.PQgetvalue(result, row, column), count: Int(pq.PQgetlength(result, row, column)))
    // In PostgreSQL's binary format, unless the result is in text.
    switch pq.PQfformat(result, column) == 0 ? 0 : pq.PQftype(result, column) {
    case Self.booleanType, Self.bigintType: self = .integer(value.reduce(0) { $0 << 8 | Int64($1) })
    case Self.byteaType: self = .bytes(Array(value))
    default: self = .text(String(decoding: value, as: UTF8.self))
    }
  }

  /// Numbers of PostgreSQL's own types, in `pg_type`.
  private static let (booleanType, byteaType, bigintType): (Oid, Oid, Oid) = (16, 17, 20)

  /// The bytes that libpq takes, and whether they are in binary format.
  private var sent: (bytes: [UInt8]?, isBinary: Bool) {
    switch self {
    case .text(let text): (text.map { Array($0.utf8) }, false)
    case .bytes(let bytes): (bytes, true)
    case .integer(let number): (number.map { Array(String($0).utf8) }, false)
    }
  }

  /// Calls `body` with the count, values, lengths and formats, as libpq takes them.
  static func with<Result>(
    _ values: [StoreValue],
    _ body: (Int32, [UnsafePointer<CChar>?], [Int32], [Int32]) -> Result
  ) -> Result {
    var (flat, places): ([CChar], [Int?]) = ([], [])
    var (lengths, formats): ([Int32], [Int32]) = ([], [])
    for (bytes, isBinary) in values.map(\.sent) {
      places.append(bytes.map { _ in flat.count })
      lengths.append(Int32(bytes?.count ?? 0))
      formats.append(isBinary ? 1 : 0)
      if let bytes { flat += bytes.map(CChar.init(bitPattern:)) + [0] }
    }
    return flat.withUnsafeBufferPointer { buffer in
      let base = buffer.baseAddress
      return body(
        Int32(values.count), places.map { place in place.flatMap { base?.advanced(by: $0) } }, lengths, formats)
    }
  }
}

/// An error that the server reports.
struct PQError: Error, CustomStringConvertible {
  /// SQLSTATE: five characters.
  let code: String
  let message: String

  /// Another transaction was in the way: the same again may succeed.
  var isConflict: Bool { ["40001", "40P01", "55P03"].contains(code) }

  /// The server is stopping, or is no longer the primary: waiting calls go to the server that takes its place.
  var endsConnection: Bool { code.hasPrefix("57P") || code.hasPrefix("08") || code == "25006" }

  /// The fault to throw for a write that ended with this error.
  func fault(_ address: PostgreSQLAddress) -> StoreFault {
    switch (code, code.prefix(2)) {
    case ("53100", _): StoreFault("full")
    case ("55P03", _), ("57014", _), (_, "40"): StoreFault("locked", ["database": "\(address)"])
    case (_, "42"): StoreFault("write-refused", ["database": "\(address)", "detail": "\(self)"])
    default: StoreFault("write-failed", ["detail": "\(self)"])
    }
  }

  /// The server's words; but not those of data exceptions (class 22), which can quote what people typed.
  var description: String { "PostgreSQL \(code): \(code.hasPrefix("22") ? "data exception" : message)" }
}

/// The reason there is no connection.
struct ConnectionError: Error {
  /// SQLSTATE, if it was the server that said so.
  var code: String?
  let message: String
  /// True if the server is there, and takes no writes.
  var isReadOnly: Bool { message.contains("session is read-only") }

  func fault(_ address: PostgreSQLAddress) -> StoreFault {
    let database = "\(address)"
    switch (code, code?.prefix(2)) {
    case (nil, _) where isReadOnly: return StoreFault("unsuitable.replica", ["database": database])
    case ("42P05", _), ("26000", _): return StoreFault("unsuitable.pooler", ["database": database])
    case (_, "55"): return StoreFault("locked", ["database": database])
    case (_, "28"): return StoreFault("refused", ["database": database, "detail": message])
    case (_, "3D"): return StoreFault("unsuitable.missing", ["database": database, "detail": message])
    // It is going down, coming up, gone or full. What libpq finds by itself has no code.
    case (nil, _), (_, "57"), (_, "08"), (_, "53"):
      return StoreFault("unreachable", ["database": database, "detail": message])
    case (let code?, _):
      return StoreFault("unsuitable", ["database": database, "detail": "\(PQError(code: code, message: message))"])
    }
  }
}

extension ConnectionError {
  /// The reason none of an address's servers can be used.
  ///
  /// - Parameter errors: one for each, in order; at least one.
  init(ofAll errors: [ConnectionError]) {
    // One that only reads is not what is wrong while another cannot be reached.
    let first = errors.first { !$0.isReadOnly } ?? errors[0]
    guard errors.count > 1, !first.isReadOnly else {
      self = first
      return
    }
    let reasons = errors.map { $0.isReadOnly ? "another only reads" : $0.message }
    self.init(code: first.code, message: reasons.joined(separator: "; "))
  }
}

internal import Prompts

/// What takes a parameter's place in a statement.
enum StoreValue: Sendable {
  case integer(Int64?)
  case text(String?)
  case bytes([UInt8]?)
  /// Several fingerprints of 32 bytes, any of which may be the one that is looked for.
  case keys([[UInt8]])

  static func integer(_ number: Int) -> Self { .integer(Int64(number)) }
  static func flag(_ flag: Bool) -> Self { .integer(flag ? 1 : 0) }
  static func id(_ id: AskID) -> Self { .text(id.description) }
  static func moment(_ moment: Timestamp) -> Self { .integer(moment.milliseconds) }
}

/// A row that a statement found. What is NULL reads as `nil`.
package protocol StoreRow {
  func text(_ column: String) -> String?
  func bytes(_ column: String) -> [UInt8]?
  func integer(_ column: String) -> Int64?
  func flag(_ column: String) -> Bool
}

extension StoreRow {
  func timestamp(_ column: String) -> Timestamp? { integer(column).map(Timestamp.init(milliseconds:)) }

  /// The value of a column that is never NULL.
  func kept<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw StoreFault.readFailed(detail: "a value is missing") }
    return value
  }

  /// A column of this kind, for another database.
  func value(of column: StoreTable.Column) -> StoreValue {
    switch column.kind {
    case .text: .text(text(column.name))
    case .bytes: .bytes(bytes(column.name))
    case .integer, .position: .integer(integer(column.name))
    case .flag: .flag(flag(column.name))
    }
  }
}

/// A connection that waits for each response, to either database: for what is done before a server serves, or by a command.
/// Statements are written as PostgreSQL takes them.
protocol StoreSession: KeepsSettings {
  associatedtype Row: StoreRow

  /// What keeps rows as they were read, at the end of a SELECT.
  var lockingClause: String { get }

  func rows(_ sql: String, _ values: [StoreValue]) throws -> [Row]
}

// MARK: What rows hold

extension AskID {
  init(_ row: some StoreRow) throws {
    guard let id = row.text("id").flatMap({ AskID($0) }) else {
      throw StoreFault.readFailed(detail: "an ask has an invalid id")
    }
    self = id
  }
}

extension Ask {
  /// A row of `asks`.
  init(_ row: some StoreRow) throws {
    let id = try AskID(row)
    self.init(
      id: id, prompt: row.text("prompt"), definition: Sealable(stored: try row.kept(row.bytes("definition"))),
      values: Sealable(stored: try row.kept(row.bytes("initial"))), metadata: try row.kept(row.bytes("metadata")),
      callback: row.text("callback"), createdAt: try row.kept(row.timestamp("created_at")),
      expiresAt: try row.kept(row.timestamp("expires_at")), closed: try ClosedAsk(row, id: id))
  }
}

extension ListedAsk {
  init(_ row: some StoreRow) throws {
    let id = try AskID(row)
    self.init(
      id: id, prompt: row.text("prompt"), createdAt: try row.kept(row.timestamp("created_at")),
      expiresAt: try row.kept(row.timestamp("expires_at")), metadata: try row.kept(row.bytes("metadata")),
      closed: try ClosedAsk(row, id: id))
  }
}

extension ClosedAsk {
  /// `nil` if the row's ask is open.
  init?(_ row: some StoreRow, id: AskID) throws {
    guard let outcome = row.text("outcome").flatMap({ Outcome.Kind(rawValue: $0) }) else { return nil }
    self.init(
      id: id, outcome: outcome, closedAt: try row.kept(row.timestamp("closed_at")),
      json: Sealable(stored: try row.kept(row.bytes("closed"))), request: row.bytes("closed_request"))
  }
}

extension StandingAnswer {
  /// A row of `answers`.
  init(_ row: some StoreRow) throws {
    self.init(
      prompt: try row.kept(row.text("prompt")), cursor: .init(position: try row.kept(row.integer("position"))),
      answeredAt: try row.kept(row.timestamp("answered_at")),
      outcome: Sealable(stored: try row.kept(row.bytes("outcome"))), context: row.text("context") ?? "")
  }
}

extension Callback {
  /// A row of `callbacks` with its closed ask.
  init(_ row: some StoreRow) throws {
    let id = try AskID(row)
    guard let closed = try ClosedAsk(row, id: id) else {
      throw StoreFault.readFailed(detail: "a callback’s ask is open")
    }
    self.init(
      id: id, url: try row.kept(row.text("url")), attempts: Int(row.integer("attempts") ?? 0), closed: closed)
  }
}

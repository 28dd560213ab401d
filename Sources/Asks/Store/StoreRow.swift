internal import Prompts

/// A row that a statement found. What is NULL reads as `nil`.
struct StoreRow: Sendable {
  /// The names of the columns, in their order.
  let columns: [String]
  let values: [StoreValue]

  private func value(_ column: String) -> StoreValue {
    guard let place = columns.firstIndex(where: column.isName) else {
      preconditionFailure("the statement has no column \(column)")
    }
    return values[place]
  }

  func text(_ column: String) -> String? { if case .text(let text) = value(column) { text } else { nil } }
  func bytes(_ column: String) -> [UInt8]? { if case .bytes(let bytes) = value(column) { bytes } else { nil } }
  func integer(_ column: String) -> Int64? { if case .integer(let number) = value(column) { number } else { nil } }
  func timestamp(_ column: String) -> Timestamp? { integer(column).map(Timestamp.init(milliseconds:)) }

  /// The first column as text.
  var first: String? { values.first.flatMap(\.text) }

  /// The value of a column that is never NULL.
  func kept<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw StoreFault("read-failed", ["detail": "a value is missing"]) }
    return value
  }
}

// MARK: What rows hold

extension AskID {
  init(_ row: StoreRow) throws {
    guard let id = row.text("id").flatMap({ AskID($0) }) else {
      throw StoreFault("read-failed", ["detail": "an ask has an invalid id"])
    }
    self = id
  }
}

extension Ask {
  /// A row of `asks`.
  init(_ row: StoreRow) throws {
    let id = try AskID(row)
    self.init(
      id: id, prompt: row.text("prompt"),
      definition: Sealable(stored: try row.kept(row.bytes("definition")), .definition, of: id),
      values: Sealable(stored: try row.kept(row.bytes("initial")), .values, of: id),
      terms: try AskTerms(row), createdAt: try row.kept(row.timestamp("created_at")),
      expiresAt: try row.kept(row.timestamp("expires_at")), closed: try ClosedAsk(row, id: id),
      revision: row.integer("revision"))
  }

  /// The row of a new one, without link and key.
  var columns: NamedValues {
    terms.columns.merging([
      "id": .id(id), "prompt": .text(prompt), "definition": .bytes(definition.stored),
      "initial": .bytes(values.stored), "holds_passwords": .flag(holdsPasswords), "created_at": .moment(createdAt),
      "expires_at": .moment(expiresAt), "revision": .integer(revision),
    ])
  }
}

extension ListedAsk {
  init(_ row: StoreRow) throws {
    let id = try AskID(row)
    self.init(
      id: id, position: try row.kept(row.integer("position")), prompt: row.text("prompt"),
      createdAt: try row.kept(row.timestamp("created_at")),
      expiresAt: try row.kept(row.timestamp("expires_at")), terms: try AskTerms(row),
      closed: try ClosedAsk(row, id: id), resultAt: row.timestamp("result_at"))
  }
}

extension ClosedAsk {
  /// `nil` if the row's ask is open.
  init?(_ row: StoreRow, id: AskID) throws {
    guard let outcome = row.text("outcome").flatMap({ Outcome.Kind(rawValue: $0) }) else { return nil }
    self.init(
      id: id, prompt: row.text("prompt"), createdAt: try row.kept(row.timestamp("created_at")), outcome: outcome,
      closedAt: try row.kept(row.timestamp("closed_at")),
      json: Sealable(stored: try row.kept(row.bytes("closed")), .closed, of: id), request: row.bytes("closed_request"),
      result: row.bytes("result").map { Sealable(stored: $0, .result, of: id) },
      resultWithin: row.integer("result_within").map { .seconds($0) })
  }

  /// Its part of the ask's row.
  var columns: NamedValues {
    [
      "outcome": .text(outcome.rawValue), "closed_at": .moment(closedAt), "closed": .bytes(json.stored),
      "closed_request": .bytes(request),
    ]
  }
}

extension StandingAnswer {
  /// A row of `answers`.
  init(_ row: StoreRow) throws {
    self.init(
      prompt: try row.kept(row.text("prompt")), cursor: .init(position: try row.kept(row.integer("position"))),
      answeredAt: try row.kept(row.timestamp("answered_at")),
      outcome: Sealable(stored: try row.kept(row.bytes("outcome")), context: row.text("context") ?? ""))
  }
}

internal import Foundation

/// What came of sealing a database anew.
package struct Rekeyed: Sendable, Equatable {
  /// Texts that another key had sealed.
  package internal(set) var count = 0
  /// What no key opens, each with why; it stays as it is.
  package internal(set) var unreadable: [String] = []
}

/// Seals with the first key whatever another one sealed, step by step. What was interrupted goes on where it stopped, since
/// sealed bytes say which key sealed them.
struct Rekeying {
  /// A column that can hold sealed bytes.
  fileprivate struct Column: Sendable {
    let table: StoreTable
    let name: String
    /// Which part of an ask it is; `nil` if the row says its context.
    let part: SecretBox.Part?
    let condition: String

    static let all = [
      Column(table: .asks, name: "definition", part: .definition, condition: "holds_passwords"),
      Column(table: .asks, name: "initial", part: .values, condition: "holds_passwords"),
      Column(table: .asks, name: "closed", part: .closed, condition: "holds_passwords AND closed IS NOT NULL"),
      Column(table: .asks, name: "link", part: .link, condition: "link IS NOT NULL"),
      Column(table: .answers, name: "outcome", part: nil, condition: "context <> ''"),
    ]
  }

  /// What is done in one transaction: some rows of a column, or at the end to remember the only key.
  struct Step: Sendable {
    fileprivate let column: Column?
    fileprivate let place: StoreValue
    fileprivate let secrets: SecretBox
    fileprivate let batch: Int
  }

  /// What came of it, and the key of the last row, or `nil` if there was none.
  typealias Result = (rekeyed: Rekeyed, last: StoreValue?)

  private(set) var rekeyed = Rekeyed()
  /// What is to be done next, or `nil` if all is done.
  private(set) var next: Step?
  private var columns = Column.all[...]
  private let secrets: SecretBox
  private let batch: Int

  init(secrets: SecretBox, batch: Int = 100) {
    (self.secrets, self.batch) = (secrets, batch)
    next = step(after: nil)
  }

  mutating func note(_ result: Result) {
    rekeyed.count += result.rekeyed.count
    rekeyed.unreadable += result.rekeyed.unreadable
    if result.last == nil, columns.popFirst() == nil { next = nil } else { next = step(after: result.last) }
  }

  private func step(after last: StoreValue?) -> Step {
    let first: StoreValue = columns.first?.table.key.kind == .position ? .integer(0) : .text("")
    return Step(column: columns.first, place: last ?? first, secrets: secrets, batch: batch)
  }
}

extension Rekeying.Step {
  func run(on session: some StoreSession) throws -> Rekeying.Result {
    guard let column else {
      try session.set("fingerprints", to: Data(secrets.formerFingerprints().stored).base64EncodedString())
      try session.set("key", to: secrets.keyID)
      return (Rekeyed(), nil)
    }
    let (table, key, name) = (column.table.name, column.table.key, column.name)
    let owner = column.part == nil ? "context" : "id"
    let rows = try session.rows(
      """
      SELECT \(key.name), \(owner) AS owner, \(name) AS kept FROM \(table)
      WHERE \(key.name) > $1 AND \(column.condition) ORDER BY \(key.name) LIMIT \(batch) \(session.lockingClause)
      """, [place])
    var rekeyed = Rekeyed()
    for row in rows {
      let owner = try row.kept(row.text("owner"))
      let context = try column.part.map { SecretBox.context($0, of: try row.kept(AskID(owner))) } ?? owner
      do {
        let kept = Sealable(stored: try row.kept(row.bytes("kept")))
        guard let sealed = try secrets.reseal(kept, context: context) else { continue }
        _ = try session.rows(
          "UPDATE \(table) SET \(name) = $1 WHERE \(key.name) = $2", [.bytes(sealed.stored), row.value(of: key)])
        rekeyed.count += 1
      } catch let fault as SecretFault {
        rekeyed.unreadable.append("\(context): \(fault)")
      }
    }
    return (rekeyed, rows.last.map { $0.value(of: key) })
  }
}

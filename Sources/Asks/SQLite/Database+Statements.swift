internal import Foundation
internal import GRDB

extension Database {
  /// Does a statement that is compiled once and kept.
  ///
  /// - Returns: how many rows it changed.
  @discardableResult
  func run(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
    try cachedStatement(sql: sql).execute(arguments: arguments)
    return changesCount
  }

  func row(_ sql: String, _ arguments: StatementArguments = []) throws -> Row? {
    try Row.fetchOne(cachedStatement(sql: sql), arguments: arguments)
  }

  func rows(_ sql: String, _ arguments: StatementArguments = []) throws -> [Row] {
    try Row.fetchAll(cachedStatement(sql: sql), arguments: arguments)
  }

  /// What the database remembers of itself under this name.
  func setting(_ name: String) throws -> String? {
    try row("SELECT value FROM settings WHERE name = ?", [name])?["value"]
  }

  func set(_ name: String, to value: String) throws {
    try run("INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)", [name, value])
  }
}

extension Row {
  func bytes(_ column: String) -> [UInt8] { Array(self[column] as Data) }

  func timestamp(_ column: String) -> Timestamp { Timestamp(milliseconds: self[column]) }
}

extension Sealable {
  var data: Data { Data(stored) }
}

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
}

extension Row {
  func bytes(_ column: String) -> [UInt8] { Array(self[column] as Data) }

  func timestamp(_ column: String) -> Timestamp { Timestamp(milliseconds: self[column]) }
}

extension Sealable {
  var data: Data { Data(stored) }
}

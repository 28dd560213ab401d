internal import Prompts

/// An error of a store: it could not be opened, or did not do what it was asked.
package struct StoreFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The id of its row in `faults.txt`.
  package let id: String
  private let facts: [String: String]

  private static let table = SentenceTable("Sources/Asks/faults.txt", columns: 3)

  init(_ id: String, _ facts: [String: String] = [:]) { (self.id, self.facts) = (id, facts) }

  /// The file cannot be opened or created.
  static func file(_ path: String, errno: Int32) -> StoreFault {
    StoreFault("file", ["path": path, "why": systemMessage(errno)])
  }

  /// The fault and its remedy.
  package var description: String { Self.table.fields(of: id, facts)[1] }

  /// The description for clients, without paths and without the database's own messages.
  package var publicDescription: String {
    let told = Self.table.fields(of: id, [:])[0]
    return told == "same" ? description : Self.table.fields(of: told, [:])[1]
  }

  /// Runs `body`, and throws its SQLite and PostgreSQL errors as `StoreFault`.
  ///
  /// - Parameter address: the PostgreSQL database that `body` works on, or `nil` for SQLite.
  static func wrapping<Result>(_ address: PostgreSQLAddress? = nil, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as SQLiteError {
      throw CommitFailure(error).fault
    } catch let error as PQError {
      throw StoreFault("unsuitable", ["database": address?.description ?? "", "detail": "\(error)"])
    }
  }
}

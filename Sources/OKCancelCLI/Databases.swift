internal import Asks
internal import Foundation
internal import OKCancel

/// The SQLite file of asks and answers, unless an option names another database.
let usualDatabase = "okcancel.sqlite"

/// True if this is the address of a PostgreSQL database, and false if it is the path of a file.
func isPostgreSQL(_ database: String) throws(Failure) -> Bool {
  do throws(StoreFault) { return try PostgreSQLAddress.isOne(database) } catch { throw Failure.database(error) }
}

/// - Parameter isUsual: true if this is the database of servers, which `--database` names.
func checkExists(_ path: String, isUsual: Bool = false) throws {
  guard !FileManager.default.fileExists(atPath: path) else { return }
  throw isUsual ? Failure("no-database.usual", ["path": path]) : Failure("no-database", ["path": path])
}

extension ServeCommand {
  /// Checks the settings that servers must have in common if they share a database: otherwise each would make its own
  /// secrets, and none would accept what another one made.
  func checkDatabase(_ configuration: Configuration) throws {
    let isShared = try isPostgreSQL(try database())
    if let direct = databaseDirect.text, !isShared || (try? isPostgreSQL(direct)) != true {
      // Its value is not repeated: it may have a password.
      try Failure("direct-database", ["name": databaseDirect.source]).collect()
    }
    guard isShared else { return }
    for address in [configuration.database, configuration.directDatabase].compactMap(\.self) {
      do { _ = try PostgreSQLAddress(address) } catch { try Failure.database(error).collect() }
    }
    if configuration.databaseKey == nil { try Failure("shared-key").collect() }
    if configuration.apiTokens.isEmpty { try Failure("shared-token").collect() }
    if baseURL.text == nil { try Failure("shared-base-url").collect() }
    if !configuration.allowedCallbacks.isEmpty, Variable("webhook-secret").list().isEmpty {
      try Failure("shared-webhook-secret").collect()
    }
    for (option, address) in [("--database", database.flag), ("--database-direct", databaseDirect.flag)] {
      if let address { try PostgreSQLAddress.checkArgument(option, address) }
    }
  }
}

extension PostgreSQLAddress {
  /// Checks that a PostgreSQL database address on the command line has no password.
  static func checkArgument(_ name: String, _ address: String) throws {
    do throws(StoreFault) {
      guard try PostgreSQLAddress(address).hasPassword else { return }
    } catch {
      throw Failure.database(error)
    }
    throw Failure("password-is-shown", ["option": name])
  }
}

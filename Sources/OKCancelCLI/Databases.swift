internal import ArgumentParser
internal import Asks
internal import Foundation
internal import OKCancel

/// The SQLite file of asks and answers, unless an option names another database.
let usualDatabase = "okcancel.sqlite"

/// `okcancel backup FILE`
struct Backup: Command {
  @Argument(help: .of("backup.file"), completion: .file()) var file: String
  @Option(.text("backup.database"), default: usualDatabase) var database

  func run() async throws {
    let path = try database()
    guard !PostgreSQLAddress.isOne(path) else { throw Failure.backupOfPostgreSQL }
    try checkExists(path, "; name yours with --database")
    let holdings = try await Failure.wrapping(Failure.notBackedUp) { try await DatabaseBackup.write(path, to: file) }
    try standardOutput("backed up to \(file): \(holdings); every page was checked")
  }
}

/// `okcancel copy`
struct Copy: Command {
  @Option(help: .of("copy.from")) var from: String
  @Option(help: .of("copy.to")) var to: String

  func run() async throws {
    guard PostgreSQLAddress.isOne(from) != PostgreSQLAddress.isOne(to) else { throw Failure.copyDirection }
    let copy: StoreCopy = PostgreSQLAddress.isOne(to) ? .toPostgreSQL : .toSQLite
    let (file, url, option) = copy == .toPostgreSQL ? (from, to, "--to") : (to, from, "--from")
    try PostgreSQLAddress.checkArgument(option, url)
    let key = try Secrets.key()
    if copy == .toPostgreSQL { try checkExists(file) } else if key == nil { throw Failure.copyNeedsKey }
    let counts = try await Failure.wrapping(Failure.notCopied) {
      try copy.run(file: file, address: try PostgreSQLAddress(url), secrets: .beside(file, environment: key)) {
        table, count in
        if count.isMultiple(of: 10_000) { standardError("\(count) \(table)") }
      }
    }
    let sums = counts.map { "\($0.rows) \($0.table)" }.joined(separator: ", ")
    try standardOutput("copied \(sums); row counts match")
  }
}

/// `okcancel rekey`
struct Rekey: Command {
  @Option(.text("rekey.database"), default: usualDatabase) var database

  func run() async throws {
    let path = try database()
    let key = try Secrets.key()
    if !PostgreSQLAddress.isOne(path) {
      try checkExists(path, "; name yours with --database")
    } else {
      if let database = database.flag { try PostgreSQLAddress.checkArgument("--database", database) }
      guard key != nil else { throw Failure.rekeyNeedsKeys }
    }
    let (rekeyed, name, keyID): (Rekeyed, String, String)
    do {
      let secrets = SecretSource.beside(path, environment: key)
      let address = PostgreSQLAddress.isOne(path) ? try PostgreSQLAddress(path) : nil
      let store =
        try address.map { try AskStore($0, secrets: secrets) }
        ?? AskStore(path, secrets: secrets, patience: .milliseconds(500))
      for notice in store.notices { standardError("okcancel: \(notice)") }
      (rekeyed, name, keyID) = (try await store.rekey(), address?.description ?? path, store.secrets.keyID)
      try await store.close()
    } catch {
      throw Failure.notRekeyed(error)
    }
    let count = "\(rekeyed.count) text\(rekeyed.count == 1 ? "" : "s")"
    try standardOutput("re-encrypted \(count); \(name) needs only the key of id \(keyID) now")
    for fault in rekeyed.unreadable { standardError("okcancel: left as it was, \(fault)") }
    if !rekeyed.unreadable.isEmpty { throw ExitCode.internalError }
  }
}

private func checkExists(_ path: String, _ remedy: String = "") throws {
  guard FileManager.default.fileExists(atPath: path) else { throw Failure.noDatabase(path, remedy) }
}

extension Serve {
  /// Checks the settings that servers must have in common if they share a database: otherwise each would make its own
  /// secrets, and none would accept what another one made.
  func checkDatabase(_ configuration: Configuration) throws {
    let isShared = PostgreSQLAddress.isOne(try database())
    if let direct = databaseDirect.text, !isShared || !PostgreSQLAddress.isOne(direct) {
      // Its value is not repeated: it may have a password.
      try Failure.directDatabase(databaseDirect.source).collect()
    }
    guard isShared else { return }
    for address in [configuration.database, configuration.directDatabase].compactMap(\.self) {
      do { _ = try PostgreSQLAddress(address) } catch { try Failure.database(error).collect() }
    }
    if configuration.databaseKey == nil { try Failure.sharedKey.collect() }
    if configuration.apiTokens.isEmpty { try Failure.sharedToken.collect() }
    if configuration.baseURL == nil { try Failure.sharedBaseURL.collect() }
    if !configuration.allowedCallbacks.isEmpty, configuration.webhookSecrets.isEmpty {
      try Failure.sharedWebhookSecret.collect()
    }
    for (option, address) in [("--database", database.flag), ("--database-direct", databaseDirect.flag)] {
      if let address { try PostgreSQLAddress.checkArgument(option, address) }
    }
  }
}

extension PostgreSQLAddress {
  /// Checks that a PostgreSQL database address on the command line has no password.
  fileprivate static func checkArgument(_ name: String, _ address: String) throws {
    do throws(StoreFault) {
      guard try PostgreSQLAddress(address).hasPassword else { return }
    } catch {
      throw Failure.database(error)
    }
    throw Failure.passwordIsShown(by: name)
  }
}

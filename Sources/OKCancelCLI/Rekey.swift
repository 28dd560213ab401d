internal import ArgumentParser
internal import Asks
internal import Foundation

/// `okcancel rekey`
struct Rekey: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Seal everything in a database again, with the first key.",
    discussion: """
      OKCANCEL_KEY holds the new key, a comma and the old one. If it is not set,
      the key's file holds them, one per line. Stop the server first; servers
      that share a PostgreSQL may run if all of them have both keys. If this is
      interrupted, run it again. Then only old backups need the old key.
      Exit codes: 0, 64 wrong usage, 70 any other error.

      Example: OKCANCEL_KEY=$NEW,$OLD okcancel rekey --database okcancel.sqlite
      """)

  @Option(
    help: ArgumentHelp(
      "SQLite file, or postgresql:// address, of asks and answers. (default: okcancel.sqlite)", valueName: "file"))
  var database: String?

  func run() async throws {
    let path = Setting("database").text(database) ?? "okcancel.sqlite"
    if PostgreSQLAddress.isOne(path) { return try rekeyPostgreSQL(path) }
    guard FileManager.default.fileExists(atPath: path) else {
      throw fail(.internalError, "there is no database at \(path); name yours with --database")
    }
    let rekeyed: SQLiteAskStore.Rekeyed
    let keyID: String
    do {
      let secrets = SecretSource.beside(path, environment: Setting("key").text(nil))
      let store = try SQLiteAskStore(path, secrets: secrets, waiters: Waiters(), patience: .milliseconds(500))
      for notice in store.notices { standardError("okcancel: \(notice)") }
      keyID = store.secrets.keyID
      rekeyed = try await store.rekey()
      try await store.close()
    } catch {
      throw fail(.internalError, "the database cannot be sealed anew: \(error)")
    }
    try report(rekeyed, path, keyID)
  }

  private func rekeyPostgreSQL(_ url: String) throws {
    if let database { try SharedDatabase.checkArgument("database", database) }
    guard let key = Setting("key").text(nil) else {
      throw fail(.usage, "OKCANCEL_KEY must hold the new key, a comma and the old one")
    }
    let address: PostgreSQLAddress
    let rekeyed: SQLiteAskStore.Rekeyed
    let keyID: String
    do {
      address = try PostgreSQLAddress(url)
      (rekeyed, keyID) = try PostgreSQLRekeying(address, secrets: SecretSource(environment: key, file: "")).run()
    } catch {
      throw fail(.internalError, "the database cannot be sealed anew: \(error)")
    }
    try report(rekeyed, "\(address)", keyID)
  }

  private func report(_ rekeyed: SQLiteAskStore.Rekeyed, _ path: String, _ keyID: String) throws {
    standardOutput(
      "sealed \(rekeyed.count) text\(rekeyed.count == 1 ? "" : "s") anew; \(path) needs only the key of id \(keyID) now"
    )
    for fault in rekeyed.unreadable { standardError("okcancel: left as it was, \(fault)") }
    if !rekeyed.unreadable.isEmpty { throw ExitCode.internalError }
  }
}

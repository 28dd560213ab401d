internal import ArgumentParser
internal import Asks
internal import Foundation
internal import OKCancel

/// `okcancel copy`
struct Copy: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copy all asks and answers from an SQLite file to a PostgreSQL, or back.",
    discussion: """
      Stop the servers first. The other database must be empty; it gets
      everything or nothing. Links, cursors and idempotency keys stay what they
      were, and what is sealed stays sealed: OKCANCEL_KEY, or the file beside
      the SQLite file, holds the keys of both. The password of a PostgreSQL
      comes from PGPASSWORD or ~/.pgpass.
      Exit codes: 0, 64 wrong usage, 70 any other error.

      Example: okcancel copy --from okcancel.sqlite --to postgresql://ann@db/asks
      """)

  @Option(help: ArgumentHelp("The database to copy.", valueName: "database"))
  var from: String
  @Option(help: ArgumentHelp("The empty database that it is copied to.", valueName: "database"))
  var to: String

  func run() async throws {
    guard PostgreSQLAddress.isOne(from) != PostgreSQLAddress.isOne(to) else {
      throw fail(
        .usage,
        "one of --from and --to must be an SQLite file and the other a postgresql:// address; pg_dump copies a PostgreSQL to another"
      )
    }
    let direction: StoreCopy.Direction = PostgreSQLAddress.isOne(to) ? .toPostgreSQL : .toSQLite
    let (file, url) = direction == .toPostgreSQL ? (from, to) : (to, from)
    try SharedDatabase.checkArgument(direction == .toPostgreSQL ? "to" : "from", url)
    let key = Variable("key").text
    switch direction {
    case .toPostgreSQL:
      guard FileManager.default.fileExists(atPath: file) else {
        throw fail(.internalError, "there is no database at \(file)")
      }
    case .toSQLite:
      guard key != nil else { throw fail(.usage, "OKCANCEL_KEY must be that of the servers that used the PostgreSQL") }
    }
    do {
      let copy = StoreCopy(
        direction, file: file, address: try PostgreSQLAddress(url), secrets: .beside(file, environment: key))
      let counts = try copy.run { table, count in
        if count.isMultiple(of: 10_000) { standardError("\(count) \(table)") }
      }
      let sums = counts.map { "\($0.rows) \($0.table)" }.joined(separator: ", ")
      standardOutput("copied \(sums); row counts match")
    } catch {
      throw fail(.internalError, "nothing was copied: \(error)")
    }
  }
}

/// `okcancel rekey`
struct Rekey: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Re-encrypt everything in a database with the first key.",
    discussion: """
      OKCANCEL_KEY holds the new key, a comma and the old one. If it is not set,
      the key's file holds them, one per line. Stop the server first; servers
      that share a PostgreSQL may run if all of them have both keys. If this is
      interrupted, run it again. Then only old backups need the old key.
      Exit codes: 0, 64 wrong usage, 70 any other error.

      Example: OKCANCEL_KEY=$NEW,$OLD okcancel rekey --database okcancel.sqlite
      """)

  @Option(
    .text("database", "SQLite file, or postgresql:// address, of asks and answers. (default: okcancel.sqlite)", "file"))
  var database

  func run() async throws {
    let path = database.value ?? "okcancel.sqlite"
    let isShared = PostgreSQLAddress.isOne(path)
    let key = Variable("key").text
    if isShared {
      if let database = database.flag { try SharedDatabase.checkArgument("database", database) }
      guard key != nil else { throw fail(.usage, "OKCANCEL_KEY must hold the new key, a comma and the old one") }
    } else if !FileManager.default.fileExists(atPath: path) {
      throw fail(.internalError, "there is no database at \(path); name yours with --database")
    }
    let (rekeyed, name, keyID): (Rekeyed, String, String)
    do {
      let store: AskStore
      let secrets = SecretSource.beside(path, environment: key)
      if isShared {
        let address = try PostgreSQLAddress(path)
        (store, name) = (try AskStore(address, secrets: secrets, waiters: Waiters()), "\(address)")
      } else {
        name = path
        store = try AskStore(path, secrets: secrets, waiters: Waiters(), patience: .milliseconds(500))
      }
      for notice in store.notices { standardError("okcancel: \(notice)") }
      (rekeyed, keyID) = (try await store.rekey(), store.secrets.keyID)
      try await store.close()
    } catch {
      throw fail(.internalError, "the database cannot be re-encrypted: \(error)")
    }
    let count = "\(rekeyed.count) text\(rekeyed.count == 1 ? "" : "s")"
    standardOutput("re-encrypted \(count); \(name) needs only the key of id \(keyID) now")
    for fault in rekeyed.unreadable { standardError("okcancel: left as it was, \(fault)") }
    if !rekeyed.unreadable.isEmpty { throw ExitCode.internalError }
  }
}

/// What must be given when several servers share a database: each would make a secret of its own, and none would accept
/// what another one made.
struct SharedDatabase {
  /// Options by name, with their values from the command line.
  let arguments: [(name: String, value: String?)]
  let hasCallbacks: Bool

  func check(_ configuration: Configuration) throws {
    let isShared = configuration.database.map(PostgreSQLAddress.isOne) ?? false
    if let direct = configuration.directDatabase, !isShared || !PostgreSQLAddress.isOne(direct) {
      // Its value is not repeated: it may have a password.
      let name = Secrets[Variable("database-direct").name] == nil ? "--database-direct" : "OKCANCEL_DATABASE_DIRECT"
      throw fail(
        .usage,
        "\(name) must be the postgresql:// address behind the pooler that --database names; leave it out otherwise")
    }
    guard isShared else { return }
    let needs = [
      (Secrets["OKCANCEL_KEY"], "OKCANCEL_KEY", "set it to 32 random bytes as “openssl rand -base64 32” prints"),
      (
        configuration.apiTokens.first, "OKCANCEL_API_TOKEN",
        "set it to a random text as “openssl rand -hex 16” prints"
      ),
      (configuration.baseURL, "--base-url", "give the address of the load balancer, like https://ask.example.com"),
      (
        hasCallbacks ? Secrets["OKCANCEL_WEBHOOK_SECRET"] : "", "OKCANCEL_WEBHOOK_SECRET",
        "set it to what “echo whsec_$(openssl rand -base64 32)” prints"
      ),
    ]
    for (value, name, remedy) in needs where value == nil {
      throw fail(.usage, "with a PostgreSQL, \(name) must be the same on every server; \(remedy)")
    }
    for case (let name, let value?) in arguments { try Self.checkArgument(name, value) }
  }

  /// That a PostgreSQL's address on the command line has no password.
  static func checkArgument(_ name: String, _ address: String) throws {
    do throws(StoreFault) {
      guard try PostgreSQLAddress(address).hasPassword else { return }
    } catch {
      throw fail(.internalError, "the database cannot be used: \(error)")
    }
    throw fail(
      .usage,
      "--\(name) would show its password to everybody who lists processes; set PGPASSWORD or use ~/.pgpass instead")
  }
}

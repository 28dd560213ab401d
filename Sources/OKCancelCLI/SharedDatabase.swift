internal import ArgumentParser
internal import Asks
internal import OKCancel

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
      let name = Secrets[Setting("database-direct").variable] == nil ? "--database-direct" : "OKCANCEL_DATABASE_DIRECT"
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

internal import ArgumentParser
internal import Asks

/// `okcancel rekey`
struct RekeyCommand: Command {
  @Option(.text("rekey.database"), default: usualDatabase) var database

  func run() async throws {
    let path = try database()
    let key = try Secrets.key()
    if try !isPostgreSQL(path) {
      try checkExists(path, isUsual: true)
    } else {
      if let database = database.flag { try PostgreSQLAddress.checkArgument("--database", database) }
      guard key != nil else { throw Failure("rekey-needs-keys") }
    }
    let (rekeyed, name, keyID): (Rekeyed, String, String)
    do {
      let secrets = SecretSource.beside(path, environment: key)
      let address = try isPostgreSQL(path) ? try PostgreSQLAddress(path) : nil
      let store =
        try address.map { try AskStore($0, secrets: secrets) }
        ?? AskStore(path, secrets: secrets, patience: .milliseconds(500))
      for notice in store.notices { standardError("okcancel: \(notice)") }
      (rekeyed, name, keyID) = (try await store.rekey(), address?.description ?? path, store.secrets.keyID)
      try await store.close()
    } catch {
      throw Failure("not-rekeyed", ["why": "\(error)"])
    }
    let count = "\(rekeyed.count) text\(rekeyed.count == 1 ? "" : "s")"
    try standardOutput("re-encrypted \(count); \(name) needs only the key of id \(keyID) now")
    for fault in rekeyed.unreadable { standardError("okcancel: left as it was, \(fault)") }
    if !rekeyed.unreadable.isEmpty { throw ExitCode.internalError }
  }
}

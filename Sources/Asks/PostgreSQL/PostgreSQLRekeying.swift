/// Seals with the first key whatever another one sealed in a PostgreSQL. Servers that have both keys may run meanwhile.
package struct PostgreSQLRekeying: Sendable {
  let address: PostgreSQLAddress
  let secrets: SecretSource

  package init(_ address: PostgreSQLAddress, secrets: SecretSource) {
    (self.address, self.secrets) = (address, secrets)
  }

  /// - Returns: what came of it, and the id of the only key that is needed now.
  /// - Throws: `StoreFault` or `SecretFault`.
  package func run() throws -> (Rekeyed, keyID: String) {
    let (box, _) = try PostgreSQLOpening(address: address).open(with: secrets)
    let session = try PostgreSQLSession(address)
    var rekeying = Rekeying(secrets: box)
    do {
      while let step = rekeying.next { rekeying.note(try session.transaction { try step.run(on: session) }) }
    } catch let error as PQError {
      throw StoreFault.unsuitable(database: "\(address)", detail: "\(error)")
    }
    return (rekeying.rekeyed, box.keyID)
  }
}

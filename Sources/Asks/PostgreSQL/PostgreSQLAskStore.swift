package import Prompts
internal import StrictJSON
internal import Synchronization

/// An `AskStore` in a PostgreSQL, which several servers can share.
///
/// Each write is one statement, and what comes together is one transaction: see `PostgreSQLConnection`. An answer is
/// acknowledged after the server has said that the transaction is committed.
package typealias PostgreSQLAskStore = DatabaseAskStore<PostgreSQLNode>

/// One of the servers that share a PostgreSQL.
package final class PostgreSQLNode: AskDatabase {
  package typealias Row = PQRow

  let client: PostgreSQLClient
  private let waking: PostgreSQLWaking
  /// What this process calls itself among those that share the database.
  fileprivate let name = RandomText()
  fileprivate let hasOffered = Atomic(false)

  fileprivate init(_ client: PostgreSQLClient, _ waiters: Waiters) {
    self.client = client
    waking = PostgreSQLWaking(client, waiters)
    client.start { [weak waking] in waking?.handle($0) }
  }

  deinit { client.stop() }

  package var health: StoreHealth { client.health }

  package func read(_ call: StoreCall) async throws -> [PQRow] { try await client.perform(call, .reads) }

  package func write(_ call: StoreCall) async throws -> [PQRow] { try await client.perform(call, .writes) }

  /// A connection that is lost says so by itself.
  package func inspect() {}

  package func close() async {
    // One that is killed is forgotten after a while.
    if hasOffered.load(ordering: .relaxed), health == .healthy {
      _ = try? await write(StoreCall(statement: .leave, values: [.text(name.description)]))
    }
    await client.close()
  }
}

extension DatabaseAskStore where Database == PostgreSQLNode {
  /// Looks at the database, makes its tables or adds what they lack, and connects.
  ///
  /// - Parameters:
  ///   - address: of the server; or of a pooler of transactions, if there is a direct address.
  ///   - direct: the server's own address, for LISTEN; then nothing is prepared at the other one.
  ///   - source: where the key to sealed passwords comes from. All nodes need the same.
  ///   - waiters: whom to wake when an ask is closed, by this process or another.
  ///   - clock: `nil` for that of the database, by which all nodes agree on what is due.
  ///   - onCommit: told of each transaction: how long it took, and its writes.
  /// - Throws: `StoreFault` or `SecretFault`.
  package convenience init(
    _ address: PostgreSQLAddress, direct: PostgreSQLAddress? = nil, secrets source: SecretSource, waiters: Waiters,
    clock: WallClock? = nil, onCommit: @escaping @Sendable (Duration, Int) -> Void = { _, _ in }
  ) throws {
    let (secrets, databaseClock) = try PostgreSQLOpening(address: address).open(with: source)
    let client = PostgreSQLClient(to: address, direct: direct, clock: databaseClock, onCommit: onCommit)
    self.init(
      PostgreSQLNode(client, waiters), secrets: secrets, waiters: waiters,
      clock: clock ?? WallClock { databaseClock.now })
  }

  /// Says which version of each prompt this server offers.
  ///
  /// - Returns: the names of those that another running server offers in another version, or that only one of the two
  ///   offers, sorted.
  package func offer(_ versions: [String: String]) async throws -> [String] {
    var json = JSONWriter()
    json.object { json in for (name, version) in versions { json.member(name, version) } }
    database.hasOffered.store(true, ordering: .relaxed)
    let others = try await write(
      .offer, [.text(database.name.description), .text(String(decoding: json.bytes, as: UTF8.self))])
    var names: Set<String> = []
    for row in others {
      guard case .object(let members)? = try? JSON(parsing: row.kept(row.bytes("prompts")), limits: .file) else {
        continue
      }
      var other: [String: String] = [:]
      for member in members { if case .string(let version) = member.value { other[member.key] = version } }
      names.formUnion(Set(versions.keys).union(other.keys).filter { versions[$0] != other[$0] })
    }
    return names.sorted()
  }
}

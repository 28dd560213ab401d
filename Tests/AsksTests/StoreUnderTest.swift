@testable import Asks
import Prompts
import StrictJSON
import TestSupport
import Testing

/// A kind of store that the contract is checked against. Another store joins by a line in `all`.
struct StoreKind: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let make: @Sendable (TemporaryDirectory, WallClock) throws -> AskStore

  static let all = [
    StoreKind(testDescription: "SQLite") { directory, clock in
      let path = directory.file("asks.sqlite")
      return try AskStore(
        path, secrets: .beside(path, environment: nil), clock: clock)
    },
    StoreKind(testDescription: "PostgreSQL") { _, clock in
      let address = try PostgreSQLServer.shared.get().makeAddress()
      return try AskStore(address, secrets: .test, clock: clock)
    },
    // As behind a pooler: nothing is prepared.
    StoreKind(testDescription: "PostgreSQL, pooled") { _, clock in
      let address = try PostgreSQLServer.shared.get().makeAddress()
      return try AskStore(address, direct: address, secrets: .test, clock: clock)
    },
  ]
}

/// A new, empty store with a clock to set.
struct StoreUnderTest {
  let directory: TemporaryDirectory
  let clock = TestClock()
  let store: AskStore

  init(_ kind: StoreKind) throws {
    directory = try TemporaryDirectory()
    store = try kind.make(directory, clock.wallClock)
  }

  func make(
    _ draft: AskDraft = .sample, _ key: IdempotencyKey? = nil
  ) async throws -> (ask: Ask, token: LinkToken) {
    guard case .created(let ask, let token) = try await store.create(draft, idempotency: key) else {
      throw NotCreated()
    }
    return (ask, token)
  }

  struct NotCreated: Error {}
}

extension AskDraft {
  static var sample: AskDraft { AskDraft(definition: bytes(#"{"title":"Your Email"}"#), holdsPasswords: false) }

  static func sample(callback: String?) -> AskDraft {
    var draft = sample
    draft.terms.callback = callback
    return draft
  }
}

extension AskStore {
  func close(_ id: AskID, as outcome: Outcome, idempotency key: IdempotencyKey? = nil) async throws -> CloseResult {
    try await close(id, as: Ended(outcome), idempotency: key)
  }

  func append(
    _ outcome: Outcome, to prompt: String, holdsPasswords: Bool, receipt: Receipt?, idempotency key: IdempotencyKey?
  ) async throws -> AppendResult {
    try await append(
      Ended(outcome), to: prompt, holdsPasswords: holdsPasswords, receipt: receipt, idempotency: key)
  }

  /// Keeps an answer that comes only once.
  func append(
    _ outcome: Outcome, to prompt: String, about subject: String? = nil, holdsPasswords: Bool,
    receipt: Receipt? = nil
  ) async throws -> StandingAnswer.Cursor {
    let result = try await append(
      Ended(outcome, subject: subject), to: prompt, holdsPasswords: holdsPasswords, receipt: receipt, idempotency: nil)
    guard case .kept(let cursor) = result else { throw StoreUnderTest.NotCreated() }
    return cursor
  }

  /// Answers to a standing prompt, however large.
  func answers(to prompt: String, after cursor: StandingAnswer.Cursor?, limit: Int) async throws -> [StandingAnswer] {
    try await answers(to: prompt, after: cursor, limit: limit, bytes: .max)
  }

  /// Takes callbacks that are due, as many for each origin.
  func claimCallbacks(limit: Int, perOrigin: Int, lease: Duration) async throws -> [Callback] {
    try await claimCallbacks(limit: limit, perOrigin: perOrigin, limits: [:], lease: lease)
  }
}

extension StoreCall {
  /// A call with NULL for every value that is not given.
  init(_ statement: StoreStatement, only given: NamedValues, locks: [StoreLock] = []) {
    let all = statement.parameters.map { ($0, given[$0] ?? .text(nil)) }
    self.init(statement, Dictionary(uniqueKeysWithValues: all), locks: locks)
  }
}

extension SecretBox {
  /// A box with a new key, which is kept nowhere.
  static func temporary() -> SecretBox { try! SecretBox(key: (0..<32).map { _ in .random(in: 0...255) }) }
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

/// The values of a JSON object.
func values(_ text: String) -> Values {
  do { return Values(json: try JSON(parsing: bytes(text))) } catch { preconditionFailure("\(text): \(error)") }
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

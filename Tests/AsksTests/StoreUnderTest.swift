import Foundation
import TestSupport
import Testing

@testable import Asks
@testable import Prompts

/// A kind of store that the contract is checked against. Another store joins by a line in `all`.
struct StoreKind: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let make: @Sendable (TemporaryDirectory, WallClock) throws -> AskStore

  static let all = [
    StoreKind(testDescription: "SQLite") { directory, clock in
      let path = directory.file("asks.sqlite")
      return try AskStore(path, secrets: .beside(path, environment: nil), clock: clock)
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
  private(set) var store: AskStore
  private let kind: StoreKind

  init(_ kind: StoreKind) throws {
    self.kind = kind
    directory = try TemporaryDirectory()
    store = try kind.make(directory, clock.wallClock)
  }

  /// Makes it the store that the next sender finds once the one before has ended: an SQLite file is opened again, and of
  /// a database that others share the leases are over.
  mutating func endSender() async throws {
    if store.isShared { return clock.advance(by: .seconds(60)) }
    try await store.close()
    store = try kind.make(directory, clock.wallClock)
  }

  func make(_ draft: AskDraft = .sample, _ key: IdempotencyKey? = nil) async throws -> (ask: Ask, token: LinkToken) {
    try await store.make(draft, key)
  }
}

/// A database file in a folder of its own.
struct DatabaseFile {
  let directory: TemporaryDirectory
  let path: String

  init(_ name: String = "asks.sqlite") throws {
    directory = try TemporaryDirectory()
    path = directory.file(name)
  }

  /// Opens it, or another file.
  ///
  /// - Parameter keys: `nil` for those in the file beside it.
  func open(_ path: String? = nil, keys: String? = nil, clock: WallClock = .system) throws -> AskStore {
    let path = path ?? self.path
    return try AskStore(path, secrets: .beside(path, environment: keys), clock: clock)
  }

  /// Copies the files with these endings, as they are now, under another name, and gives their path.
  func copy(_ ends: String..., to name: String) throws -> String {
    let copy = directory.file(name)
    for end in ends { try FileManager.default.copyItem(atPath: path + end, toPath: copy + end) }
    return copy
  }
}

extension CreateResult {
  /// The ask if it is a new one.
  var made: (ask: Ask, token: LinkToken)? { if case .created(let ask, let token) = self { (ask, token) } else { nil } }

  /// The ask if it was made before.
  var found: (ask: Ask, token: LinkToken?)? {
    if case .existing(let ask, let token) = self { (ask, token) } else { nil }
  }

  var isConflict: Bool { if case .conflict = self { true } else { false } }
}

extension CloseResult {
  /// What ended now.
  var ended: ClosedAsk? { if case .closed(let ask) = self { ask } else { nil } }

  /// What had ended before.
  var endedBefore: ClosedAsk? { if case .alreadyClosed(let ask) = self { ask } else { nil } }

  var isClosed: Bool { ended != nil }
  var isNotAllowed: Bool { if case .notAllowed = self { true } else { false } }
  var isStillOpen: Bool { if case .stillOpen = self { true } else { false } }
  var isUnknown: Bool { if case .unknown = self { true } else { false } }
}

extension ChangeResult {
  /// The ask as it is now.
  var ask: Ask? { if case .changed(let ask) = self { ask } else { nil } }
  var isTooLate: Bool { if case .alreadyClosed = self { true } else { false } }
  var isUnknown: Bool { if case .unknown = self { true } else { false } }
}

extension AppendResult {
  /// The place of a new answer.
  var cursor: StandingAnswer.Cursor? { if case .kept(let cursor) = self { cursor } else { nil } }

  /// The answer if it was kept before.
  var found: (answer: StandingAnswer, receipt: Receipt?)? {
    if case .existing(let answer, let receipt) = self { (answer, receipt) } else { nil }
  }

  var isConflict: Bool { if case .conflict = self { true } else { false } }
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
  /// Makes an ask that is new.
  func make(_ draft: AskDraft = .sample, _ key: IdempotencyKey? = nil) async throws -> (ask: Ask, token: LinkToken) {
    try #require(try await create(draft, idempotency: key).made)
  }

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
    return try #require(result.cursor)
  }

  /// Answers to a standing prompt, however large.
  func answers(to prompt: String, after cursor: StandingAnswer.Cursor?, limit: Int) async throws -> [StandingAnswer] {
    try await answers(to: prompt, after: cursor, limit: limit, bytes: .max)
  }

  /// Takes callbacks that are due, as many for each origin.
  func claimCallbacks(
    limit: Int = 9, perOrigin: Int = 9, alone: Bool = false, limits: [String: Int] = [:], lease: Duration = .seconds(30)
  ) async throws -> [Delivery] {
    try await claim(alone: alone, limit: limit, perReceiver: perOrigin, limits: limits, lease: lease)
      .claims.flatMap(\.deliveries)
  }
}

extension StoreCall {
  /// A call with NULL for every value that is not given.
  init(_ statement: StoreStatement, only given: NamedValues, locks: [StoreLock] = []) {
    let all = statement.parameters.map { ($0, given[$0] ?? .text(nil)) }
    self.init(statement, NamedValues(pairs: all), locks: locks)
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

import Foundation
import TestSupport
import Testing

@testable import Asks
@testable import Prompts

/// `Tests/Durability/test_files.py` and `test_gone.py` there have the files that are refused.
@Suite(.timeLimit(.minutes(5))) struct `Opening a database file` {
  private let file: DatabaseFile

  init() throws { file = try DatabaseFile() }

  private var directory: TemporaryDirectory { file.directory }
  private var path: String { file.path }

  private func make() async throws -> AskID {
    let store = try file.open()
    let id = try await store.make().ask.id
    try await store.close()
    return id
  }

  /// Promise 4.4
  @Test func `makes a missing one, for only its owner`() async throws {
    let store = try file.open()
    _ = try await store.create(.sample, idempotency: nil)
    for (name, _) in try directory.contents() {
      let mode = try FileManager.default.attributesOfItem(atPath: directory.file(name))[.posixPermissions] as? Int
      #expect(mode == 0o600, "\(name)")
    }
    // Its files are not removed while they are looked at.
    try await store.close()
  }

  @Test func `finds an answer by its key, by an index, after a restart`() async throws {
    let key = try #require(IdempotencyKey("once", body: bytes("n=1")))
    let store = try file.open()
    _ = try await store.append(.cancel, to: "poll", holdsPasswords: false, receipt: nil, idempotency: key)
    try await store.close()
    let again = try file.open()
    let result = try await again.append(.cancel, to: "poll", holdsPasswords: false, receipt: nil, idempotency: key)
    #expect(result.found != nil)
    let plan = try await again.connection.read { db in
      try db.plan(of: StoreStatement.answerByKey.sqlite[0], [.bytes([])])
    }
    #expect(plan.last == "SEARCH answers USING INDEX answers_by_key (idempotency_key=?)")
  }

  @Test(arguments: [true, false])
  func `lists asks by an index, and sorted by it`(areOpen: Bool) async throws {
    let store = try file.open()
    for ofPrompt in [true, false] {
      let statement: StoreStatement =
        ofPrompt ? areOpen ? .openAsksOfPrompt : .closedAsksOfPrompt : areOpen ? .openAsks : .closedAsks
      let plan = try await store.connection.read { db in
        let call = StoreCall(statement, only: ["after": .integer(0), "limit": .integer(9)])
        return try db.plan(of: statement.sqlite[0], call.values)
      }
      let index = "asks_\(areOpen ? "open" : "closed")\(ofPrompt ? "_of_prompt" : "")_in_order"
      let range = "\(ofPrompt ? "prompt=? AND " : "")position>?"
      #expect(plan == ["SEARCH asks USING INDEX \(index) (\(range))"])
    }
  }

  @Test func `frees the callbacks that a sender had claimed who is gone, each to be sent by itself`() async throws {
    let store = try file.open()
    let (ask, _) = try await store.make(.sample(callback: "https://a.example"))
    _ = try await store.close(ask.id, as: .cancel)
    func claim(from store: AskStore) async throws -> [AskID] {
      try await store.claimCallbacks(lease: .seconds(3600)).map(\.ask)
    }
    #expect(try await claim(from: store) == [ask.id])
    #expect(try await claim(from: store).isEmpty)
    try await store.close()
    let next = try file.open()
    #expect(try await claim(from: next).isEmpty)
    #expect(try await next.claimCallbacks(alone: true).map(\.ask) == [ask.id])
  }

  @Test func `runs as durably as it says`() async throws {
    let store = try file.open()
    for (setting, value) in [
      ("journal_mode", "wal"), ("synchronous", "2"), ("foreign_keys", "1"), ("locking_mode", "exclusive"),
    ] {
      let found = try await store.connection.read { try $0.text("PRAGMA \(setting)") }
      #expect(found == value, "\(setting)")
    }
  }

  @Test func `notices when SQLite is set to promise less`() async throws {
    let store = try file.open()
    await #expect(throws: StoreFault("not-durable", ["setting": "synchronous", "value": "1"])) {
      try await store.connection.read { db in
        try db.execute("PRAGMA synchronous = NORMAL")
        try SQLiteOpening.confirmDurability(db)
      }
    }
  }

  @Test(arguments: [":memory:", ""])
  func `refuses names that are no file's to SQLite, and makes none`(name: String) {
    #expect(throws: StoreFault("no-file", ["path": name])) {
      try AskStore(name, secrets: .beside(path, environment: nil))
    }
    #expect(!FileManager.default.fileExists(atPath: ":memory:"))
  }

  @Test func `makes a key in no file of somebody else, nor in the place of a link that leads nowhere`() async throws {
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path + ".key.new"))
    _ = try file.open()
    #expect(try directory.contents()["asks.sqlite.key.new"] == Data("mine".utf8))
    let other = directory.file("other.sqlite")
    #expect(symlink("/nowhere/key", other + ".key") == 0)
    let unusable = PlainError(row: "key.file", ["path": other + ".key", "why": systemMessage(EEXIST)])
    #expect(throws: unusable) { try file.open(other) }
    unlink(other + ".key")
    _ = try file.open(other)
  }

  @Test func `adds what a database of an earlier version lacks`() async throws {
    let id = try await make()
    let later = try await make()
    let earlier = """
      DROP INDEX answers_by_key; CREATE INDEX asks_once ON asks (prompt);
      ALTER TABLE answers DROP COLUMN idempotency_key; PRAGMA user_version = 0;
      DROP INDEX asks_open_in_order; DROP INDEX asks_closed_in_order; DROP INDEX asks_open_of_prompt_in_order;
      DROP INDEX asks_closed_of_prompt_in_order; DROP INDEX asks_open_of_asker_in_order;
      DROP INDEX asks_closed_of_asker_in_order; ALTER TABLE asks DROP COLUMN asked_by;
      ALTER TABLE asks DROP COLUMN position; DROP TABLE positions;
      ALTER TABLE asks DROP COLUMN people; ALTER TABLE asks DROP COLUMN revision; DROP TABLE pairs;
      ALTER TABLE asks DROP COLUMN answered_by; UPDATE asks SET outcome = 'ok', closed = x'7b7d', closed_at = 1 WHERE id = '\(id)';
      UPDATE asks SET created_at = created_at - 60000 WHERE id = '\(later)'; DELETE FROM settings WHERE name IN ('id', 'log')
      """
    try SQLite(path: path).execute(earlier)
    let store = try file.open()
    #expect(try await store.ask(id)?.id == id)
    let last = try await store.make().ask
    #expect(try await store.asks(areOpen: nil, of: nil, after: nil, limit: 9).map(\.id) == [later, id, last.id])
    // Who answered is not known.
    let younger = try await store.make(.sample(notBy: ["ask:\(id)"])).ask
    #expect(try await store.close(younger.id, by: "ada").isNotAllowed)
    let key = try #require(IdempotencyKey("once", body: bytes("n=1")))
    if case .some = try await store.answer(keptWith: key, to: "poll") { Issue.record("found what was never kept") }
    let indexes = try await store.connection.read { db in
      try db.run("SELECT name FROM sqlite_schema WHERE name IN ('answers_by_key', 'asks_once')").map(\.first)
    }
    #expect(indexes == ["answers_by_key"])
  }
}

import CSQLite
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Asks
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `Writes committed together` {
  private let file: DatabaseFile
  private let store: AskStore
  private let commits: Commits

  init() throws {
    file = try DatabaseFile()
    let commits = Commits()
    store = try AskStore(file.path, secrets: .beside(file.path, environment: nil)) { _, writes in
      commits.counts.withLock { $0.append(writes) }
    }
    self.commits = commits
  }

  /// The writes of each transaction.
  private final class Commits: Sendable { let counts = Mutex<[Int]>([]) }

  /// Holds the connection until `count` writes wait for it, started by `start`.
  private func gather<Result: Sendable>(
    _ count: Int, _ start: @escaping @Sendable (Int) async throws -> Result
  ) async throws -> [Swift.Result<Result, any Error>] {
    let gate = DispatchSemaphore(value: 0)
    let connection = store.connection
    let isHeld = Atomic(false)
    async let holder: Void = connection.read { _ in
      isHeld.store(true, ordering: .relaxed)
      gate.wait()
    }
    while !isHeld.load(ordering: .relaxed), !Task.isCancelled { await Task.yield() }
    let results = await withTaskGroup(of: Swift.Result<Result, any Error>.self) { group in
      for index in 0..<count {
        group.addTask {
          do { return .success(try await start(index)) } catch { return .failure(error) }
        }
      }
      group.addTask {
        while connection.waitingWrites < count, !Task.isCancelled { await Task.yield() }
        gate.signal()
        return .failure(CancellationError())
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    try await holder
    return results.filter { if case .failure(is CancellationError) = $0 { false } else { true } }
  }

  @Test(arguments: [StoreStatement.create, .close, .append])
  func `need no table of their own`(_ statement: StoreStatement) async throws {
    let opcodes = try await store.connection.read { db in
      try db.run("EXPLAIN " + statement.sqlite[0], StoreCall(statement, only: [:]).values)
        .compactMap { $0.text("opcode") }
    }
    #expect(opcodes.contains("Insert"))
    #expect(!opcodes.contains("OpenEphemeral"))
  }

  @Test func `64 asks made at once take one transaction`() async throws {
    let results = try await gather(64) { [store] _ in try await store.create(.sample, idempotency: nil) }
    #expect(results.count { if case .success(.created) = $0 { true } else { false } } == 64)
    #expect(commits.counts.withLock { $0 } == [64])
  }

  /// ASVS 2.3.3, 2.3.4 | transactions, locking | one commit for outcome and callback; one conditional update closes
  /// an ask
  @Test func `one that fails alone takes no other with it, and leaves nothing behind`() async throws {
    let results = try await gather(9) { [store] index in
      try await store.connection.commit { db in
        try db.run("INSERT INTO settings VALUES (?, 'x')", [.text("name \(index)")])
        if index == 4 { try db.run("INSERT INTO settings VALUES ('again', NULL)") }
      }
    }
    let reason = "SQLite 1299: NOT NULL constraint failed: settings.value"
    let failures = results.compactMap { if case .failure(let error as StoreFault) = $0 { error } else { nil } }
    #expect(failures == [StoreFault("write-failed", ["detail": reason])])
    #expect(commits.counts.withLock { $0 } == Array(repeating: 1, count: 8))
    let names = try await store.connection.read { db in
      try db.run("SELECT name FROM settings WHERE value = 'x' ORDER BY name").map(\.first)
    }
    #expect(names == [0, 1, 2, 3, 5, 6, 7, 8].map { "name \($0)" })
    #expect(store.fault == nil)
  }

  @Test func `a full disk fails every write of the transaction, until there is room`() async throws {
    try await store.connection.read { db in
      let pages = try db.count("PRAGMA page_count")
      try db.execute("PRAGMA max_page_count = \(pages)")
    }
    let results = try await gather(8) { [store] index in
      try await store.connection.commit { db in
        let size = index == 5 ? 1 << 20 : 1
        try db.run(
          "INSERT INTO settings VALUES (?, ?)", [.text("n\(index)"), .text(String(repeating: "x", count: size))])
      }
    }
    let full = StoreFault("full")
    #expect(results.allSatisfy { if case .failure(let error as StoreFault) = $0 { error == full } else { false } })
    #expect(results.count == 8)
    #expect(store.fault == full)
    let kept = try await store.connection.read {
      try $0.count("SELECT count(*) FROM settings WHERE name LIKE 'n%'")
    }
    #expect(kept == 0)
    try await store.connection.read { try $0.execute("PRAGMA max_page_count = 100000") }
    _ = try await store.create(.sample, idempotency: nil)
    #expect(store.fault == nil)
  }

  @Test func `after an error of the disk nothing is written any more, not even what waited already`() async throws {
    let connection = store.connection
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let failing = Task {
      try await connection.commit { _ in
        begin.yield()
        while connection.waitingWrites < 8 { sched_yield() }
        throw SQLiteError(code: SQLITE_IOERR)
      }
    }
    for await _ in begun { break }
    let waiting = (0..<8).map { _ in Task { [store] in try await store.create(.sample, idempotency: nil) } }
    let fault = try #require(await #expect(throws: StoreFault.self) { try await failing.value })
    for write in waiting { await #expect(throws: fault) { try await write.value } }
    await #expect(throws: fault) { try await store.create(.sample, idempotency: nil) }
    #expect(store.fault == fault)
    let kept = try await connection.read { try $0.count("SELECT count(*) FROM asks") }
    #expect(kept == 0)
  }

  @Test func `more than can wait are refused at once`() async throws {
    let gate = DispatchSemaphore(value: 0)
    let connection = store.connection
    let holder = Task { try await connection.read { _ in gate.wait() } }
    let writes = (0..<SQLiteFile.capacity + 100).map { _ in
      Task { try await connection.commit { _ in } }
    }
    while connection.waitingWrites < SQLiteFile.capacity, !Task.isCancelled { await Task.yield() }
    await #expect(throws: StoreFault("overloaded")) { try await connection.commit { _ in } }
    gate.signal()
    try await holder.value
    for write in writes { _ = await write.result }
    #expect(connection.waitingWrites == 0)
    _ = try await store.create(.sample, idempotency: nil)
  }

  @Test func `a waiter is woken after the commit, and by nothing else`() async throws {
    let (ask, _) = try await store.make()
    let waiters = store.waiters
    let waiting = Task { [store] in try await store.outcome(of: ask.id, atMost: .seconds(60)) }
    while waiters.count == 0, !Task.isCancelled { await Task.yield() }
    let before = try file.directory.contents()["asks.sqlite-wal"]
    _ = try await store.close(ask.id, as: .cancel)
    #expect(try await waiting.value?.outcome == .cancel)
    #expect(try file.directory.contents()["asks.sqlite-wal"] != before)
  }

  @Test func `a closed store has written all that it took, and takes nothing more`() async throws {
    let store = store
    let writes = (0..<200).map { _ in Task { try await store.create(.sample, idempotency: nil) } }
    while store.connection.waitingWrites == 0, commits.counts.withLock(\.isEmpty), !Task.isCancelled {
      await Task.yield()
    }
    try await store.close()
    var acknowledged = 0
    for write in writes {
      switch await write.result {
      case .success: acknowledged += 1
      case .failure(let error): #expect(error as? StoreFault == StoreFault("closed"))
      }
    }
    await #expect(throws: StoreFault("closed")) { try await store.nextDelivery() }
    await #expect(throws: StoreFault("closed")) { try await store.connection.inspect() }
    try await store.close()
    // A closed database has no log, and nothing that comes late takes it for lost.
    #expect(try file.directory.contents().keys.allSatisfy { !$0.contains(".rescued") && !$0.contains(".lost") })
    let again = try file.open()
    let count = try await again.connection.read { try $0.count("SELECT count(*) FROM asks") }
    #expect(count == acknowledged)
    #expect(acknowledged > 0)
  }
}

@testable import Asks
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A database whose files go away while it is open` {
  let directory: TemporaryDirectory
  let path: String
  let store: SQLiteAskStore

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("asks.sqlite")
    store = try SQLiteAskStore(path, secrets: .beside(path, environment: nil), waiters: Waiters())
  }

  private func make() async throws -> AskID {
    guard case .created(let ask, _) = try await store.create(.sample, idempotency: nil) else {
      throw StoreUnderTest.NotCreated()
    }
    return ask.id
  }

  enum Way: CaseIterable { case removed, moved, replaced, cutShort }

  @Test(arguments: ["asks.sqlite", "asks.sqlite-wal"], Way.allCases)
  func `acknowledges nothing more`(name: String, way: Way) async throws {
    _ = try await make()
    let (file, aside) = (directory.file(name), directory.file("aside"))
    switch way {
    case .removed: unlink(file)
    case .moved: rename(file, aside)
    case .replaced:
      try FileManager.default.copyItem(atPath: file, toPath: aside)
      rename(aside, file)
    case .cutShort: truncate(file, 0)
    }
    let fault = name.hasSuffix("-wal") ? StoreFault.logGone(file: name) : .gone(file: name)
    for _ in 0..<3 { await #expect(throws: fault) { try await make() } }
    await #expect(throws: fault) { try await store.tryWrite() }
    #expect(store.health == .unhealthy(fault))
  }

  @Test(arguments: ["asks.sqlite", "asks.sqlite-wal"])
  func `goes on when the same file is back, with all that it had`(name: String) async throws {
    let first = try await make()
    rename(directory.file(name), directory.file("aside"))
    await #expect(throws: StoreFault.self) { try await make() }
    rename(directory.file("aside"), directory.file(name))
    let second = try await make()
    #expect(store.health == .healthy)
    try await store.close()
    let again = try SQLiteAskStore(path, secrets: .beside(path, environment: nil), waiters: Waiters())
    #expect(try await again.ask(first)?.id == first)
    #expect(try await again.ask(second)?.id == second)
  }

  @Test func `a write that was on its way as the file went is not acknowledged`() async throws {
    let path = path
    await #expect(throws: StoreFault.gone(file: "asks.sqlite")) {
      try await store.connection.write { db in
        try db.execute("INSERT INTO settings VALUES ('late', '')")
        unlink(path)
      }
    }
  }

  @Test func `what only its log had is in the database, even if the process is killed`() async throws {
    let id = try await make()
    unlink(path + "-wal")
    await #expect(throws: StoreFault.logGone(file: "asks.sqlite-wal")) { try await make() }
    // The files as kill -9 would leave them now.
    let copy = directory.file("copy.sqlite")
    for end in ["", ".key"] { try FileManager.default.copyItem(atPath: path + end, toPath: copy + end) }
    let killed = try SQLiteAskStore(copy, secrets: .beside(copy, environment: nil), waiters: Waiters())
    #expect(try await killed.ask(id)?.id == id)
  }

  @Test func `a backup of a database without a name has all that was acknowledged`() async throws {
    let id = try await make()
    unlink(path)
    await #expect(throws: StoreFault.gone(file: "asks.sqlite")) { try await make() }
    try await store.backUp(to: path + ".backup")
    try await store.close()
    // SQLite leaves the log of a database without a name; on top of the backup it would do harm.
    unlink(path + "-wal")
    #expect(throws: StoreFault.orphanedKey(path + ".key", of: path)) {
      try SQLiteAskStore(path, secrets: .beside(path, environment: nil), waiters: Waiters())
    }
    rename(path + ".backup", path)
    let again = try SQLiteAskStore(path, secrets: .beside(path, environment: nil), waiters: Waiters())
    #expect(try await again.ask(id)?.id == id)
  }
}

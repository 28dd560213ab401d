@testable import Asks
import Foundation
import Prompts
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A database whose files go away while it is open` {
  let directory: TemporaryDirectory
  let path: String
  let store: AskStore

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("asks.sqlite")
    store = try AskStore(path, secrets: .beside(path, environment: nil))
  }

  private func make() async throws -> AskID {
    guard case .created(let ask, _) = try await store.create(.sample, idempotency: nil) else {
      throw StoreUnderTest.NotCreated()
    }
    return ask.id
  }

  private let one = Rescue.Holdings(asks: 1, outcomes: 0, answers: 0)

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
    let fault =
      name.hasSuffix("-wal") ? StoreFault.logGone(file: name, .copy(path: path + ".rescued", one)) : .gone(file: name)
    for _ in 0..<3 { await #expect(throws: fault) { try await make() } }
    await #expect(throws: fault) { try await store.tryWrite() }
    #expect(store.fault == fault)
    // Once, whichever call finds it.
    let copies = try directory.contents().keys.filter { $0.contains(".rescued") }
    #expect(copies == (name.hasSuffix("-wal") ? ["asks.sqlite.rescued"] : []))
  }

  @Test(arguments: ["asks.sqlite", "asks.sqlite-wal"])
  func `goes on when the same file is back, with all that it had`(name: String) async throws {
    let first = try await make()
    rename(directory.file(name), directory.file("aside"))
    await #expect(throws: StoreFault.self) { try await make() }
    rename(directory.file("aside"), directory.file(name))
    let second = try await make()
    #expect(store.fault == nil)
    try await store.close()
    let again = try AskStore(path, secrets: .beside(path, environment: nil))
    #expect(try await again.ask(first)?.id == first)
    #expect(try await again.ask(second)?.id == second)
  }

  @Test func `a write that was on its way as the file went is not acknowledged`() async throws {
    let path = path
    await #expect(throws: StoreFault.gone(file: "asks.sqlite")) {
      try await store.connection.commit { db in
        try db.execute("INSERT INTO settings VALUES ('late', '')")
        unlink(path)
      }
    }
  }

  @Test func `what only its log had is in the database, even if the process is killed`() async throws {
    let id = try await make()
    unlink(path + "-wal")
    await #expect(throws: StoreFault.self) { try await make() }
    // The files as kill -9 would leave them now.
    let copy = directory.file("copy.sqlite")
    for end in ["", ".key"] { try FileManager.default.copyItem(atPath: path + end, toPath: copy + end) }
    let killed = try AskStore(copy, secrets: .beside(copy, environment: nil))
    #expect(try await killed.ask(id)?.id == id)
    // The copy beside the database has nothing more, so it is not kept.
    try? await store.close()
    let again = try reopen()
    #expect(again.notices.map(\.isDamage) == [false])
    #expect(try directory.contents()["asks.sqlite.rescued"] == nil)
    #expect(try await again.ask(id)?.id == id)
  }

  private func reopen() throws -> AskStore {
    try AskStore(path, secrets: .beside(path, environment: nil))
  }

  @Test func `opens without what it lacks once the copy is moved away`() async throws {
    _ = try await make()
    truncate(path + "-wal", 0)
    await #expect(throws: StoreFault.self) { try await make() }
    try? await store.close()
    #expect(throws: StoreFault.self) { _ = try reopen() }
    #expect(throws: StoreFault.self) { _ = try reopen() }
    rename(path + ".rescued", path + ".rescued.old")
    #expect(try await reopen().statistics().openAsks == 0)
  }

  @Test func `never has its copy written over another`() async throws {
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path + ".rescued"))
    _ = try await make()
    truncate(path + "-wal", 0)
    await #expect(throws: StoreFault.logGone(file: "asks.sqlite-wal", .copy(path: path + ".rescued-2", one))) {
      try await make()
    }
    #expect(try directory.contents()["asks.sqlite.rescued"] == Data("mine".utf8))
  }

  @Test func `says so, at once and at the next start, if it could not be saved`() async throws {
    _ = try await make()
    let rescue = try await store.connection.read { Rescue(of: $0, at: "/nowhere/asks.sqlite") }
    guard case .failed(let detail) = rescue else {
      Issue.record("saved in a folder that is not there")
      return
    }
    #expect(
      "\(StoreFault.logGone(file: "asks.sqlite-wal", rescue))".contains("could not be saved (cannot open /nowhere/"))
    try await store.close()
    // On a full disk the note may be empty.
    for (note, says) in [
      ("what was acknowledged could not be saved (\(detail))\n", "could not be saved (cannot open /nowhere/"),
      ("", "and what was acknowledged could not be saved; what"),
    ] {
      try Data(note.utf8).write(to: URL(fileURLWithPath: path + Rescue.note))
      let again = try reopen()
      let notice = try #require(again.notices.first)
      #expect(notice.isDamage)
      #expect("\(notice)".contains(says))
      #expect(try directory.contents()["asks.sqlite" + Rescue.note] == nil)
      try await again.close()
    }
    // A file of somebody else stays.
    try Data("Dear diary".utf8).write(to: URL(fileURLWithPath: path + Rescue.note))
    #expect(try reopen().notices.isEmpty)
    #expect(try directory.contents()["asks.sqlite" + Rescue.note] == Data("Dear diary".utf8))
  }
}

import Foundation
import TestSupport
import Testing

@testable import Asks
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `A database whose files go away while it is open` {
  private let database: DatabaseFile
  private let store: AskStore

  init() throws {
    database = try DatabaseFile()
    store = try database.open()
  }

  private var directory: TemporaryDirectory { database.directory }
  private var path: String { database.path }

  private func make() async throws -> AskID { try await store.make().ask.id }

  private let one = Rescue.Holdings(asks: 1, outcomes: 0, answers: 0)

  enum Way: CaseIterable { case removed, moved, replaced, cutShort }

  /// Promise 1.7
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
      name.hasSuffix("-wal")
      ? Rescue.copy(path: path + ".rescued", one).fault(ofLog: name) : StoreFault("gone", ["file": name])
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
    let again = try database.open()
    #expect(try await again.ask(first)?.id == first)
    #expect(try await again.ask(second)?.id == second)
  }

  @Test func `a write that was on its way as the file went is not acknowledged`() async throws {
    let path = path
    await #expect(throws: StoreFault("gone", ["file": "asks.sqlite"])) {
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
    let killed = try database.open(try database.copy("", ".key", to: "copy.sqlite"))
    #expect(try await killed.ask(id)?.id == id)
    // The copy beside the database has nothing more, so it is not kept.
    try? await store.close()
    let again = try database.open()
    #expect(again.notices.map(\.isDamage) == [false])
    #expect(try directory.contents()["asks.sqlite.rescued"] == nil)
    #expect(try await again.ask(id)?.id == id)
  }

  @Test func `opens without what it lacks once the copy is moved away`() async throws {
    _ = try await make()
    truncate(path + "-wal", 0)
    await #expect(throws: StoreFault.self) { try await make() }
    try? await store.close()
    #expect(throws: StoreFault.self) { _ = try database.open() }
    #expect(throws: StoreFault.self) { _ = try database.open() }
    rename(path + ".rescued", path + ".rescued.old")
    #expect(try await database.open().statistics().openAsks == 0)
  }

  @Test func `never has its copy written over another`() async throws {
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path + ".rescued"))
    _ = try await make()
    truncate(path + "-wal", 0)
    await #expect(throws: Rescue.copy(path: path + ".rescued-2", one).fault(ofLog: "asks.sqlite-wal")) {
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
      "\(rescue.fault(ofLog: "asks.sqlite-wal"))".contains("could not be saved (cannot open /nowhere/"))
    try await store.close()
    // On a full disk the note may be empty.
    for (note, says) in [
      ("what was acknowledged could not be saved (\(detail))\n", "could not be saved (cannot open /nowhere/"),
      ("", "and what was acknowledged could not be saved; what"),
    ] {
      try Data(note.utf8).write(to: URL(fileURLWithPath: path + Rescue.note))
      let again = try database.open()
      let notice = try #require(again.notices.first)
      #expect(notice.isDamage)
      #expect("\(notice)".contains(says))
      #expect(try directory.contents()["asks.sqlite" + Rescue.note] == nil)
      try await again.close()
    }
    // A file of somebody else stays.
    try Data("Dear diary".utf8).write(to: URL(fileURLWithPath: path + Rescue.note))
    #expect(try database.open().notices.isEmpty)
    #expect(try directory.contents()["asks.sqlite" + Rescue.note] == Data("Dear diary".utf8))
  }
}

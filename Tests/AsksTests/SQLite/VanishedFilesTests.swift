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

  /// How much of the log is left; who finds it; how the process ends.
  struct Cut: CustomTestStringConvertible {
    enum Finder: CaseIterable { case write, upkeep, stop }
    let half: Bool
    let finder: Finder

    static let all = [false, true].flatMap { half in Finder.allCases.map { Cut(half: half, finder: $0) } }
    var testDescription: String { "to \(half ? "half" : "nothing"), found by a \(finder)" }
  }

  @Test(arguments: Cut.all)
  func `whose log is cut short is saved, and lacks nothing once the copy is in its place`(cut: Cut) async throws {
    var ids: [AskID] = []
    for index in 0..<60 {
      ids.append(try await make())
      _ = try await store.append(.ok(values(#"{"n":\#(index)}"#)), to: "poll", holdsPasswords: false)
    }
    for id in ids { _ = try await store.close(id, as: .cancel) }
    let log = path + "-wal"
    let size = try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int ?? 0
    truncate(log, cut.half ? size / 2 : 0)
    let saved = Rescue.copy(path: path + ".rescued", .init(asks: 60, outcomes: 60, answers: 60))
    let fault = StoreFault.logGone(file: "asks.sqlite-wal", saved)
    switch cut.finder {
    case .write: await #expect(throws: fault) { try await make() }
    case .upkeep: await #expect(throws: fault) { try await store.expireDue(limit: 9) }
    case .stop: break
    }
    await #expect(throws: fault) { try await store.close() }
    let refusal = #expect(throws: StoreFault.self) { _ = try reopen() }
    guard case .lacking(path, let lacking, path + ".rescued") = refusal else {
      Issue.record("opened in spite of what it lacks: \(String(describing: refusal))")
      return
    }
    #expect(lacking.outcomes == 60)
    #expect(lacking.answers > (cut.half ? 0 : 59))
    rename(path + ".rescued", path)
    unlink(log)
    let again = try reopen()
    for id in ids { #expect(try await again.ask(id)?.closed?.outcome == .cancel) }
    #expect(try await again.answers(to: "poll", after: nil, limit: 99).count == 60)
    #expect(again.notices.isEmpty)
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

  @Test func `whose log is empty after kill -9 is told of at the next start`() async throws {
    _ = try await make()
    let killed = directory.file("killed.sqlite")
    for end in ["", "-wal", ".key"] { try FileManager.default.copyItem(atPath: path + end, toPath: killed + end) }
    func open() throws -> AskStore {
      try AskStore(killed, secrets: .beside(killed, environment: nil))
    }
    let whole = try open()
    #expect(whole.notices.isEmpty)
    try await whole.close()
    // What is closed needs no log.
    try Data().write(to: URL(fileURLWithPath: killed + "-wal"))
    let closed = try open()
    #expect(closed.notices.isEmpty)
    try await closed.close()
    unlink(killed)
    try FileManager.default.copyItem(atPath: path, toPath: killed)
    try Data().write(to: URL(fileURLWithPath: killed + "-wal"))
    let notice = try #require(try open().notices.first)
    #expect(notice.isDamage)
    #expect("\(notice)".contains("-wal is empty, which it never is while a server runs"))
  }

  @Test func `a backup of a database without a name has all that was acknowledged`() async throws {
    let id = try await make()
    unlink(path)
    await #expect(throws: StoreFault.gone(file: "asks.sqlite")) { try await make() }
    try await store.backUp(to: path + ".backup")
    try? await store.close()
    // SQLite leaves the log of a database without a name; on top of the backup it would do harm.
    unlink(path + "-wal")
    #expect(throws: StoreFault.orphanedKey(path + ".key", of: path)) {
      try AskStore(path, secrets: .beside(path, environment: nil))
    }
    rename(path + ".backup", path)
    let again = try AskStore(path, secrets: .beside(path, environment: nil))
    #expect(try await again.ask(id)?.id == id)
  }
}

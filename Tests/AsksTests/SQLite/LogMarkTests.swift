import Foundation
import TestSupport
import Testing

@testable import Asks
@testable import Prompts

@Suite(.timeLimit(.minutes(5))) struct `A database file and its log` {
  private let database: DatabaseFile

  init() throws { database = try DatabaseFile() }

  private var directory: TemporaryDirectory { database.directory }
  private var path: String { database.path }

  private func make(_ count: Int, at store: AskStore) async throws {
    for _ in 0..<count {
      _ = try await store.create(.sample, idempotency: nil)
      _ = try await store.append(.cancel, to: "poll", holdsPasswords: false)
    }
  }

  private func connect() throws -> SQLite {
    let db = try SQLite(path: path)
    for sql in ["PRAGMA locking_mode = EXCLUSIVE", "PRAGMA journal_mode = WAL"] { try db.execute(sql) }
    _ = try db.count("SELECT count(*) FROM asks")
    return db
  }

  private func count(_ store: AskStore) async throws -> Int {
    try await store.asks(areOpen: nil, of: nil, after: nil, limit: 1000).count
  }

  /// Promise 1.8 | A server does not start on a database whose log is missing or belongs to another one, and changes
  /// neither; no crash of a start or a stop locks it out.
  @Test func `belong together while the file is in use, and the file alone is refused`() async throws {
    for start in 1...2 {
      let store = try database.open()
      try await make(20, at: store)
      let alone = try database.copy("", ".key", to: "alone\(start).sqlite")
      let before = try directory.contents()
      #expect(throws: StoreFault("missing-log", ["log": alone + "-wal", "path": alone])) { try database.open(alone) }
      #expect(throws: StoreFault("missing-log", ["log": alone + "-wal", "path": alone])) { try LogMark.Found(alone) }
      #expect(try directory.contents() == before)
      let both = try database.copy("", "-wal", ".key", to: "both\(start).sqlite")
      #expect(try await count(try database.open(both)) == 20 * start)
      // The operator goes on without it, and is told.
      try Data().write(to: URL(fileURLWithPath: alone + "-wal"))
      let rest = try database.open(alone)
      #expect(rest.notices.map(\.isDamage) == [true])
      try await rest.close()
      #expect(try database.open(alone).notices.isEmpty)
      try await store.close()
      let closed = try database.copy("", ".key", to: "closed\(start).sqlite")
      #expect(try await count(try database.open(closed)) == 20 * start)
    }
  }

  @Test(arguments: [false, true], [0, 3])
  func `are told apart, before anything is written, once another file has taken its place`(
    isStopped: Bool, restarts: Int
  ) async throws {
    var store = try database.open()
    try await make(20, at: store)
    if isStopped {
      try await store.close()
      try FileManager.default.copyItem(atPath: path, toPath: path + ".backup")
      store = try database.open()
    } else {
      try await store.backUp(to: path + ".backup")
    }
    for _ in 0..<restarts {
      // The log begins anew, so that it lacks much of what it had.
      try await store.connection.read { try $0.execute("PRAGMA wal_checkpoint(RESTART)") }
      try await make(1, at: store)
    }
    try await make(10, at: store)
    let restored = try database.copy("-wal", ".key", to: "restored.sqlite")
    try FileManager.default.copyItem(atPath: path + ".backup", toPath: restored)
    let before = try directory.contents()
    #expect(throws: StoreFault("foreign-log", ["log": restored + "-wal", "path": restored])) {
      try database.open(restored)
    }
    await #expect(throws: StoreFault("foreign-log", ["log": restored + "-wal", "path": restored])) {
      try await DatabaseBackup.write(restored, to: path + ".other")
    }
    #expect(try directory.contents() == before)
    rename(restored + "-wal", restored + ".aside")
    let last = try #require(try await store.answers(to: "poll", after: nil, limit: 100).last)
    let again = try database.open(restored)
    #expect(try await count(again) == 20)
    // Programs that hold a cursor of what was lost miss nothing that comes now.
    let lost = try #require(try await store.asks(areOpen: nil, of: nil, after: nil, limit: 100).last?.cursor)
    #expect(try await again.asks(areOpen: nil, of: nil, after: lost, limit: 100).count <= 20)
    try await make(3, at: again)
    #expect(try await again.asks(areOpen: nil, of: nil, after: lost, limit: 100).suffix(3).count == 3)
    #expect(try await again.answers(to: "poll", after: last.cursor, limit: 9).count == 3)
  }

  /// Whatever the log still has: the first write after a start begins it anew.
  @Test(arguments: [false, true])
  func `are told apart if the file was put in the place of the same one`(hasSettings: Bool) async throws {
    let store = try database.open()
    try await make(20, at: store)
    try await store.backUp(to: path + ".backup")
    func open(_ name: String, _ file: String, logOf other: String? = nil) throws -> AskStore {
      let path = directory.file(name)
      try FileManager.default.copyItem(atPath: file, toPath: path)
      if let other { try FileManager.default.copyItem(atPath: other + "-wal", toPath: path + "-wal") }
      return try AskStore(path, secrets: .beside(self.path, environment: nil))
    }
    let first = try open("first.sqlite", path + ".backup"), restored = directory.file("first.sqlite")
    try await make(3, at: first)
    if hasSettings { try await first.connection.read { try $0.set("tried", to: "1") } }
    #expect(try await count(try open("killed.sqlite", restored, logOf: restored)) == 23)
    let again = directory.file("again.sqlite")
    #expect(throws: StoreFault("foreign-log", ["log": again + "-wal", "path": again])) {
      try open("again.sqlite", path + ".backup", logOf: restored)
    }
    #expect(try directory.contents()["again.sqlite-wal"] == directory.contents()["first.sqlite-wal"])
    #expect(try directory.contents()["again.sqlite"] == directory.contents()["asks.sqlite.backup"])
  }

  @Test func `are beside each other where a symbolic link leads`() async throws {
    let folder = directory.file("elsewhere")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let store = try AskStore(folder + "/real.sqlite", secrets: .beside(path, environment: nil))
    try await make(1, at: store)
    try await store.close()
    #expect(symlink(folder + "/real.sqlite", path) == 0)
    for count in 2...3 {
      let linked = try database.open()
      try await make(1, at: linked)
      #expect(try await self.count(linked) == count)
      try await linked.close()
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["real.sqlite"])
  }

  @Test func `are marked before the first write if the disk was full at the start`() async throws {
    let store = try database.open()
    try await make(1, at: store)
    try await store.close()
    // As a start leaves it that cannot write.
    let file = SQLiteFile(try connect(), at: path, notices: []) { _, _ in }
    let full = AskStore(file, secrets: .temporary(), clock: .system)
    try await make(1, at: full)
    let alone = try database.copy("", ".key", to: "alone.sqlite")
    #expect(throws: StoreFault("missing-log", ["log": alone + "-wal", "path": alone])) { try database.open(alone) }
    try await full.close()
    #expect(try await count(try database.open()) == 2)
  }

  /// A start or a stop is killed when it has marked the file, perhaps before the mark is copied from the log.
  @Test(arguments: [false, true], [false, true])
  func `belong together if a start or a stop died in between`(isStop: Bool, isCopied: Bool) async throws {
    let store = try database.open()
    try await make(5, at: store)
    try await store.close()
    let db = try connect()
    if isStop { try db.markInUse(path) }
    let file = try Data(contentsOf: URL(fileURLWithPath: path))
    if isStop {
      try db.markClosed()
      try db.execute("PRAGMA wal_checkpoint(PASSIVE)")
    } else if isCopied {
      try db.markInUse(path)
    } else {
      _ = try db.markInLog(path)
    }
    let killed = try database.copy("-wal", ".key", to: "killed.sqlite")
    // The mark is in the log, and not yet in the file, or it is.
    try (isCopied ? Data(contentsOf: URL(fileURLWithPath: path)) : file).write(to: URL(fileURLWithPath: killed))
    let again = try database.open(killed)
    #expect(again.notices.isEmpty)
    #expect(try await count(again) == 5)
  }
}

@Suite(.timeLimit(.minutes(5))) struct `The file that a backup takes the place of` {
  private let database: DatabaseFile
  private let store: AskStore

  init() throws {
    database = try DatabaseFile()
    store = try database.open()
  }

  private var directory: TemporaryDirectory { database.directory }
  private var path: String { database.path }

  @Test func `is a backup of before an upgrade was made again`() async throws {
    let copy = directory.file("copy.sqlite"), old = directory.file("old.sqlite")
    try await store.backUp(to: old)
    try SQLite(path: old).execute("DELETE FROM settings WHERE name IN ('id', 'log')")
    func upgrade() throws -> AskStore {
      try? FileManager.default.removeItem(atPath: directory.file("live.sqlite"))
      try FileManager.default.copyItem(atPath: old, toPath: directory.file("live.sqlite"))
      return try AskStore(directory.file("live.sqlite"), secrets: .beside(path, environment: nil))
    }
    for _ in 1...2 {
      let upgraded = try upgrade()
      try await upgraded.backUp(to: copy)
      try await upgraded.close()
    }
    // One that never was without identity is another one.
    try await store.close()
    await #expect(throws: StoreFault("irreplaceable.other", ["path": copy])) {
      _ = try await DatabaseBackup.write(path, to: copy)
    }
  }

  @Test func `is an earlier backup of this database, also of a version that had no identity`() async throws {
    let copy = directory.file("copy.sqlite")
    try await store.backUp(to: copy)
    try await store.backUp(to: copy)
    try SQLite(path: copy).execute("DELETE FROM settings WHERE name IN ('id', 'log')")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: copy + ".new"))
    try await store.backUp(to: copy)
    #expect(try SQLite(path: copy, isSnapshot: true).setting("id") != nil)
    #expect(try directory.contents()["copy.sqlite.new"] == Data("mine".utf8))
    #expect(try directory.contents().count == 5)
  }

  @Test func `is nothing that the database needs, if it is named by a link`() async throws {
    let link = directory.file("link.sqlite")
    #expect(symlink(path, link) == 0)
    try await store.close()
    for end in ["-wal", "-shm", "-journal", ".key"] {
      await #expect(throws: StoreFault("irreplaceable.own", ["path": path + end])) {
        try await DatabaseBackup.write(link, to: path + end)
      }
    }
  }

  enum Other: CaseIterable {
    case live, hardLink, key, log, text, empty, otherDatabase, foreignDatabase, keptLog, inUse, rescued, link, folder,
      fifo
  }

  /// Promise 1.9 | A backup replaces only an earlier backup of the same database.
  @Test(arguments: Other.allCases) func `is nothing else`(other: Other) async throws {
    let copy = directory.file(other == .rescued ? "asks.sqlite.rescued" : "copy.sqlite")
    var (target, reason) = (copy, "other")
    var holder: AskStore?
    switch other {
    case .live: (target, reason) = (path, "itself")
    case .hardLink:
      #expect(Foundation.link(path, copy) == 0)
      reason = "itself"
    case .key: (target, reason) = (path + ".key", "own")
    case .log: (target, reason) = (path + "-wal", "own")
    case .text: try Data("Dear diary".utf8).write(to: URL(fileURLWithPath: copy))
    case .empty: try Data().write(to: URL(fileURLWithPath: copy))
    case .otherDatabase: try await database.open(copy).close()
    case .foreignDatabase: try SQLite(path: copy).execute("CREATE TABLE settings (name, value)")
    case .keptLog:
      try await store.backUp(to: copy)
      try Data("x".utf8).write(to: URL(fileURLWithPath: copy + "-wal"))
      reason = "in-use"
    case .inUse:
      try await store.backUp(to: copy)
      holder = try AskStore(copy, secrets: .beside(path, environment: nil))
      reason = "in-use"
    case .rescued: _ = try await store.connection.read { Rescue(of: $0, at: path) }
    case .link:
      try await store.backUp(to: copy + ".real")
      #expect(symlink(copy + ".real", copy) == 0)
      reason = "irregular"
    case .folder:
      try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
      reason = "irregular"
    case .fifo:
      #expect(mkfifo(copy, 0o600) == 0)
      reason = "irregular"
    }
    var (before, after) = (stat(), stat())
    #expect(lstat(target, &before) == 0)
    await #expect(throws: StoreFault("irreplaceable.\(reason)", ["path": target])) {
      try await store.backUp(to: target)
    }
    #expect(lstat(target, &after) == 0)
    #expect((before.st_ino, before.st_size) == (after.st_ino, after.st_size))
    try await store.tryWrite()
    try await holder?.close()
  }
}

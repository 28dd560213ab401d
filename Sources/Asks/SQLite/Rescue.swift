internal import Foundation
internal import Glibc

/// What became of everything that a process could still read when its write-ahead log was gone: a copy beside the
/// database, `NAME.rescued`, or the reason why there is none.
package enum Rescue: Hashable, Sendable {
  /// The copy is on the disk, was opened again and has this.
  case copy(path: String, Holdings)
  case failed(detail: String)

  /// How much a database has.
  package struct Holdings: Hashable, Sendable, CustomStringConvertible {
    let asks: Int
    /// Asks among them that have an outcome.
    let outcomes: Int
    let answers: Int

    var isEmpty: Bool { asks + outcomes + answers == 0 }

    package var description: String {
      func count(_ number: Int, _ one: String) -> String { "\(number) \(one)\(number == 1 ? "" : "s")" }
      return
        "\(count(asks, "ask")), \(count(outcomes, "outcome")) and \(count(answers, "answer")) to standing prompts"
    }
  }

  /// Saves all that this connection can read. No earlier copy is overwritten.
  init(of db: SQLite, at path: String) {
    do {
      let copy = try Self.makeFile(beside: path)
      do {
        try db.run("VACUUM INTO ?", [.text(copy)])
        let failure = synchronizeFile(copy)
        guard failure == 0 else { throw StoreFault.file(path: copy, errno: failure) }
        let written = try SQLite(path: copy)
        let finding = try written.text("PRAGMA quick_check(1)") ?? "no result"
        let (expected, found) = (try db.holdings(), try written.holdings())
        guard finding == "ok", expected == found else {
          throw StoreFault.damaged(path: copy, detail: finding == "ok" ? "it has \(found), not \(expected)" : finding)
        }
        self = .copy(path: copy, found)
      } catch {
        unlink(copy)
        throw error
      }
    } catch {
      self = .failed(detail: (error as? SQLiteError)?.detail ?? "\(error)")
      // For the next start, which finds nothing else to tell it by.
      try? Data("\(self)\n".utf8).write(to: URL(fileURLWithPath: path + Self.note))
      synchronizeDirectory(of: path)
    }
  }

  private static let mark = ".rescued"
  static let note = ".lost"

  private static func makeFile(beside path: String) throws -> String {
    for number in 1... {
      let copy = path + mark + (number == 1 ? "" : "-\(number)")
      let failure = makePrivateFile(copy)
      if failure == EEXIST { continue }
      guard failure == 0 else { throw StoreFault.file(path: copy, errno: failure) }
      return copy
    }
    return path
  }
}

extension Rescue: CustomStringConvertible {
  package var description: String {
    switch self {
    case .copy(let path, let holdings): "\(holdings) are saved in \(path)"
    case .failed(let detail): "what was acknowledged could not be saved (\(detail))"
    }
  }
}

// MARK: The next start

extension Rescue {
  /// Compares an opened database with the copies that earlier processes saved beside it. One that has nothing more than
  /// the database is removed.
  ///
  /// - Returns: what the log should have had, as far as it is known only now.
  /// - Throws: `StoreFault.lacking` if a copy has more, so that nothing is added to a database that lacks what was
  ///   acknowledged.
  static func review(_ db: SQLite, at path: String) throws -> [OpeningNotice] {
    var notices: [OpeningNotice] = []
    for copy in copies(of: path) {
      let lacking: Holdings
      do { lacking = try db.lacking(from: copy) } catch let error as SQLiteError {
        throw StoreFault.damaged(path: copy, detail: error.detail)
      }
      guard lacking.isEmpty else { throw StoreFault.lacking(database: path, lacking, copy: copy) }
      unlink(copy)
      notices.append(OpeningNotice("\(copy) had nothing that the database lacks, and was removed", isDamage: false))
    }
    if let text = try? String(contentsOfFile: path + note, encoding: .utf8) {
      notices.append(
        OpeningNotice(
          """
          \(path)-wal was removed, replaced or truncated while the last server ran, and \
          \(text.trimmingCharacters(in: .newlines)); what was acknowledged since the log was last copied into the \
          database is lost; compare with the backups
          """, isDamage: true))
      unlink(path + note)
    }
    return notices
  }

  private static func copies(of path: String) -> [String] {
    let (folder, name) = (URL(fileURLWithPath: path).deletingLastPathComponent().path, fileName(path))
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { copy in
      guard copy.hasPrefix(name + mark) else { return false }
      let number = copy.dropFirst(name.count + mark.count)
      return number.isEmpty || number.first == "-" && Int(number.dropFirst()) != nil
    }.sorted().map { path.dropLast(name.count) + $0 }
  }
}

/// What an operator should know of how a database was opened.
package struct OpeningNotice: Hashable, Sendable, CustomStringConvertible {
  package let description: String
  /// Whether something that was acknowledged may be lost.
  package let isDamage: Bool

  init(_ description: String, isDamage: Bool) { (self.description, self.isDamage) = (description, isDamage) }
}

extension SQLite {
  fileprivate func holdings() throws -> Rescue.Holdings {
    Rescue.Holdings(
      asks: try count("SELECT count(*) FROM asks"),
      outcomes: try count("SELECT count(*) FROM asks WHERE outcome IS NOT NULL"),
      answers: try count("SELECT count(*) FROM answers"))
  }

  /// How much that database has that this one lacks.
  fileprivate func lacking(from path: String) throws -> Rescue.Holdings {
    try run("ATTACH DATABASE ? AS rescued", [.text(path)])
    defer { try? execute("DETACH DATABASE rescued") }
    // If nothing was copied out of the log yet, there is not even a table.
    let hasTables = try text("SELECT 1 FROM main.sqlite_schema WHERE name = 'asks'") != nil
    func missing(_ rows: String, _ match: String) throws -> Int {
      let match = hasTables ? match : "sqlite_schema WHERE name = 'asks'"
      return try count("SELECT count(*) FROM rescued.\(rows) NOT EXISTS (SELECT 1 FROM main.\(match))")
    }
    return Rescue.Holdings(
      asks: try missing("asks AS saved WHERE", "asks WHERE id = saved.id"),
      outcomes: try missing(
        "asks AS saved WHERE outcome IS NOT NULL AND", "asks WHERE id = saved.id AND closed = saved.closed"),
      answers: try missing(
        "answers AS saved WHERE",
        "answers WHERE position = saved.position AND prompt = saved.prompt AND context = saved.context AND outcome = saved.outcome"
      ))
  }
}

/// The files of an open database, as they were when it was opened.
///
/// SQLite goes on writing into a file that has lost its name, and says nothing: what it keeps there is gone with the
/// process.
struct DatabaseFiles: Sendable {
  private struct File: Sendable {
    enum State { case whole, cut, gone }

    let path: String
    let device: dev_t
    let inode: ino_t
    /// The largest that it was. Nothing here makes either file smaller.
    var size: off_t

    /// - Returns: `nil` if nothing has this name.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      (self.path, device, inode, size) = (path, status.st_dev, status.st_ino, status.st_size)
    }

    /// What became of the file with this name.
    mutating func state() -> State {
      guard let now = File(path), now.device == device, now.inode == inode else { return .gone }
      guard now.size >= size else { return .cut }
      size = now.size
      return .whole
    }
  }

  private var database: File
  private var log: File
  /// What was found when a file was not the open one any more; `nil` while both are.
  private var failure: CommitFailure?

  /// - Parameter path: of a database in WAL mode that only this process has open.
  init(openAt path: String) throws(StoreFault) {
    guard let database = File(path) else { throw .gone(file: fileName(path)) }
    guard let log = File(path + "-wal") else {
      throw .logGone(file: fileName(path) + "-wal", .failed(detail: "it went as the database was opened"))
    }
    (self.database, self.log) = (database, log)
  }

  /// Why what is written now would be gone with the process: a file at the path is not the open one any more.
  mutating func failure(_ db: SQLite) -> CommitFailure? {
    // A log that was cut short is not whole again because it has grown.
    if let failure, failure.isLasting { return failure }
    let states = (database.state(), log.state())
    guard states != (.whole, .whole) else {
      failure = nil
      return nil
    }
    if failure == nil {
      failure =
        states.0 == .whole
        ? save(db, isCut: states.1 == .cut)
        : CommitFailure(fault: .gone(file: fileName(database.path)), isLasting: false)
    }
    return failure
  }

  /// Saves what this process still has, once, when the log is gone.
  ///
  /// - Parameter isCut: whether the open file itself lost its end; otherwise it only lost its name.
  private func save(_ db: SQLite, isCut: Bool) -> CommitFailure {
    let rescue = Rescue(of: db, at: database.path)
    if isCut {
      // SQLite believes in frames that are not there. A part of them in the database would be neither before nor after.
      db.keepsLog = true
    } else {
      // What was acknowledged and stands only in the log comes into the database, as long as somebody has it open.
      try? db.execute("PRAGMA wal_checkpoint(FULL)")
    }
    return CommitFailure(fault: .logGone(file: fileName(log.path), rescue), isLasting: isCut)
  }
}

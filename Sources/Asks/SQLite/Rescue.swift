internal import Foundation
internal import Glibc
internal import Platform
internal import Prompts

/// The result of saving everything that a process could still read after its write-ahead log was gone: a copy beside
/// the database, `NAME.rescued`, or the reason why there is no copy.
package enum Rescue: Hashable, Sendable {
  /// The copy is on the disk, was opened again and has this.
  case copy(path: String, Holdings)
  case failed(detail: String)

  /// The number of asks and answers of a database.
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
    var copy: String?
    do {
      let file = try makeNumberedFile(path + Self.mark)
      copy = file
      self = .copy(path: file, try db.checkedCopy(to: file))
    } catch {
      if let copy { unlink(copy) }
      let detail = (error as? SQLiteError)?.detail ?? "\(error)"
      self = .failed(detail: detail)
      // For the next start, which has no other way to find out.
      let text = Array("\(Self.unsaved) (\(detail))\n".utf8)
      // On a full disk there is room for a name only, which is enough.
      if makePrivateFile(path + Self.note, with: text) != 0 { _ = makePrivateFile(path + Self.note) }
    }
  }

  /// - Parameter log: the name of the write-ahead log that was removed, replaced or cut short.
  func fault(ofLog log: String) -> StoreFault {
    switch self {
    case .copy(let copy, let holdings):
      StoreFault(
        "log-gone.saved",
        ["log": log, "file": String(log.dropLast(4)), "copy": copy, "holdings": "\(holdings)"])
    case .failed(let detail): StoreFault("log-gone.lost", ["log": log, "detail": detail])
    }
  }

  static let mark = ".rescued"
  static let note = ".lost"
  private static let unsaved = "what was acknowledged could not be saved"
}

// MARK: The next start

extension Rescue {
  /// Compares an opened database with the copies that earlier processes saved beside it. One that has nothing more than
  /// the database is removed.
  ///
  /// - Returns: notices for the operator: which copies were removed, and whether an earlier process could not save a
  ///   copy.
  /// - Throws: `StoreFault` if a copy has more, so that nothing is added to a database that lacks what was
  ///   acknowledged.
  static func review(_ db: SQLite, at path: String) throws -> [OpeningNotice] {
    var notices: [OpeningNotice] = []
    for copy in copies(of: path) {
      let lacking: Holdings
      do { lacking = try db.lacking(from: copy) } catch let error as SQLiteError {
        throw StoreFault("damaged", ["path": copy, "detail": error.detail])
      }
      guard lacking.isEmpty else {
        throw StoreFault("lacking", ["path": path, "holdings": "\(lacking)", "copy": copy])
      }
      let end = unlink(copy) == 0 ? "and was removed" : "and could not be removed (\(String(cString: strerror(errno))))"
      let removed = "\(copy) had nothing that the database lacks, \(end)"
      notices.append(OpeningNotice(description: removed, isDamage: false))
    }
    // Nobody else's file of that name.
    if let file = try? RegularFile(path + note, first: 4096, followingLink: false),
      file.bytes.isEmpty || file.bytes.starts(with: unsaved.utf8)
    {
      let text = file.bytes.isEmpty ? unsaved : String(decoding: file.bytes, as: UTF8.self)
      notices.append(
        OpeningNotice(
          description: """
            \(path)-wal was removed, replaced or truncated while the last server ran, and \
            \(text.trimmingCharacters(in: .newlines)); what was acknowledged since the log was last copied into the \
            database is lost; compare with the backups
            """, isDamage: true))
      unlink(path + note)
    }
    return notices
  }

  private static func copies(of path: String) -> [String] {
    numberedFiles(path + mark).filter { file in
      let number = file.dropFirst((path + mark).count)
      return number.isEmpty || number.hasPrefix("-") && number.dropFirst().consists(of: "0-9")
    }
  }
}

extension SQLite {
  /// Counts the asks and answers of that database that this one lacks.
  fileprivate func lacking(from path: String) throws -> Rescue.Holdings {
    try run("ATTACH DATABASE ? AS rescued", [.text(path)])
    defer { try? execute("DETACH DATABASE rescued") }
    // If nothing was copied out of the log yet, there is not even a table.
    let hasTables = try text("SELECT 1 FROM main.sqlite_schema WHERE name = 'asks'") != nil
    return try holdings(of: "rescued", lackedBy: hasTables ? "main" : nil)
  }

  /// Counts the asks and answers of a database of this connection.
  ///
  /// - Parameter other: the database of this connection that lacks it, or `nil` to count everything.
  func holdings(of database: String = "main", lackedBy other: String? = nil) throws -> Rescue.Holdings {
    func number(of table: String, where condition: String = "true", same columns: [String]) throws -> Int {
      let match = columns.map { "there.\($0) = here.\($0)" }.joined(separator: " AND ")
      let lacked = other.map { " AND NOT EXISTS (SELECT 1 FROM \($0).\(table) AS there WHERE \(match))" } ?? ""
      return try count("SELECT count(*) FROM \(database).\(table) AS here WHERE \(condition)\(lacked)")
    }
    return Rescue.Holdings(
      asks: try number(of: "asks", same: ["id"]),
      outcomes: try number(of: "asks", where: "here.outcome IS NOT NULL", same: ["id", "closed"]),
      answers: try number(of: "answers", same: ["position", "prompt", "context", "outcome"]))
  }
}

internal import Base
internal import Foundation

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
    numberedFiles(path + mark).filter { $0.dropFirst((path + mark).count).wholeMatch(of: #/(?:-[0-9]+)?/#) != nil }
  }
}

/// A notice to the operator about the opening of a database.
package struct OpeningNotice: Hashable, Sendable, CustomStringConvertible {
  package let description: String
  /// True if acknowledged writes may be lost.
  package let isDamage: Bool

  static func emptyLog(_ path: String) -> Self {
    OpeningNotice(
      description: """
        \(path) is empty, which it never is while a server runs: it was truncated, or the last start ended early or \
        found a full disk; if it was truncated, what was acknowledged since the log was last copied into the database \
        is lost; compare with the backups
        """, isDamage: true)
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

// MARK: What SQLite leaves out of a log

extension OpeningNotice {
  private static let headerSize = 32
  private static let frameHeaderSize = 24

  /// The first salt of a log, or `nil` if it has no frame.
  static func salt(ofLog path: String) -> UInt32? {
    let size = headerSize + frameHeaderSize
    guard let file = try? RegularFile(path, first: size), file.bytes.count == size else { return nil }
    return UInt32(bigEndian: Data(file.bytes).word(saltsOffset(Data(file.bytes)), as: UInt32.self))
  }

  /// The offset of the salts: those of a damaged header say nothing.
  private static func saltsOffset(_ log: Data) -> Int { isWhole(log) ? 16 : headerSize + 8 }

  /// Looks at the log of a database that this process has open and has not written to yet, for what SQLite silently did
  /// not read: everything after the last whole transaction (SQLite, "Database File Format", section 4).
  ///
  /// Usually that is nothing, or the start of a transaction that a crash cut off before it was acknowledged. A damaged
  /// frame also makes SQLite stop reading, and whole transactions can follow it. The count may include one that a power
  /// loss cut off as it was written, although it was never acknowledged.
  ///
  /// - Parameters:
  ///   - readFrames: how many of its frames SQLite has read.
  ///   - pageSize: in bytes.
  /// - Returns: `nil` if everything is read, or there is no log.
  init?(ofLog path: String, readFrames: Int, pageSize: Int) throws(StoreFault) {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped),
      data.count > Self.headerSize + Self.frameHeaderSize
    else { return nil }
    let frameSize = Self.frameHeaderSize + pageSize
    let start = Self.headerSize + readFrames * frameSize
    // SQLite draws new salts each time it begins to write from the start: frames with other salts are older.
    let salts = data.word(Self.saltsOffset(data), as: UInt64.self)
    var (end, transactions) = (start, 0)
    for frame in stride(from: start, through: data.count - Self.frameHeaderSize, by: frameSize)
    where data.word(frame + 8, as: UInt64.self) == salts {
      end = min(frame + frameSize, data.count)
      // A transaction's last frame has the database's size in pages.
      if data.word(frame + 4, as: UInt32.self) != 0, frame + frameSize <= data.count { transactions += 1 }
    }
    guard end > start else { return nil }
    isDamage = transactions > 0
    guard isDamage else {
      description = """
        \(path) ended with \(end - start) bytes of a transaction that was not finished, as a crash leaves it; they were \
        left out, and nobody was told that they were kept. If there was no crash, something else cut the log short: \
        compare with the backups
        """
      return
    }
    // SQLite will write over the damage: what can still be learned from it is kept.
    let copy = try makeNumberedFile(path + ".damaged", with: Array(data))
    description = """
      \(path) is damaged at byte \(start): the \(end - start) bytes from there on were left out, and with them the ends \
      of \(transactions) transaction\(transactions == 1 ? "" : "s"), whose answers are lost unless the power failed while \
      the last was written; the whole log is in \(copy), and the backups may have more
      """
  }

  /// True if the header is as SQLite wrote it on a machine like this one: with a checksum over pairs of words.
  private static func isWhole(_ log: Data) -> Bool {
    var sums: (UInt32, UInt32) = (0, 0)
    for offset in stride(from: 0, to: 24, by: 8) {
      sums.0 &+= log.word(offset, as: UInt32.self) &+ sums.1
      sums.1 &+= log.word(offset + 4, as: UInt32.self) &+ sums.0
    }
    return sums == (UInt32(bigEndian: log.word(24, as: UInt32.self)), UInt32(bigEndian: log.word(28, as: UInt32.self)))
  }
}

extension Data {
  /// Reads a number at this offset, most significant byte first.
  fileprivate func word<Word: FixedWidthInteger>(_ offset: Int, as type: Word.Type) -> Word {
    Word(bigEndian: self[offset..<offset + MemoryLayout<Word>.size].reduce(0) { $0 << 8 | Word($1) })
  }
}

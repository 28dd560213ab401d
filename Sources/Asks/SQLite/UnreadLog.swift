internal import Foundation
internal import Glibc

/// The part of a write-ahead log that SQLite silently does not read when it opens a database: everything after the last
/// whole transaction (SQLite, "Database File Format", section 4).
///
/// Most of the time that is nothing, or what a crash left of a transaction that nobody was told of. A damaged frame ends
/// the reading too, and then whole transactions can stand behind it.
package struct UnreadLog: Sendable, Hashable {
  /// The log.
  let path: String
  /// Where it begins, in bytes.
  package let offset: Int
  package let bytes: Int
  /// Transactions in it whose last frame is there. One that a power loss cut off as it was written may be counted,
  /// although nobody was told of it.
  package let transactions: Int
  /// A copy of the whole log, or `nil` if nothing was damaged.
  package fileprivate(set) var copy: String?

  package var isDamage: Bool { transactions > 0 }
}

extension UnreadLog: CustomStringConvertible {
  package var description: String {
    guard isDamage else {
      return """
        \(path) ended with \(bytes) bytes of a transaction that was not finished, as a crash leaves it; they were left \
        out, and nobody was told that they were kept. If there was no crash, something else cut the log short: \
        compare with the backups
        """
    }
    return """
      \(path) is damaged at byte \(offset): the \(bytes) bytes from there on were left out, and with them the ends of \
      \(transactions) transaction\(transactions == 1 ? "" : "s"), whose answers are lost unless the power failed while \
      the last was written; the whole log is in \(copy ?? "no copy"), and the backups may have more
      """
  }
}

extension OpeningNotice {
  init(_ log: UnreadLog) { self.init("\(log)", isDamage: log.isDamage) }

  static func emptyLog(_ path: String) -> Self {
    OpeningNotice(
      """
      \(path) is empty, which it never is while a server runs: it was truncated, or the last start ended early or found \
      a full disk; if it was truncated, what was acknowledged since the log was last copied into the database is lost; \
      compare with the backups
      """, isDamage: true)
  }
}

extension UnreadLog {
  private static let headerSize = 32
  private static let frameHeaderSize = 24

  /// Looks at the log of a database that this process has open and has not written to yet.
  ///
  /// - Parameters:
  ///   - readFrames: how many of its frames SQLite has read.
  ///   - pageSize: in bytes.
  /// - Returns: `nil` if everything is read, or there is no log.
  init?(of path: String, readFrames: Int, pageSize: Int) throws(StoreFault) {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped),
      data.count > Self.headerSize + Self.frameHeaderSize
    else { return nil }
    let frameSize = Self.frameHeaderSize + pageSize
    let start = Self.headerSize + readFrames * frameSize
    // SQLite draws new salts each time it begins to write from the start: frames with other salts are older. Those of a
    // damaged header say nothing.
    let salts = data.word(Self.isWhole(data) ? 16 : Self.headerSize + 8, as: UInt64.self)
    var (end, commits) = (start, 0)
    for frame in stride(from: start, through: data.count - Self.frameHeaderSize, by: frameSize)
    where data.word(frame + 8, as: UInt64.self) == salts {
      end = min(frame + frameSize, data.count)
      // A transaction's last frame has the database's size in pages.
      if data.word(frame + 4, as: UInt32.self) != 0, frame + frameSize <= data.count { commits += 1 }
    }
    guard end > start else { return nil }
    (self.path, offset, bytes, transactions) = (path, start, end - start, commits)
    if isDamage { copy = try Self.copy(data, of: path) }
  }

  /// Whether the header is as SQLite wrote it on a machine like this one: with a checksum over pairs of words.
  private static func isWhole(_ log: Data) -> Bool {
    var sums: (UInt32, UInt32) = (0, 0)
    for offset in stride(from: 0, to: 24, by: 8) {
      sums.0 &+= log.word(offset, as: UInt32.self) &+ sums.1
      sums.1 &+= log.word(offset + 4, as: UInt32.self) &+ sums.0
    }
    return sums == (UInt32(bigEndian: log.word(24, as: UInt32.self)), UInt32(bigEndian: log.word(28, as: UInt32.self)))
  }

  /// SQLite will write over the damage: what can still be learned from it is kept.
  private static func copy(_ data: Data, of path: String) throws(StoreFault) -> String {
    for number in 1... {
      let copy = path + ".damaged" + (number == 1 ? "" : "-\(number)")
      let failure = makePrivateFile(copy, with: Array(data))
      if failure == 0 { return copy }
      guard failure == EEXIST else { throw .file(path: copy, errno: failure) }
      // An earlier start that failed later made it.
      if (try? Data(contentsOf: URL(fileURLWithPath: copy))) == data { return copy }
    }
    return path
  }
}

extension Data {
  fileprivate func word<Word: FixedWidthInteger>(_ offset: Int, as type: Word.Type) -> Word {
    withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
  }
}

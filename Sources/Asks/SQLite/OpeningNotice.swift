internal import Foundation
internal import Platform

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

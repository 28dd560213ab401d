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
  /// Reads the log of a database that this process has open and has not written to yet.
  ///
  /// - Returns: `nil` if everything is read, or there is no log.
  init?(of path: String) throws(StoreFault) {
    let data: Data
    do { data = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped) } catch { return nil }
    guard let found = data.withUnsafeBytes({ WALReader($0)?.tail() }) else { return nil }
    (self.path, offset, bytes, transactions) = (path, found.offset, found.bytes, found.commits)
    if isDamage { copy = try Self.copy(data, of: path) }
  }

  /// SQLite will write over the damage: what can still be learned from it is kept.
  private static func copy(_ data: Data, of path: String) throws(StoreFault) -> String {
    for number in 1... {
      let copy = path + ".damaged" + (number == 1 ? "" : "-\(number)")
      let descriptor = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if descriptor < 0, errno == EEXIST {
        // An earlier start that failed later made it.
        if (try? Data(contentsOf: URL(fileURLWithPath: copy))) == data { return copy }
        continue
      }
      guard descriptor >= 0 else { throw .file(path: copy, errno: errno) }
      let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      do {
        try handle.write(contentsOf: data)
        try handle.synchronize()
      } catch {
        unlink(copy)
        throw .file(path: copy, errno: (error as? CocoaError)?.code == .fileWriteOutOfSpace ? ENOSPC : EIO)
      }
      synchronizeDirectory(of: copy)
      return copy
    }
    return path
  }
}

/// The frames of a write-ahead log.
private struct WALReader {
  private let log: UnsafeRawBufferPointer
  private let pageSize: Int
  /// SQLite draws new ones each time it begins to write from the start: frames with other salts are older.
  private let salts: UInt64
  /// Of the header, or `nil` if the header is damaged.
  private let checksum: Checksum?

  private static let headerSize = 32
  private static let frameHeaderSize = 24

  /// - Returns: `nil` if the log is too short to hold anything.
  init?(_ log: UnsafeRawBufferPointer) {
    guard log.count > Self.headerSize + Self.frameHeaderSize else { return nil }
    self.log = log
    let size = Int(log.word(8))
    var checksum = Checksum(isBigEndian: log.word(0) & 1 == 1)
    checksum.add(log[0..<24])
    let isWhole =
      log.word(0) & ~1 == 0x377f_0682 && log.word(4) == 3_007_000 && checksum.words == (log.word(24), log.word(28))
      && size.nonzeroBitCount == 1 && (512...65_536).contains(size)
    self.checksum = isWhole ? checksum : nil
    pageSize = isWhole ? size : 4096
    salts = log.loadUnaligned(fromByteOffset: isWhole ? 16 : Self.headerSize + 8, as: UInt64.self)
  }

  private var frameSize: Int { Self.frameHeaderSize + pageSize }

  /// What SQLite does not read of this generation, if anything.
  func tail() -> (offset: Int, bytes: Int, commits: Int)? {
    let start = endOfLastTransaction()
    var (end, commits, offset) = (start, 0, start)
    while offset + Self.frameHeaderSize <= log.count {
      if salts(at: offset) == salts {
        end = min(offset + frameSize, log.count)
        if isCommit(at: offset), offset + frameSize <= log.count { commits += 1 }
      }
      offset += frameSize
    }
    return end > start ? (start, end - start, commits) : nil
  }

  private func endOfLastTransaction() -> Int {
    guard var checksum else { return Self.headerSize }
    var (end, offset) = (Self.headerSize, Self.headerSize)
    while offset + frameSize <= log.count, salts(at: offset) == salts {
      checksum.add(log[offset..<offset + 8])
      checksum.add(log[offset + Self.frameHeaderSize..<offset + frameSize])
      guard log.word(offset) != 0, checksum.words == (log.word(offset + 16), log.word(offset + 20)) else { break }
      if isCommit(at: offset) { end = offset + frameSize }
      offset += frameSize
    }
    return end
  }

  private func salts(at frame: Int) -> UInt64 { log.loadUnaligned(fromByteOffset: frame + 8, as: UInt64.self) }

  /// A transaction's last frame has the database's size in pages.
  private func isCommit(at frame: Int) -> Bool { log.word(frame + 4) != 0 }

  /// The log's running checksum, over pairs of words in the byte order of the machine that wrote it.
  private struct Checksum {
    let isBigEndian: Bool
    private(set) var words: (UInt32, UInt32) = (0, 0)

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    mutating func add(_ bytes: Slice<UnsafeRawBufferPointer>) {
      let bytes = UnsafeRawBufferPointer(rebasing: bytes)
      var offset = 0
      while offset < bytes.count {
        words.0 &+= bytes.word(offset, isBigEndian: isBigEndian) &+ words.1
        words.1 &+= bytes.word(offset + 4, isBigEndian: isBigEndian) &+ words.0
        offset += 8
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func word(_ offset: Int, isBigEndian: Bool = true) -> UInt32 {
    let word = loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
  }
}

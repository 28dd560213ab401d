internal import CSQLite
internal import Glibc
internal import Prompts

/// The mark of a log in its database file, in the setting `log`: tells if the file is in use, so that it needs its log,
/// and which log that is. A file of an earlier version has no mark.
///
/// A start marks the file as in use, and the mark is copied from the log into the file at once; the log then says so. A
/// clean stop marks it as closed before SQLite removes the log. A backup is closed, and no log belongs to it.
struct LogMark {
  let isInUse: Bool
  /// Tells this state of the file from all others.
  private let state: String
  /// The state of the file that this mark was added to.
  private let before: String
  /// The first salt of the log. SQLite draws it for a new log, and counts it up whenever it begins the log anew.
  fileprivate let salt: UInt32?
  /// True if this mark was copied into the file. Says so in the log, perhaps of another file that this one has replaced.
  fileprivate var isInFile = false

  fileprivate init(isInUse: Bool, before: LogMark?, salt: UInt32?) {
    self.isInUse = isInUse
    self.salt = salt
    state = RandomText().description
    self.before = before?.state ?? "none"
  }

  fileprivate init?(_ text: String?) {
    guard let parts = text?.split(separator: " "), parts.count >= 3 else { return nil }
    (isInUse, state, before) = (parts[0] == "open", String(parts[1]), String(parts[2]))
    salt = parts.count > 3 ? UInt32(parts[3]) : nil
    isInFile = parts.last == "copied"
  }

  private var text: String {
    ([isInUse ? "open" : "closed", state, before] + (salt.map { ["\($0)"] } ?? []) + (isInFile ? ["copied"] : []))
      .joined(separator: " ")
  }

  /// True if a log with this salt belongs to the file.
  private func owns(_ log: UInt32) -> Bool { salt.map { log &- $0 < 1 << 20 } ?? false }

  fileprivate func write(to db: SQLite) throws { try db.set("log", to: text) }

  /// A database file and its log as a start finds them.
  struct Found {
    let log: String
    let hasLog: Bool
    let isLogEmpty: Bool
    private let path: String
    private let mark: LogMark?
    private let salt: UInt32?

    /// Looks only: another process may have the file open.
    ///
    /// - Throws: `StoreFault`
    init(_ path: String) throws(StoreFault) {
      self.path = path
      log = path + "-wal"
      // The log first: a process that closes the file marks it before it removes the log.
      let size = fileStatus(log)?.st_size
      (hasLog, isLogEmpty, salt) = (size != nil, size == 0, OpeningNotice.salt(ofLog: log))
      let file = holdsBytes(path) ? try? SQLite(path: path, isSnapshot: true) : nil
      mark = LogMark((try? file?.setting("log")) ?? nil)
      if mark?.isInUse == true, !hasLog { throw StoreFault("missing-log", ["log": log, "path": path]) }
    }

    /// True if the log may have lost acknowledged writes.
    var isLogEmptied: Bool { isLogEmpty && mark?.isInUse != false }

    /// Checks that the log belongs to the file. Nothing is written.
    ///
    /// - Parameter db: has the file to itself, and keeps the log when it is closed.
    /// - Throws: `StoreFault`
    func check(_ db: SQLite) throws {
      guard let mark, let salt, !mark.owns(salt) else { return }
      // A start that ended before its mark was in the file has left it in the log.
      let inLog: LogMark?
      do { inLog = LogMark(try db.setting("log")) } catch let error as SQLiteError where error.primary != SQLITE_BUSY {
        inLog = nil
      }
      if inLog?.before != mark.state || inLog?.isInFile == true {
        throw StoreFault("foreign-log", ["log": log, "path": path])
      }
    }
  }
}

extension SQLite {
  /// Marks the file as in use by this process, unless it is. When the connection is closed, the file is marked as closed.
  ///
  /// - Parameter path: of the file.
  func markInUse(_ path: String) throws {
    guard !isInUse else { return }
    var mark = try markInLog(path)
    (isInUse, keepsLog) = (true, false)
    // On a full disk the file gets it later.
    guard (try? execute("PRAGMA wal_checkpoint(PASSIVE)")) != nil else { return }
    mark.isInFile = true
    try? mark.write(to: self)
  }

  /// Writes the marks of a file that is in use to the log, from which they are not in the file yet.
  func markInLog(_ path: String) throws -> LogMark {
    let before: LogMark?
    if let earlierMark { before = earlierMark } else { before = LogMark(try setting("log")) }
    earlierMark = before
    // Until the second mark is in the file, the first one in the log says which file that belongs to.
    try LogMark(isInUse: false, before: before, salt: nil).write(to: self)
    if try setting("id") == nil {
      let isEarlier = try setting("key") != nil
      try set("id", to: (isEarlier ? Self.idOfEarlier : "") + RandomText().description)
    }
    try continuePositions(ofNewFile: before == nil)
    let mark = LogMark(isInUse: true, before: before, salt: OpeningNotice.salt(ofLog: path + "-wal"))
    try mark.write(to: self)
    return mark
  }

  /// Begins the identity of a database of an earlier version, which had none: an upgrade gave it this one, and may have
  /// given another to a copy.
  static let idOfEarlier = "earlier-"

  /// Marks the file as closed, so that it needs no log.
  func markClosed() throws {
    let mark = LogMark(try setting("log"))
    try LogMark(isInUse: false, before: mark, salt: mark?.salt).write(to: self)
    (isInUse, earlierMark) = (false, nil)
  }

  /// The same of a copy that was just made: no log belongs to it.
  func markAsCopy() throws {
    try execute("PRAGMA journal_mode = OFF")
    guard try text("SELECT 1 FROM sqlite_schema WHERE name = 'settings'") != nil else { return }
    try LogMark(isInUse: false, before: nil, salt: nil).write(to: self)
  }

  /// Gives the next answers greater positions than any before, though this may be a backup that lacks some of them: time
  /// counts faster than answers come.
  private func continuePositions(ofNewFile isNew: Bool) throws {
    let last = try lastPosition()
    let time = Int(max(0, min(WallClock.system.now.milliseconds, 1 << 43))) << 10
    if last < time, last > 0 || !isNew { try transaction { try setLastPosition(time) } }
  }
}

internal import CSQLite
internal import Foundation
internal import Platform
internal import Prompts

/// A backup of an SQLite file, whether a server has it open or not.
package enum DatabaseBackup {
  /// Writes a copy of a database. Once the copy is complete and on the disk, it replaces an earlier copy of this database
  /// with this name; any other file is refused.
  ///
  /// A server that has the database open writes a copy beside it first, as it does on SIGUSR1.
  ///
  /// - Returns: what the copy has.
  /// - Throws: why there is no copy; an existing file with this name then stays.
  package static func write(_ path: String, to copy: String) async throws -> Rescue.Holdings {
    do {
      do {
        try SQLiteOpening.checkIsFile(path)
        let found = try LogMark.Found(withoutLink(path))
        let db = try SQLite(path: path)
        // What a crash has left stays as it is.
        db.keepsLog = found.hasLog
        try db.execute("PRAGMA locking_mode = EXCLUSIVE")
        // The first reading locks it.
        if try db.isEmpty { throw StoreFault("not-a-database", ["path": path]) }
        try found.check(db)
        try SQLiteOpening.checkOwner(of: db, path)
        return try db.backUp(path, to: copy, by: db.checkedCopy)
      } catch let error as SQLiteError where error.primary == SQLITE_BUSY {
        let backup = try await backupOfServer(of: path)
        let db = try SQLite(path: backup, isSnapshot: true)
        return try db.backUp(path, to: copy, by: db.checkedCopy)
      }
    } catch let error as SQLiteError {
      throw error.primary == SQLITE_NOTADB
        ? StoreFault("not-a-database", ["path": path]) : StoreFault("read-failed", ["detail": error.detail])
    }
  }

  /// Has the server write its backup, and waits until it is there.
  private static func backupOfServer(of path: String) async throws -> String {
    let (backup, server) = (path + ".backup", holder(of: path))
    guard server > 0, takesSignal(server) else { throw StoreFault("in-use", ["path": path]) }
    // The server would refuse to replace it too, and say so only in its log. It may be writing to the file just now.
    do { try SQLite(path: path, isSnapshot: true).checkReplaceable(backup, of: path) } catch is SQLiteError {}
    let earlier = fileStatus(backup)?.st_ino, start = ContinuousClock.now
    let drafts = numberedFiles(backup + SQLite.draft)
    guard kill(server, SIGUSR1) == 0 else { throw StoreFault.file(path, errno: errno) }
    var hasBegun = false
    while true {
      let isWriting = numberedFiles(backup + SQLite.draft) != drafts
      if let now = fileStatus(backup)?.st_ino, now != earlier { return backup }
      if !isWriting, hasBegun || .now - start > .seconds(10) {
        throw PlainError("the server, process \(server), did not write \(backup); its log says why")
      }
      hasBegun = hasBegun || isWriting
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// The process that has a lock on the file, or 0 if there is none or it is not visible here.
  fileprivate static func holder(of path: String) -> pid_t {
    let file = open(path, O_RDWR | O_CLOEXEC)
    defer { close(file) }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    return fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK ? lock.l_pid : 0
  }

  /// True if SIGUSR1 would not end the process: another program may have the file (proc_pid_status(5)).
  private static func takesSignal(_ process: pid_t) -> Bool {
    let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    return ["SigBlk:\t", "SigIgn:\t", "SigCgt:\t"].contains { name in
      var reader = TextReader(after: name, in: status)
      let signals = reader?.take(some: "0-9a-f").flatMap { UInt64($0, radix: 16) } ?? 0
      return signals >> UInt64(SIGUSR1 - 1) & 1 == 1
    }
  }
}

extension SQLite {
  fileprivate static let draft = ".new"

  /// Writes a copy that only its owner can read. It replaces an earlier copy with this name once it is on the disk.
  ///
  /// - Parameters:
  ///   - live: the database file.
  ///   - copy: writes it into the empty file at that path.
  func backUp<Result>(_ live: String, to path: String, by copy: (_ new: String) throws -> Result) throws -> Result {
    try checkReplaceable(path, of: live)
    let new = try makeNumberedFile(path + Self.draft)
    // Nothing has this name any more if all went well.
    defer { unlink(new) }
    let result = try copy(new)
    // It may have taken long.
    try checkReplaceable(path, of: live)
    guard rename(new, path) == 0 else { throw StoreFault.file(path, errno: errno) }
    synchronizeDirectory(of: path)
    return result
  }

  /// Checks that nothing is lost if a backup takes this name: it is free, or has an earlier backup of this database.
  ///
  /// - Parameter live: the database file.
  /// - Throws: `StoreFault`
  fileprivate func checkReplaceable(_ path: String, of live: String) throws {
    // Free or not: after a clean stop there is no log.
    let names = [live, withoutLink(live)].map(fileName)
    let own = names.flatMap { name in ["-wal", "-shm", "-journal", ".key"].map { name + $0 } }
    if own.contains(fileName(path)) { throw StoreFault("irreplaceable.own", ["path": path]) }
    var (there, database) = (stat(), stat())
    guard lstat(path, &there) == 0 else { return }
    if there.st_mode & S_IFMT != S_IFREG { throw StoreFault("irreplaceable.irregular", ["path": path]) }
    // Before anything else opens it: a process that closes a file loses its locks on it.
    let isLive = stat(live, &database) == 0 && (there.st_dev, there.st_ino) == (database.st_dev, database.st_ino)
    if isLive { throw StoreFault("irreplaceable.itself", ["path": path]) }
    let hasLog = ["-wal", "-journal"].contains { access(path + $0, F_OK) == 0 }
    if hasLog || DatabaseBackup.holder(of: path) != 0 { throw StoreFault("irreplaceable.in-use", ["path": path]) }
    let isRescue = fileName(path).hasPrefix(fileName(live) + Rescue.mark)
    let (id, keys) = (try setting("id"), try setting("key"))
    let isCopy = try? SQLite(path: path, isSnapshot: true).isCopy(ofID: id, keys)
    if isRescue || isCopy != true { throw StoreFault("irreplaceable.other", ["path": path]) }
  }

  /// True if this is a copy of the database of that identity, made at whatever time; or, if one of the two was of an
  /// earlier version and had none, or both were, of the one that was used with one of these keys.
  private func isCopy(ofID id: String?, _ keys: String?) throws -> Bool {
    guard try count("PRAGMA application_id") == SQLiteOpening.applicationID else { return false }
    if let id, let own = try setting("id") {
      if id == own { return true }
      if ![id, own].allSatisfy({ $0.hasPrefix(Self.idOfEarlier) }) { return false }
    }
    let own = try setting("key")?.split(separator: ",") ?? []
    return own.contains { keys?.split(separator: ",").contains($0) == true }
  }

  /// Writes a consistent copy of the whole database, as a database of its own, into an empty file and to the disk.
  func copy(to path: String) throws {
    try run("VACUUM INTO ?", [.text(path)])
    try SQLite(path: path).markAsCopy()
    let failure = synchronizeFile(path)
    guard failure == 0 else { throw StoreFault.file(path, errno: failure) }
  }

  /// The same, and opens it again to see that every page and the number of rows are right.
  ///
  /// - Returns: what the copy has.
  func checkedCopy(to path: String) throws -> Rescue.Holdings {
    let expected = try holdings()
    try copy(to: path)
    let written = try SQLite(path: path, isSnapshot: true)
    let finding = try written.text("PRAGMA integrity_check(1)") ?? "no result"
    guard finding == "ok" else { throw StoreFault("damaged", ["path": path, "detail": finding]) }
    let found = try written.holdings()
    guard found == expected else {
      throw StoreFault("damaged", ["path": path, "detail": "it has \(found), not \(expected)"])
    }
    return found
  }
}

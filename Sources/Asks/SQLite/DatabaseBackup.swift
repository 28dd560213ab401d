internal import CSQLite
internal import Foundation

/// A backup of an SQLite file, whether a server has it open or not.
package enum DatabaseBackup {
  /// Writes a copy of a database. Once the copy is complete and on the disk, it replaces any file with this name.
  ///
  /// A server that has the database open writes a copy beside it first, as it does on SIGUSR1.
  ///
  /// - Returns: what the copy has.
  /// - Throws: why there is no copy; an existing file with this name then stays.
  package static func write(_ path: String, to copy: String) async throws -> Rescue.Holdings {
    do {
      do {
        let db = try SQLite(path: path)
        try db.execute("PRAGMA locking_mode = EXCLUSIVE")
        return try db.backUp(to: copy, by: db.checkedCopy)
      } catch let error as SQLiteError where error.primary == SQLITE_BUSY {
        let backup = try await backupOfServer(of: path)
        let db = try SQLite(path: backup, isSnapshot: true)
        return try db.backUp(to: copy, by: db.checkedCopy)
      }
    } catch let error as SQLiteError {
      throw StoreFault.readFailed(detail: error.detail)
    }
  }

  /// Why a server did not write its backup.
  private struct Fault: Error, CustomStringConvertible { let description: String }

  /// Has the server write its backup, and waits until it is there.
  private static func backupOfServer(of path: String) async throws -> String {
    let (backup, server) = (path + ".backup", holder(of: path))
    guard server > 0, takesSignal(server) else { throw StoreFault.inUse(path: path) }
    let earlier = fileStatus(backup)?.st_ino, start = ContinuousClock.now
    guard kill(server, SIGUSR1) == 0 else { throw StoreFault.file(path: path, errno: errno) }
    var hasBegun = false
    while true {
      let isWriting = fileStatus(backup + ".new") != nil
      if let now = fileStatus(backup)?.st_ino, now != earlier { return backup }
      if !isWriting, hasBegun || .now - start > .seconds(10) {
        throw Fault(description: "the server, process \(server), did not write \(backup); its log says why")
      }
      hasBegun = hasBegun || isWriting
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// The process that has a lock on the file, or 0 if there is none or it is not visible here.
  private static func holder(of path: String) -> pid_t {
    let file = open(path, O_RDWR | O_CLOEXEC)
    defer { close(file) }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    return fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK ? lock.l_pid : 0
  }

  /// Whether SIGUSR1 would not end the process: another program may have the file (proc_pid_status(5)).
  private static func takesSignal(_ process: pid_t) -> Bool {
    let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    return status.matches(of: #/Sig(?:Blk|Ign|Cgt):\t([0-9a-f]+)/#).contains { found in
      (UInt64(found.1, radix: 16) ?? 0) >> UInt64(SIGUSR1 - 1) & 1 == 1
    }
  }
}

extension SQLite {
  /// Writes a copy that only its owner can read. It replaces any file with this name once it is on the disk.
  ///
  /// - Parameter copy: writes it into the empty file at that path.
  func backUp<Result>(to path: String, by copy: (_ new: String) throws -> Result) throws -> Result {
    let new = path + ".new"
    unlink(new)
    let failure = makePrivateFile(new)
    guard failure == 0 else { throw StoreFault.file(path: new, errno: failure) }
    // Nothing has this name any more if all went well.
    defer { unlink(new) }
    let result = try copy(new)
    guard rename(new, path) == 0 else { throw StoreFault.file(path: path, errno: errno) }
    synchronizeDirectory(of: path)
    return result
  }

  /// Writes a consistent copy of the whole database, as a database of its own, into an empty file and to the disk.
  func copy(to path: String) throws {
    try run("VACUUM INTO ?", [.text(path)])
    let failure = synchronizeFile(path)
    guard failure == 0 else { throw StoreFault.file(path: path, errno: failure) }
  }

  /// The same, and opens it again to see that every page and the number of rows are right.
  ///
  /// - Returns: what the copy has.
  func checkedCopy(to path: String) throws -> Rescue.Holdings {
    let expected = try holdings()
    try copy(to: path)
    let written = try SQLite(path: path, isSnapshot: true)
    let finding = try written.text("PRAGMA integrity_check(1)") ?? "no result"
    guard finding == "ok" else { throw StoreFault.damaged(path: path, detail: finding) }
    let found = try written.holdings()
    guard found == expected else { throw StoreFault.damaged(path: path, detail: "it has \(found), not \(expected)") }
    return found
  }
}

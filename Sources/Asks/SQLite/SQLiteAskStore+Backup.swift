internal import GRDB
internal import Glibc

extension SQLiteAskStore {
  /// Writes a copy of the database: whole, of one moment, a database of its own that only its owner
  /// can read. It takes the place of what had this name, once it is on the disk. Writes wait meanwhile.
  ///
  /// - Throws: `StoreFault`; what had this name is still there then.
  public func backUp(to path: String) async throws {
    let new = path + ".new"
    unlink(new)
    let failure = makePrivateFile(new)
    guard failure == 0 else { throw StoreFault.file(path: new, errno: failure) }
    do {
      try await connection.read { db in try db.execute(sql: "VACUUM INTO ?", arguments: [new]) }
      let failure = synchronizeFile(new)
      guard failure == 0 else { throw StoreFault.file(path: new, errno: failure) }
      guard rename(new, path) == 0 else { throw StoreFault.file(path: path, errno: errno) }
      synchronizeDirectory(of: path)
    } catch {
      unlink(new)
      throw error
    }
  }
}

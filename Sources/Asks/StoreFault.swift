/// An error of a store: it could not be opened, or did not do what it was asked.
package enum StoreFault: Error, Hashable, Sendable {
  /// The file cannot be opened or created; the system's `errno`.
  case file(path: String, errno: Int32)
  case readOnly(path: String)
  /// SQLite has its own meaning for this name, and would keep nothing.
  case noFile(path: String)
  /// The file is something else.
  case notADatabase(path: String)
  /// An SQLite database of another program.
  case foreignDatabase(path: String)
  /// A newer OKCancel wrote it.
  case newerSchema(path: String)
  case damaged(path: String, detail: String)
  /// There is a key without its database.
  case orphanedKey(String, of: String)
  /// There is a write-ahead log without its database.
  case orphanedLog(String, of: String)
  /// The database was in use by a process that was killed, and its write-ahead log is not there.
  case missingLog(String, of: String)
  /// The write-ahead log beside a database belongs to another one, or to another state of it.
  case foreignLog(String, of: String)
  /// A backup does not replace this file.
  case irreplaceable(path: String, Irreplaceable)
  /// Another process has it open.
  case inUse(path: String)
  /// SQLite does not promise that what it acknowledges is on the disk.
  case notDurable(setting: String, value: String)
  /// Too many writes are waiting.
  case overloaded
  /// The open database file was removed, replaced or cut short; its name without the path.
  case gone(file: String)
  /// The same happened to the database's write-ahead log; its name, and the result of saving what it had.
  case logGone(file: String, Rescue)
  /// An earlier process saved more in this copy than the database has.
  case lacking(database: String, Rescue.Holdings, copy: String)
  /// The disk is full; nothing was kept.
  case full
  /// The write was not acknowledged, and may or may not be on the disk.
  case writeFailed(detail: String)
  /// PostgreSQL refused a write; nothing was kept.
  case writeRefused(database: String, detail: String)
  /// Reading failed.
  case readFailed(detail: String)
  /// The store was closed.
  case closed
  /// PostgreSQL's client library cannot be opened.
  case noLibrary(detail: String)
  /// There is no connection to the PostgreSQL; it is tried again and again.
  case unreachable(database: String, detail: String)
  /// The PostgreSQL is there and does not let this user in.
  case refused(database: String, detail: String)
  /// Another transaction held what a write needs, for longer than it waits; the write was not kept.
  case locked(database: String)
  /// The PostgreSQL cannot be used as it is.
  case unsuitable(database: String, Unsuitability)
  /// Nothing can be copied to a database that holds something.
  case notEmpty(database: String)
  /// The connection was lost before the server could say what became of a write.
  case interrupted(database: String)
}

extension StoreFault {
  /// The reason a backup does not replace a file.
  package enum Irreplaceable: String, Sendable {
    case itself = "it is the database itself"
    case irregular = "it is not a file"
    case own = "the database needs this name for itself"
    case inUse = "it is in use, or has a log beside it"
    case other = "it is not a backup of this database"
  }

  /// The reason a PostgreSQL database cannot be used as it is.
  package enum Unsuitability: Hashable, Sendable {
    case unreadableAddress, neitherPathNorAddress, tooOld, fsyncIsOff, otherEncoding, replica
    /// libpq has no option of this name.
    case unknownOption(String)
    /// The address is a pooler's, and the server's own was not given.
    case pooler
    /// There is no such database, in its server's words.
    case missing(detail: String)
    /// Tables of another program have the names of ours.
    case foreignTables(String)
    /// A table of another program is called `okcancel`.
    case foreignTable
    /// In its own words.
    case error(String)
  }
}

extension StoreFault: CustomStringConvertible {
  /// The fault and its remedy.
  package var description: String {
    switch self {
    case .file(let path, let errno):
      "cannot open \(path): \(systemMessage(errno)); check that its directory exists and that this user can use it"
    case .readOnly(let path): "\(path) or its directory cannot be written; give this user write permission"
    case .noFile(let path): "“\(path)” is a database in memory, where answers would be lost; name a file"
    case .notADatabase(let path): "\(path) is not an OKCancel database; name another file"
    case .foreignDatabase(let path): "\(path) is another program’s database; name another file"
    case .newerSchema(let path): "\(path) was written by a newer version of OKCancel; use that version"
    case .damaged(let path, let detail): "\(path) is damaged (\(detail)); restore it from a backup"
    case .orphanedKey(let key, let path):
      "\(key) belongs to a database that is not here: \(path) is missing or empty; restore it from a backup, or move the key away to start with a new database"
    case .orphanedLog(let log, let path):
      "\(log) belongs to a database that is not here: \(path) is missing or empty; put the two together again, or move the log away"
    case .missingLog(let log, let path):
      "\(path) was in use when it was last written, and its log \(log) is not beside it, without which answers are missing; move the log back beside it, or restore a backup; to go on with what the file has, make an empty log (touch \(log))"
    case .foreignLog(let log, let path):
      "\(log) belongs to another database than \(path), or to the one that this file replaced; move the log away to use this file, or put the file back that belongs to the log"
    case .irreplaceable(let path, let reason):
      "\(path) is not replaced: \(reason.rawValue); name another file, or move this one away"
    case .inUse(let path):
      "\(path) is in use by another process; stop it first (for PostgreSQL, every server that uses it; or wait for the running copy)"
    case .notDurable(let setting, let value):
      "SQLite reports \(setting) = \(value), which could lose an acknowledged answer; use another SQLite or file system"
    case .overloaded: "too many writes are waiting; try again in a moment"
    case .gone(let file):
      "\(file) was removed, replaced or cut short while it was open; move it back, or have the server write a full backup (SIGUSR1), stop it, and put the backup in its place without the -wal file"
    case .logGone(let file, .copy(let copy, let holdings)):
      "\(file) was removed, replaced or cut short while it was open; nothing more is accepted, and all that was acknowledged (\(holdings)) is saved in \(copy); stop the server, move that file to \(file.dropLast(4)), remove \(file), and start the server"
    case .logGone(let file, .failed(let detail)):
      "\(file) was removed, replaced or cut short while it was open; nothing more is accepted, and what was acknowledged since the log was last copied into the database could not be saved (\(detail)); have the server write a backup (SIGUSR1), or read what it still has through GET /asks, before you stop it"
    case .lacking(let database, let holdings, let copy):
      "\(database) lacks \(holdings) that were acknowledged and are saved in \(copy), because the log was removed, replaced or cut short while the last server ran; to have them back, move that file to \(database) and remove \(database)-wal; to go on without them, move that file away"
    case .full: "the disk is full; make room"
    case .writeFailed(let detail):
      "writing failed (\(detail)); check the database’s disk, and restart the server if this goes on"
    case .writeRefused(let database, let detail):
      "\(database) refused a write, and nothing was kept (\(detail)); check that its tables are there and that this user may write them"
    case .readFailed(let detail): "reading failed (\(detail))"
    case .closed: "the store is closed"
    case .noLibrary(let detail): "PostgreSQL’s client library is missing (\(detail)); install Debian’s package libpq5"
    case .unreachable(let database, let detail):
      "\(database) cannot be reached (\(detail)); check its address and that it is running"
    case .refused(let database, let detail):
      "\(database) does not let this user in (\(detail)); check the user in the address, the password in PGPASSWORD, ~/.pgpass or the address, and the server’s pg_hba.conf"
    case .locked(let database):
      "another transaction holds a lock in \(database) that this write needs; the write was not kept; end what pg_stat_activity shows as “idle in transaction” or as long running, such as a migration, a backup with locks or VACUUM FULL, and try again"
    case .unsuitable("", let reason): "\(reason)"
    case .unsuitable(let database, let reason): "\(database) cannot be used: \(reason)"
    case .notEmpty(let database): "\(database) has asks or answers already; name an empty database"
    case .interrupted(let database):
      "the connection to \(database) was lost during a write, which may or may not be kept; try again with the same idempotency key"
    }
  }

  /// The description for clients, without paths and without the database's own messages.
  package var publicDescription: String {
    switch self {
    case .overloaded, .full, .closed: description
    case .unreachable, .refused, .interrupted: "the database does not respond; try again in a moment"
    case .locked: "the database is busy, and nothing was kept; try again in a moment"
    case .writeRefused:
      "the database refused the write, and nothing was kept; tell the operator: the server’s log says why"
    case .writeFailed, .gone, .logGone:
      "writing failed, and the write may or may not be kept (an idempotency key makes a retry safe); try again later, and if it goes on, tell the operator: the server’s log says why"
    case .file, .readOnly, .noFile, .notADatabase, .foreignDatabase, .newerSchema, .damaged, .orphanedKey, .orphanedLog,
      .missingLog, .foreignLog, .irreplaceable, .inUse, .notDurable, .lacking, .readFailed, .noLibrary, .unsuitable,
      .notEmpty:
      "the store cannot be read; try again later, and if it goes on, tell the operator: the server’s log says why"
    }
  }
}

extension StoreFault.Unsuitability: CustomStringConvertible {
  private static let remedy =
    "name an empty database, or an empty schema with options=-csearch_path%3DNAME in the address"

  package var description: String {
    switch self {
    case .unreadableAddress: "its address cannot be read; write postgresql://user@host:port/database?option=value"
    case .neitherPathNorAddress:
      "its name is neither a file’s path nor an address of PostgreSQL; write postgresql://user@host:port/database, or for a file put ./ before the name"
    case .tooOld: "it is older than PostgreSQL 15"
    case .fsyncIsOff: "fsync is off, with which an acknowledged answer could be lost; set fsync = on"
    case .otherEncoding: "its encoding is not UTF8; make the database with ENCODING 'UTF8'"
    case .replica: "it only reads, like a replica; name the primary server"
    case .unknownOption(let name):
      "its address has an option “\(name)”, which PostgreSQL’s client library does not know; check its spelling"
    case .pooler:
      "it is a pooler that shares connections; give the server’s own address too, with --database-direct or OKCANCEL_DATABASE_DIRECT"
    case .missing(let detail): "\(detail); create the database, or name another"
    case .foreignTables(let names): "it has tables of another program (\(names)); \(Self.remedy)"
    case .foreignTable: "its table okcancel belongs to another program; \(Self.remedy)"
    case .error(let detail): detail
    }
  }
}

extension StoreFault {
  /// Runs `body`, and throws its SQLite and PostgreSQL errors as `StoreFault`.
  ///
  /// - Parameter address: the PostgreSQL database that `body` works on, or `nil` for SQLite.
  static func wrapping<Result>(_ address: PostgreSQLAddress? = nil, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as SQLiteError {
      throw CommitFailure(error).fault
    } catch let error as PQError {
      throw StoreFault.unsuitable(database: address?.description ?? "", .error("\(error)"))
    }
  }
}

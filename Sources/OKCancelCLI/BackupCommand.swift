internal import ArgumentParser
internal import Asks

/// `okcancel backup FILE`
struct BackupCommand: Command {
  @Argument(help: .of("backup.file"), completion: .file()) var file: String
  @Option(.text("backup.database"), default: usualDatabase) var database

  func run() async throws {
    let path = try database()
    guard try !isPostgreSQL(path) else { throw Failure("backup-of-postgresql") }
    try checkExists(path, isUsual: true)
    let holdings = try await Failure.wrapping({ Failure("not-backed-up", ["why": "\($0)"]) }) {
      try await DatabaseBackup.write(path, to: file)
    }
    try standardOutput("backed up to \(file): \(holdings); every page was checked")
  }
}

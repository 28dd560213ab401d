internal import ArgumentParser
internal import Asks

/// `okcancel copy`
struct CopyCommand: Command {
  @Option(help: .of("copy.from")) var from: String
  @Option(help: .of("copy.to")) var to: String

  func run() async throws {
    guard try isPostgreSQL(from) != isPostgreSQL(to) else { throw Failure("copy-direction") }
    let copy: StoreCopy = try isPostgreSQL(to) ? .toPostgreSQL : .toSQLite
    let (file, url, option) = copy == .toPostgreSQL ? (from, to, "--to") : (to, from, "--from")
    try PostgreSQLAddress.checkArgument(option, url)
    let key = try Secrets.key()
    if copy == .toPostgreSQL { try checkExists(file) } else if key == nil { throw Failure("copy-needs-key") }
    let counts = try await Failure.wrapping({ Failure("not-copied", ["why": "\($0)"]) }) {
      try copy.run(file: file, address: try PostgreSQLAddress(url), secrets: .beside(file, environment: key)) {
        table, count in
        if count.isMultiple(of: 10_000) { standardError("\(count) \(table)") }
      }
    }
    let sums = counts.map { "\($0.rows) \($0.table)" }.joined(separator: ", ")
    try standardOutput("copied \(sums); row counts match")
  }
}

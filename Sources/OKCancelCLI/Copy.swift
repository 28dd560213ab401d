internal import ArgumentParser
internal import Asks
internal import Foundation

/// `okcancel copy`
struct Copy: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copy all asks and answers from an SQLite file to a PostgreSQL, or back.",
    discussion: """
      Stop the servers first. The other database must be empty; it gets
      everything or nothing. Links, cursors and idempotency keys stay what they
      were, and what is sealed stays sealed: OKCANCEL_KEY, or the file beside
      the SQLite file, holds the keys of both. The password of a PostgreSQL
      comes from PGPASSWORD or ~/.pgpass.
      Exit codes: 0, 64 wrong usage, 70 any other error.

      Example: okcancel copy --from okcancel.sqlite --to postgresql://ann@db/asks
      """)

  @Option(help: ArgumentHelp("The database to copy.", valueName: "database"))
  var from: String
  @Option(help: ArgumentHelp("The empty database that it is copied to.", valueName: "database"))
  var to: String

  func run() async throws {
    guard PostgreSQLAddress.isOne(from) != PostgreSQLAddress.isOne(to) else {
      throw fail(
        .usage,
        "one of --from and --to must be an SQLite file and the other a postgresql:// address; pg_dump copies a PostgreSQL to another"
      )
    }
    let direction: StoreCopy.Direction = PostgreSQLAddress.isOne(to) ? .toPostgreSQL : .toSQLite
    let (file, url) = direction == .toPostgreSQL ? (from, to) : (to, from)
    try SharedDatabase.checkArgument(direction == .toPostgreSQL ? "to" : "from", url)
    let key = Setting("key").text(nil)
    switch direction {
    case .toPostgreSQL:
      guard FileManager.default.fileExists(atPath: file) else {
        throw fail(.internalError, "there is no database at \(file)")
      }
    case .toSQLite:
      guard key != nil else { throw fail(.usage, "OKCANCEL_KEY must be that of the servers that used the PostgreSQL") }
    }
    do {
      let copy = StoreCopy(
        direction, file: file, address: try PostgreSQLAddress(url), secrets: .beside(file, environment: key))
      let counts = try await copy.run { table, count in
        if count.isMultiple(of: 10_000) { standardError("\(count) \(table)") }
      }
      let sums = counts.map { "\($0.rows) \($0.table)" }.joined(separator: ", ")
      standardOutput("copied \(sums); both databases have as many")
    } catch {
      throw fail(.internalError, "nothing was copied: \(error)")
    }
  }
}

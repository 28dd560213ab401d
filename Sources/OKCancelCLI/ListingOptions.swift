internal import ArgumentParser
internal import OKCancel

/// The server that a command lists something from, and how it prints that.
struct ListingOptions: ParsableArguments {
  @Option(.word("listing.format", of: Format.self), default: .json) var format
  @Flag("raw") var raw
  @Flag("bom") var bom
  @Option(.url("listing.server"), default: "http://\(Configuration().host):\(Configuration.usualPort)") var server
  @OptionGroup var trust: TrustOptions

  /// - Parameter what: what is listed, in words.
  func client(toRead what: String) throws -> Client {
    let (url, authorities, _) = (try server(), try trust.cacert(), try format())
    guard let token = try Variable.apiToken() else { throw Failure("reading-needs-token", ["what": what]) }
    return Client(url: url, token: token, authorities: authorities)
  }

  enum Format: String, CaseIterable { case json, csv }

  /// Prints the list at a path: the lines as they are, or as rows of a table.
  ///
  /// - Returns: the table, if it is one.
  func print(
    _ path: String, of client: Client, as table: () async throws -> AnswerTable
  ) async throws -> AnswerTable? {
    guard try format() == .csv else {
      if raw || bom { throw Failure("only-for-csv", ["option": raw ? "raw" : "bom"]) }
      try await client.lines(of: path) { lines in for line in lines { try standardOutput(line) } }
      return nil
    }
    var table = try await table()
    table.isRaw = raw
    // Not before the server has responded.
    var head = (bom ? "\u{FEFF}" : "") + table.header + "\r\n"
    try await client.lines(of: path) { lines in
      try standardOutput(head, end: "")
      head = ""
      for line in lines { try standardOutput(table.row(of: line), end: "\r\n") }
    }
    try standardOutput(head, end: "")
    return table
  }
}

internal import ArgumentParser
internal import OKCancel
internal import StrictJSON

/// `okcancel answers NAME`
struct Answers: Command {
  @Argument(help: .of("answers.name")) var name: String
  @Flag("asks") var asks
  @OptionGroup var source: ListingOptions

  func run() async throws {
    let client = try Failure.Collected().reading { try source.client(toRead: "answers") }
    guard NamedPrompt.isName(name) else { throw Failure.promptName(name) }
    let path = asks ? "/asks?prompt=\(name)&status=closed&" : "/prompts/\(name)/answers?"
    let table = try await source.print(path, of: client) {
      let fields = try await columns(path, of: client)
      return AnswerTable(AnswerTable.ofAnswers, fields: fields, asks ? ["id", "createdAt", "askedBy", "metadata"] : [])
    }
    if let table, !table.leftOut.isEmpty {
      standardError(
        "okcancel: the prompt no longer has \(table.leftOut.sorted().joined(separator: ", ")), which older answers do; --format json prints them"
      )
    }
  }
}

extension Answers {
  /// The prompt's fields or, if it is no longer on offer, those that its answers have.
  private func columns(_ path: String, of client: Client) async throws -> [AnswerTable.Column] {
    do throws(AskFault) { return try await client.fields(ofPromptNamed: name).map { ($0.name, $0.path) } } catch {
      guard case .unknownPrompt = error else { throw error }
    }
    var columns: [AnswerTable.Column] = []
    try await client.lines(of: path) { lines in
      for line in lines {
        let values = try JSON(parsing: Array(line.utf8), limits: .file)["values"]
        columns += AnswerTable.columns(of: values).filter { new in !columns.contains { $0.name == new.name } }
      }
    }
    return columns
  }
}

/// `okcancel asks`
struct Asks: Command {
  @Option(.word("status", of: Status.self)) var status
  @Option(help: .of("asks.prompt")) var prompt: String?
  @OptionGroup var source: ListingOptions

  enum Status: String, CaseIterable { case open, closed }

  func run() async throws {
    let (status, client) = try Failure.Collected().reading { (try self.status(), try source.client(toRead: "asks")) }
    if let prompt, !NamedPrompt.isName(prompt) { throw Failure.promptName(prompt) }
    let filters = [prompt.map { "prompt=\($0)&" }, status.map { "status=\($0)&" }]
    _ = try await source.print("/asks?" + filters.compactMap(\.self).joined(), of: client) {
      AnswerTable(AnswerTable.ofAsks)
    }
  }
}

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
    guard let token = Variable.apiToken else { throw Failure.readingNeedsToken(what) }
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
      if raw || bom { throw Failure.onlyForCSV(raw ? "raw" : "bom") }
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

/// Answers or asks as CSV (RFC 4180): lines end with CRLF, and what holds one, a comma or a quote is quoted.
struct AnswerTable {
  static let ofAnswers = ["cursor", "answeredAt"] + Ended.columns + ["subject"]
  static let ofAsks =
    ["cursor", "id", "prompt", "askedBy", "status", "createdAt", "expiresAt", "closedAt"] + Ended.columns
    + ["metadata", "values"]

  /// Members of a line, before and after the values of the fields.
  private let first, last: [String]
  /// A field: its name, and the members that lead to its value.
  typealias Column = (name: String, path: [String])
  /// The fields of the prompt as it is now.
  private let fields: [Column]
  /// The pointers to the values of these fields.
  private let known: TextSet
  /// True if values that a spreadsheet would run as a formula stay as they are.
  var isRaw = false
  /// Fields of answers that have no column.
  private(set) var leftOut: Set<String> = []

  init(_ first: [String], fields: [Column] = [], _ last: [String] = []) {
    self.first = first
    self.fields = fields
    self.last = last
    known = TextSet(fields.map { ValuePath.pointer($0.path) })
  }

  var header: String { (first + fields.map(\.name) + last).joined(separator: ",") }

  mutating func row(of line: String) throws -> String {
    let answer = try JSON(parsing: Array(line.utf8), limits: .file)
    leftOut.formUnion(
      Self.columns(of: answer["values"]).filter { !known.contains(ValuePath.pointer($0.path)) }.map(\.name))
    func value(_ path: [String]) -> JSON? {
      let value = path.reduce(answer["values"]) { $0?[$1] }
      // Of an object there are the values inside; whether it is there is what its box said.
      if case .object? = value { return .bool(true) }
      return value
    }
    let members = { (names: [String]) in
      names.map { name in
        let member = name.split(separator: ".").reduce(JSON?.some(answer)) { $0?[String($1)] }
        // An ask has no `answeredAt`: use the time when it was closed.
        return member ?? (name == "answeredAt" ? answer["closedAt"] : nil)
      }
    }
    return (members(first) + fields.map { value($0.path) } + members(last)).map(cell).joined(separator: ",")
  }

  /// The values that stand in an object, and in objects in it: the names that lead there, with slashes between them.
  static func columns(of json: JSON?, in path: [String] = []) -> [Column] {
    (json?.members ?? []).flatMap { member -> [Column] in
      let path = path + [member.key]
      if case .object(let members) = member.value, !members.isEmpty { return columns(of: member.value, in: path) }
      return [(path.joined(separator: "/"), path)]
    }
  }

  private static func text(_ json: JSON?) -> String {
    switch json {
    case nil, .null?, .illFormedString?: ""
    case .object?: json?.text ?? ""
    case .bool(let bool)?: String(bool)
    case .number(let text)?, .string(let text)?: text
    case .array(let elements)?: elements.map { text($0) }.joined(separator: "; ")
    }
  }

  /// The characters that a spreadsheet may take for the start of a formula, full-width forms included.
  private static let formulaStarts = "=+-@\t\r\n＝＋－＠".unicodeScalars

  /// Quoted if it must be. A text that a spreadsheet would run as a formula begins with an apostrophe, which makes it a
  /// text there; a number is none.
  private func cell(_ json: JSON?) -> String {
    var text = Self.text(json)
    let isNumber = if case .number? = json { true } else { false }
    let isFormula = text.unicodeScalars.first.map(Self.formulaStarts.contains) ?? false
    if !isRaw, !isNumber, isFormula { text = "'" + text }
    guard text.utf8.contains(where: { "\",\n\r".utf8.contains($0) }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}

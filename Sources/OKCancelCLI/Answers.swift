internal import ArgumentParser
internal import OKCancel
internal import StrictJSON

/// `okcancel answers NAME`
struct Answers: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the answers given to a standing prompt.",
    discussion: """
      Reads them from a running server, oldest first; needs OKCANCEL_API_TOKEN.
      Exit codes: 0, 64 wrong usage, 69 server not reachable, 70 any other error.

      Example: okcancel answers feedback --format csv > feedback.csv
      """)

  @Argument(help: "The prompt's name.") var name: String
  @Option(help: ArgumentHelp("The server. (default: http://127.0.0.1:8080)", valueName: "url")) var server: String?
  @Option(help: ArgumentHelp("json (one line per answer) or csv. (default: json)", valueName: "format")) var format:
    String?

  @OptionGroup var trust: TrustOptions

  enum Format: String, CaseIterable { case json, csv }

  func run() async throws {
    let format: Format = try Setting("format").word(format) ?? .json
    guard let token = Setting("api-token").list([]).first else {
      throw fail(.usage, "reading answers needs the server's API token; set OKCANCEL_API_TOKEN")
    }
    guard NamedPrompt.isName(name) else {
      throw fail(.usage, "“\(name)” cannot name a prompt; GET / of the server lists those there are")
    }
    let client = Client(
      url: try Setting("server").url(server) ?? "http://127.0.0.1:8080", token: token,
      authorities: try trust.authorities())
    do {
      var table = AnswerTable(fields: format == .csv ? try await client.fields(of: name) : [])
      try await client.answers(to: name) { lines in
        for line in lines { standardOutput(format == .json ? line : try table.rows(of: line)) }
      }
    } catch {
      throw fail(error)
    }
  }
}

/// Answers as CSV (RFC 4180). The header has the prompt's fields, since an answer lacks those that did not apply, and
/// those that only the first answer has.
struct AnswerTable {
  private let fields: [String]
  private var columns: [String]?

  init(fields: [String]) { self.fields = fields }

  /// The answer's row, after the header if it is the first.
  mutating func rows(of line: String) throws -> String {
    let answer = try JSON(parsing: Array(line.utf8), limits: .file)
    var values: [JSON.Member] = []
    if case .object(let members)? = answer["values"] { values = members }
    let fixed = ["cursor", "answeredAt", "outcome", "action"].map { Self.text(answer[$0]) }
    let columns = self.columns ?? fields + values.map(\.key).filter { !fields.contains($0) }
    let row = Self.row(fixed + columns.map { Self.text(answer["values"]?[$0]) })
    guard self.columns == nil else { return row }
    self.columns = columns
    return Self.row(["cursor", "answeredAt", "outcome", "action"] + columns) + "\n" + row
  }

  private static func text(_ json: JSON?) -> String {
    switch json {
    case nil, .null?, .illFormedString?, .object?: ""
    case .bool(let bool)?: String(bool)
    case .number(let text)?, .string(let text)?: text
    case .array(let elements)?: elements.map { text($0) }.joined(separator: "; ")
    }
  }

  private static func row(_ cells: [String]) -> String { cells.map(cell).joined(separator: ",") }

  /// Quoted if it must be. A cell that a spreadsheet would run as a formula begins with an apostrophe.
  private static func cell(_ text: String) -> String {
    let isFormula = text.utf8.first.map { Array("=+@\t".utf8).contains($0) } ?? false
    let safe = isFormula ? "'" + text : text
    guard safe.utf8.contains(where: { Array("\",\n\r".utf8).contains($0) }) else { return safe }
    return "\"" + safe.replacing("\"", with: "\"\"") + "\""
  }
}

internal import Prompts

/// A protocol error. What a model does wrong with a tool is none: that is a `PlainError`.
struct ProtocolError: Error {
  let code: JSON
  /// The status of an HTTP server's response.
  let status: Int
  /// The same if the request declares its client.
  let statelessStatus: Int
  /// The fault and its remedy.
  let sentence: String
  /// The facts for programs.
  let data: JSON?

  private static let table = SentenceTable("Sources/OKCancel/MCP/protocol-errors.txt", columns: 5)

  /// - Parameter id: of a row of `protocol-errors.txt`.
  init(_ id: String, _ facts: SentenceTable.Facts = [:], data: JSON? = nil) {
    let row = Self.table.fields(of: id, facts)
    (code, status, statelessStatus) = (.number(row[0]), Int(row[1]) ?? 500, Int(row[2]) ?? 500)
    (sentence, self.data) = (row[3], data)
  }

  /// The ask is refused, in the words of the `AskBackend`.
  init(refused why: String) {
    (code, status, statelessStatus, sentence, data) = (.number("-32602"), 200, 200, why, nil)
  }

  static func unsupported(_ version: String) -> ProtocolError {
    ProtocolError(
      "unsupported", ["version": version], data: ["supported": Revision.all, "requested": .string(version)])
  }
}

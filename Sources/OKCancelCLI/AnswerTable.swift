internal import Prompts

/// Answers or asks as CSV (RFC 4180): lines end with CRLF, and what holds one, a comma or a quote is quoted.
struct AnswerTable {
  static let ofAnswers = ["cursor", "answeredAt"] + Ended.columns + ["subject"]
  static let ofAsks =
    ["cursor", "id", "prompt", "askedBy", "status", "createdAt", "expiresAt", "closedAt"] + Ended.columns
    + ["metadata", "values"] + afterwards
  /// What only asks have.
  static let afterwards = ["changed", "result.status", "result.text", "result.at"]

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
    // Of several fields in one place, only one applies at a time.
    self.fields = fields.enumerated().filter { index, field in
      !fields[..<index].contains { JSONPointer.text($0.path) == JSONPointer.text(field.path) }
    }.map(\.element)
    self.last = last
    known = TextSet(fields.map { JSONPointer.text($0.path) })
  }

  /// The columns' names; one of a field that is no longer there can hold anything that a member's name can.
  var header: String { (first + fields.map(\.name) + last).map { cell(.string($0)) }.joined(separator: ",") }

  mutating func row(of line: String) throws -> String {
    let answer = try JSON(parsing: Array(line.utf8), limits: .file)
    leftOut.formUnion(
      Self.columns(of: answer["values"]).filter { !known.contains(JSONPointer.text($0.path)) }.map(\.name))
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

import Foundation
import ServedFields
import TestSupport
import Testing

@testable import Prompts

/// `Documentation/rules.md` says what is true: each row's rule, examples and sentence are tried.
@Suite struct `The page about rules` {
  struct Row: Sendable, CustomTestStringConvertible {
    let cells: [String]
    var name: String { Self.code(cells[0]) ?? "" }
    var written: String { Self.code(cells[2]) ?? "" }
    var passes: String? { Self.code(cells[3]) }
    /// nil: no text fails.
    var fails: String? { Self.code(cells[4]) }
    var sentence: String { cells[5] }
    var testDescription: String { name }

    /// What stands between the backticks; two of them with nothing between are the empty text.
    private static func code(_ cell: String) -> String? {
      guard cell.hasPrefix("`"), cell.hasSuffix("`"), cell.count >= 2 else { return nil }
      return String(cell.dropFirst().dropLast())
    }
  }

  static let rows: [Row] = {
    let text = String(decoding: (try? Repository.bytes("Documentation/rules.md")) ?? [], as: UTF8.self)
    return text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
      // A cell may hold a space that counts, so exactly one is taken from either end.
      Row(
        cells: line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false).map { cell in
          cell.count >= 2 ? String(cell.dropFirst().dropLast()) : ""
        })
    }
  }()

  /// ASVS 2.1.1, 2.1.2 | documented rules | [rules.md](rules.md), with a test of every row
  @Test func `has a row for every rule, in their order`() { #expect(Self.rows.map(\.name) == Rule.names) }

  @Test(arguments: rows)
  func `tells of examples what the rules say`(row: Row) throws {
    let prompt = try Self.prompt(row)
    let passes = try #require(row.passes)
    #expect(try Self.verdict(passes, prompt).isValid)
    guard let fails = row.fails else { return }
    #expect(try Self.verdict(fails, prompt).message == row.sentence)
  }

  private static func prompt(_ row: Row) throws -> Prompt {
    let rule = row.written.contains(":") ? "{\(row.written)}" : row.written
    let kinds = ["count": "choices, options: [a, b, c]", "items": "list", "compare": "number"]
    let kind = kinds[row.name] ?? "text"
    let text = """
      title: Example
      fields:
        - {name: example, kind: \(kind), rules: [\(rule)]}
        - {name: password, kind: password}
        - {name: start, kind: number}
      """
    return try DefinitionFile(path: "example.yaml", bytes: Array(text.utf8)).prompt.prompt
  }

  private static func verdict(_ text: String, _ prompt: Prompt) throws -> Verdict {
    let own: Input =
      prompt.fields[0].kind.isList ? .choices(text.components(separatedBy: ", ")) : .text(text)
    let inputs = Inputs([("example", own), ("password", "secret"), ("start", "10")])
    return try #require(Judge().judge(inputs, of: prompt.edition()).verdicts?["example"])
  }
}

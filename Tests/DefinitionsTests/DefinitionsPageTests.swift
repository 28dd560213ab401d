import Foundation
import TestSupport
import Testing

@testable import Prompts

/// `Documentation/definitions.md` names every key of the format and tells the truth about it.
@Suite struct `The page about definitions` {
  struct Row: Sendable, CustomTestStringConvertible {
    let section: String
    /// Key, values, default, meaning, example; of kinds the rule it implies, and whether it trims, are the last two.
    let cells: [String]
    var key: String { Self.code(cells[0]) }
    var initial: String { cells[2] }
    var example: String { Self.code(cells[4]) }

    private static func code(_ cell: String) -> String { String(cell.dropFirst().dropLast()) }

    var testDescription: String { "\(section): \(key)" }
  }

  static let rows: [Row] = {
    let page = String(decoding: (try? Repository.bytes("Documentation/definitions.md")) ?? [], as: UTF8.self)
    var (section, rows) = ("", [Row]())
    for line in page.split(separator: "\n") {
      if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
      guard line.hasPrefix("| `") else { continue }
      let cells = line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
      rows.append(Row(section: section, cells: cells.map { $0.trimmingCharacters(in: .whitespaces) }))
    }
    return rows
  }()

  static let sections = ["The prompt", "Fields", "Buttons"]

  /// The part of the format's schema that a section is about.
  private static func schema(_ section: String) throws -> JSON {
    let schema = try JSON(parsing: Repository.bytes("Public/prompt.schema.json"), limits: .file)
    let part =
      switch section {
      case "Fields": schema["$defs"]?["field"]
      case "Buttons": schema["$defs"]?["buttons"]?["items"]
      default: schema
      }
    return try #require(part?["properties"])
  }

  @Test(arguments: sections)
  func `has a row for every key, in the schema's order`(section: String) throws {
    #expect(Self.rows.filter { $0.section == section }.map(\.key) == (try Self.schema(section)).members.map(\.key))
  }

  @Test func `has a row for every kind`() {
    #expect(Self.rows.filter { $0.section == "Kinds" }.map(\.key) == Field.Kind.allCases.map(\.rawValue))
  }

  @Test(arguments: rows.filter { sections.contains($0.section) })
  func `tells the default and gives an example that is read`(row: Row) throws {
    if let initial = try Self.schema(row.section)[row.key]?["default"] {
      let text =
        switch initial {
        case .string(let text): text
        case .bool(let bool): "\(bool)"
        case .array(let elements):
          "[" + elements.map { if case .string(let text) = $0 { text } else { "" } }.joined() + "]"
        default: ""
        }
      #expect(row.initial == "`\(text)`")
    }
    #expect(row.example.contains("\(row.key): "))
    let name = row.key == "name" ? "" : "name: a, "
    let text =
      switch row.section {
      case "Fields": "title: T\nfields: [{\(name)\(row.example)}, {name: kind}]"
      case "Buttons": "title: T\nfields: [{name: kind}]\nbuttons: [{title: OK, role: ok}, {\(row.example)}]"
      default: (row.key == "title" ? "" : "title: T\n") + row.example
      }
    // Of two OK buttons one is too many.
    let definition =
      row.example.contains("role: ok") && row.section == "Buttons"
      ? "title: T\nbuttons: [{\(row.example)}]" : text
    _ = try DefinitionFile(path: "example.yaml", bytes: Array(definition.utf8))
  }

  @Test(arguments: rows.filter { $0.section == "Kinds" })
  func `tells what a kind implies and whether it trims`(row: Row) throws {
    let kind = try #require(Field.Kind(rawValue: row.key))
    #expect(row.cells[4] == (kind.trims ? "yes" : "no"))
    let options = kind.offersOptions ? [Field.Option("a")] : []
    #expect(Field("a", kind: kind, options: options).rules.map { "`\($0.name)`" }.joined() == row.cells[3])
  }
}

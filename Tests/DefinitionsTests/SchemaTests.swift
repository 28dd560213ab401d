import Definitions
import Foundation
import Prompts
import StrictJSON
import Testing

/// That the schema is a schema, and agrees with the reader, is tested in `Tests/Schema`.
@Suite struct `The schema of definitions` {
  private func schema() throws -> JSON {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Public/prompt.schema.json").standardizedFileURL
    return try JSON(parsing: Array(try Data(contentsOf: file)), limits: .file)
  }

  private func strings(_ json: JSON?) -> [String] {
    guard case .array(let elements)? = json else { return [] }
    return elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  @Test func `is strict JSON and names its dialect`() throws {
    guard case .string(let dialect)? = try schema()["$schema"] else {
      Issue.record("no $schema")
      return
    }
    #expect(dialect == "https://json-schema.org/draft/2020-12/schema")
  }

  @Test func `knows every kind and every rule`() throws {
    let definitions = try schema()["$defs"]
    #expect(strings(definitions?["field"]?["properties"]?["kind"]?["enum"]) == Field.Kind.allCases.map(\.rawValue))
    let rule = definitions?["rule"]?["else"]
    #expect(strings(rule?["then"]?["properties"]?["rule"]?["enum"]) == Rule.names)
    let written = rule?["else"]?["properties"]
    #expect(Rule.names.filter { written?[$0] == nil } == [])
  }

  @Test func `has cases that the reader judges as they say`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../Schema/cases.json").standardizedFileURL
    let cases: JSON = try JSON(parsing: Array(try Data(contentsOf: file)), limits: .file)
    guard case .array(let cases)? = cases["cases"] else { throw CocoaError(.fileReadCorruptFile) }
    #expect(cases.count > 50)
    for test in cases {
      guard case .bool(let isValid)? = test["valid"], case .string(let about)? = test["about"],
        let definition = test["definition"]
      else { throw CocoaError(.fileReadCorruptFile) }
      do {
        _ = try Definition.prompt(from: definition)
        if !isValid { Issue.record("\(about): no fault was found") }
      } catch {
        if isValid { Issue.record("\(about): \(error)") }
      }
    }
  }
}

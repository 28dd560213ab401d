import ServedFields
import TestSupport
import Testing

@testable import Prompts

/// That the schema is a schema, and agrees with the reader, is tested in `Tests/Schema`.
@Suite struct `The schema of definitions` {
  private func schema() throws -> JSON {
    try JSON(parsing: Repository.bytes("Public/prompt.schema.json"), limits: .file)
  }

  @Test func `is strict JSON and names its dialect`() throws {
    #expect(try schema().text("$schema") == "https://json-schema.org/draft/2020-12/schema")
  }

  @Test func `knows every kind and every rule`() throws {
    let definitions = try schema()["$defs"]
    #expect(definitions?["field"]?["properties"]?["kind"]?.texts("enum") == Field.Kind.allCases.map(\.rawValue))
    let rule = definitions?["rule"]?["else"]
    #expect(rule?["then"]?["properties"]?["rule"]?.texts("enum") == Rule.names)
    let written = rule?["else"]?["properties"]
    #expect(Rule.names.filter { written?[$0] == nil } == [])
  }

  @Test func `has cases that the reader judges as they say`() throws {
    let cases = try JSON(parsing: Repository.bytes("Tests/Schema/cases.json"), limits: .file)["cases"]?.elements ?? []
    #expect(cases.count > 50)
    for test in cases {
      let (isValid, about) = (try #require(test["valid"]).isTrue, test.text("about") ?? "")
      let definition = try #require(test["definition"])
      do {
        _ = try Definition.prompt(from: definition)
        if !isValid { Issue.record("\(about): no fault was found") }
      } catch {
        if isValid { Issue.record("\(about): \(error)") }
      }
    }
  }
}

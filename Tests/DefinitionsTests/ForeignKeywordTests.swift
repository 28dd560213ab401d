@testable import Prompts
import TestSupport
import Testing

@Suite struct `A word of another tool in a JSON Schema` {
  /// A schema of an object with one property.
  private func object(_ property: String) -> String {
    #"{"title": "T", "type": "object", "properties": {"a": \#(property)}}"#
  }

  private func file(_ property: String) throws -> DefinitionFile {
    try DefinitionFile(path: "a.schema.json", bytes: Array(object(property).utf8))
  }

  @Test(arguments: SchemaReader.toolWords.sorted { $0.key < $1.key })
  func `is ignored, which a warning says`(word: String, tool: String) throws {
    let key = word.hasSuffix(":") ? "\(word)x" : word
    let warnings = try file(#"{"type": "string", "\#(key)": {"b": [1]}}"#).warnings.map(\.sentence)
    #expect(warnings == ["`\(key)` (\(tool)) is ignored; remove it, or say it with keywords of JSON Schema"])
  }

  @Test func `is named with all others in one warning`() throws {
    let property = #"{"type": "string", "scope": "window", "allOf": [{"alias": "b", "order": 1, "scope": "machine"}]}"#
    let warnings = try file(property).warnings
    #expect(
      warnings.map(\.sentence) == [
        "`scope`, `alias`, `order` (VS Code, Angular) are ignored; remove them, or say it with keywords of JSON Schema"
      ])
  }

  @Test(
    arguments: [
      ("enumNames", ["Ada", "Bob", "null"], [nil, nil]), ("enumItemLabels", ["Ada", "Bob", "null"], [nil, nil]),
      ("enumDescriptions", ["a", "b", "null"], ["Ada", "Bob"]),
      ("markdownEnumDescriptions", ["a", "b", "null"], ["Ada", "Bob"]),
    ] as [(String, [String], [String?])])
  func `that says something of options is shown`(word: String, titles: [String], hints: [String?]) throws {
    let file = try file(#"{"enum": ["a", "b"], "\#(word)": ["Ada", "Bob"]}"#)
    let options = file.prompt.prompt.fields[0].options
    #expect(options.map(\.title) == Array(titles.prefix(2)))
    #expect(options.map(\.help) == hints)
    #expect(file.warnings.isEmpty)
  }

  @Test(arguments: ["markdownDescription", "description_md"])
  func `that describes a property or the object is shown, unless something better is there`(word: String) throws {
    let only = try file(#"{"type": "string", "\#(word)": "For *you*"}"#)
    #expect(only.prompt.prompt.fields[0].help == "For *you*")
    #expect(only.warnings.isEmpty)
    let both = try file(#"{"type": "string", "\#(word)": "For *you*", "description": "For you"}"#)
    #expect(both.prompt.prompt.fields[0].help == "For you")
    #expect(both.warnings.map { $0.sentence.contains("nobody sees this") } == [true])
  }

  @Test(
    arguments: cases(
      """
      min → did you mean `minLength`?
      max → did you mean `maxLength`?
      regex → did you mean `pattern`?
      choices → did you mean `enum`?
      gte → did you mean `minimum`?
      hint → did you mean `description`?
      patern → did you mean `pattern`?
      descripton → did you mean `description`?
      max_length → did you mean `maxLength`?
      tpye → remove it, or write it as `x-tpye`
      colour → remove it, or write it as `x-colour`
      scopes → remove it, or write it as `x-scopes`
      $source → remove it, or write it as `x-source`
      $anchor → write `#/$defs/…` where it is referred to
      """))
  func `that is not known is refused, with the keyword that was meant`(word: String, remedy: String) throws {
    let schema = try JSON(parsing: Array(object(#"{"type": "string", "\#(word)": 1}"#).utf8))
    var reading = Reading()
    _ = Prompt(schema: Node(schema), &reading)
    #expect(reading.faults.map(\.sentence) == ["`\(word)` is not supported here; \(remedy)"])
  }

  @Test func `may be a description of 4,096 characters and no more`() throws {
    let long = String(repeating: "é", count: 4096)
    for property in [#"{"type": "string", "description": "D"}"#, #"{"oneOf": [{"const": "a", "description": "D"}]}"#] {
      let prompt = try file(property.replacing("D", with: long)).prompt.prompt
      #expect((prompt.fields[0].help ?? prompt.fields[0].options.first?.help) == long)
      let faults = #expect(throws: DefinitionFaults.self) { try file(property.replacing("D", with: long + "é")) }?
        .faults
      #expect(faults?.contains { $0.what.hasPrefix("`description` has 4097 characters") } == true)
    }
  }
}

@testable import Prompts
import TestSupport
import Testing

/// Every default and every text of a schema is used, refused, or named in a warning, whoever sends it.
@Suite struct `A default or a text in a JSON Schema` {
  /// What is said of a schema that came in a file or in a request.
  private func said(_ schema: String, isRequest: Bool = false) throws -> (prompt: Prompt?, faults: [String], [String]) {
    var reading = isRequest ? Reading(budget: .form) : Reading()
    let prompt = Prompt(schema: Node(try JSON(parsing: Array(schema.utf8))), &reading)
    return (prompt, reading.faults.map(\.description), reading.warnings.map(\.description))
  }

  private func values(_ schema: String) throws -> [String: String] {
    let fields = try Prompt(schema: schema).fields
    return fields.reduce(into: [:]) {
      if let text = $1.value.texts.first, !["", "false"].contains(text) { $0[$1.name] = text }
    }
  }

  private let address =
    #""type": "object", "properties": {"city": {"type": "string", "default": "Berlin"}, "zip": {"type": "string"}}"#

  @Test func `of an object is that of its properties`() throws {
    let city = "{\(address)}"
    for (schema, expected) in [
      (#"{"title": "T", "default": {"zip": "1"}, \#(address)}"#, ["city": "Berlin", "zip": "1"]),
      (#"{"title": "T", "allOf": [{"default": {"zip": "1"}}], \#(address)}"#, ["city": "Berlin", "zip": "1"]),
      (
        ##"{"title": "T", "$defs": {"A": \##(city)}, "properties": {"a": {"$ref": "#/$defs/A", "default": {"city": "Bonn"}}}}"##,
        ["city": "Bonn"]
      ),
      (#"{"title": "T", "default": {"a": {"city": "Ulm"}}, "properties": {"a": \#(city)}}"#, ["city": "Ulm"]),
      (
        #"{"title": "T", "properties": {"a": {"default": {"city": "Ulm"}, "anyOf": [\#(city), {"type": "null"}]}}}"#,
        ["city": "Ulm"]
      ),
      (
        #"{"title": "T", "properties": {"a": {"default": {"city": "Ulm"}, "required": ["city"], \#(address)}}}"#,
        ["a": "true", "city": "Ulm"]
      ),
      (#"{"title": "T", "properties": {"a": {"required": ["city"], \#(address)}}}"#, ["city": "Berlin"]),
    ] as [(String, [String: String])] {
      #expect(try values(schema) == expected, "\(schema)")
    }
  }

  @Test func `of one of several types is the field's`() throws {
    for schema in [
      #"[{"type": "integer", "default": 5}, {"type": "string"}]"#,
      #"[{"type": "string"}, {"type": "integer", "default": 5}]"#,
    ] {
      #expect(try values(#"{"title": "T", "properties": {"a": {"anyOf": \#(schema)}}}"#) == ["a": "5"])
    }
  }

  @Test func `of what stands around a schema is that of the schema`() throws {
    for schema in [
      #"{"name": "ship", "default": {"zip": "1"}, "inputSchema": {\#(address)}}"#,
      #"{"name": "ship", "default": {"zip": "1"}, "json_schema": {"schema": {"default": {"zip": "2"}, \#(address)}}}"#,
    ] {
      #expect(try values(schema) == ["city": "Berlin", "zip": "1"])
    }
  }

  @Test func `of an item is the first item of a list that needs one`() throws {
    for (rest, expected) in [
      (#""minItems": 1, "items": {"type": "string", "default": "x"}"#, "x"),
      (#""minItems": 2, "items": {"type": "integer", "default": 7}"#, "7"),
      (#""minItems": 1, "items": {"enum": ["y", "x"], "default": "x"}"#, "x"),
      (#""minItems": 1, "default": ["z"], "items": {"type": "string", "default": "x"}"#, "z"),
      (#""minItems": 0, "items": {"type": "string", "default": "x"}"#, nil),
      (#""items": {"type": "string", "default": "x"}"#, nil),
    ] {
      let schema = #"{"title": "T", "properties": {"a": {"type": "array", \#(rest)}}}"#
      #expect(try values(schema)["a"] == expected, "\(rest)")
      #expect(try said(schema).2.isEmpty == (expected != nil && expected != "z"), "\(rest)")
    }
  }

  @Test(
    arguments: cases(
      ##"""
      {"properties": {"a": {"type": "array", "items": {"type": "integer"}, "default": [1, "x"]}}}
        → /properties/a/default/1: `default` is not of the type `integer`; write a value that the field can hold, or remove it
      {"properties": {"a": {"type": "array", "minItems": 1, "items": {"type": "integer", "default": "x"}}}}
        → /properties/a/items/default: `default` is not of the type `integer`; write a value that the field can hold, or remove it
      {"properties": {"a": {"type": "string"}}, "default": {"b": 1}}
        → /default/b: `b` is not asked for; did you mean `a`?
      {"properties": {"a": {"type": "string"}}, "default": "x"}
        → /default: `default` is not of the type `object`; write a value that the field can hold, or remove it
      {"properties": {"a": {"type": "string"}}, "default": {"a": 5}}
        → /default/a: `default` is not of the type `string`; write a value that the field can hold, or remove it
      {"properties": {"a": {"type": ["string", "integer"], "default": true}}}
        → /properties/a/default: `default` is not of the type `string` or `integer`; write a value that the field can hold, or remove it
      {"properties": {"a": {"type": "array", "prefixItems": [{"type": "integer"}], "default": [1]}}}
        → /properties/a/prefixItems: `prefixItems` is not supported here; ask for each in a property of its own
      {"properties": {"a": {"type": "object", "additionalProperties": {"type": "string"}}}}
        → /properties/a/additionalProperties: `additionalProperties` names no properties, so there is nothing to ask for; write each in `properties`
      {"properties": {"a": {"type": "array", "items": {"type": "integer", "enum": [1, 2]}}}}
        → /properties/a/items: several options can only be chosen from strings; list these numbers as strings, or ask for any numbers, like `"items": {"type": "integer"}`
      {"properties": {"a": {"allOf": [{"$ref": "#/$defs/A"}], "nullable": true}}, "$defs": {"A": {"type": "string"}}}
        → /properties/a/nullable: `nullable` has no effect beside `allOf`; write `"anyOf": [{"$ref": "…"}, {"type": "null"}]`
      {"properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"enum": [{"x": 1}]}}}
        → /properties/a: these values are objects; list strings or numbers that name them, like their keys
      {"properties": {"a": {"type": "string"}, "required": ["a"]}}
        → /properties/required: `required` stands among the properties; move it out, so that it stands beside `properties`
      {"properties": {"ci": {"enum": ["a"]}}, "dependencies": {"ci": {"oneOf": [{"properties": {"ci": {"enum": ["a"]}}}]}}}
        → /dependencies/ci/oneOf: `oneOf` is not supported in the dependencies of `ci`; write each case into an `allOf`, like `{"if": {"properties": {"ci": {"const": …}}}, "then": {…}}`
      """##))
  func `that cannot be used is refused, with what to do`(schema: String, fault: String) throws {
    #expect(
      try said(schema.replacing(#"{"properties": {"#, with: #"{"title": "T", "properties": {"#, maxReplacements: 1))
        .faults == [fault])
  }

  @Test(arguments: [
    #""a": {"type": "array", "items": {"title": "Item", "type": "string"}}"#,
    #""a": {"type": "array", "items": {"description": "An item", "type": "string", "default": "x"}}"#,
    #""a": {"anyOf": [{"type": "string", "title": "Text"}, {"type": "integer", "description": "Number"}]}"#,
    #""a": {"type": "string", "description": "One", "allOf": [{"description": "Two"}]}"#,
    #""a": {"anyOf": [{"type": "string", "title": "Text"}, {"type": "null", "title": "Nothing"}]}"#,
    ##""a": {"$ref": "#/$defs/D", "description": "Mine"}"##,
    #""a": {"oneOf": [{"type": "object", "properties": {"k": {"const": "x", "description": "The tag"}, "x": {"type": "string"}}}, {"type": "object", "properties": {"k": {"const": "y"}, "y": {"type": "string"}}}]}"#,
  ])
  func `that nobody sees is named, in a request as in a file`(property: String) throws {
    let schema =
      ##"{"title": "T", "$defs": {"D": {"type": "string", "description": "Theirs"}}, "properties": {\##(property)}}"##
    let (_, _, file) = try said(schema), (_, _, request) = try said(schema, isRequest: true)
    #expect(!file.isEmpty)
    #expect(request == file)
  }

  @Test(arguments: ["title", "message", "description", "examples"])
  func `around a schema is named if the schema has its own`(word: String) throws {
    let schema =
      #"{"\#(word)": "Theirs", "inputSchema": {"title": "T", "description": "Mine", "properties": {"a": {}}}}"#
    #expect(try said(schema).2.contains { $0.hasPrefix("/\(word): nobody sees this") })
  }

  @Test func `is named with how many more there are, if there are many`() throws {
    let properties = (1...14).map { #""p\#($0)": {"type": "array", "items": {"title": "Item", "type": "string"}}"# }
    let schema = #"{"title": "T", "properties": {\#(properties.joined(separator: ", "))}}"#
    let (_, _, warnings) = try said(schema, isRequest: true)
    #expect(warnings.count == 11)
    #expect(warnings.last == "there are 4 more warnings; `okcancel check` prints all of them")
    let (_, _, all) = try said(schema)
    #expect(all.count == 14)
  }

  @Test func `of a number with the format int32 is a whole number`() throws {
    let prompt = try Prompt(schema: #"{"properties": {"a": {"type": "number", "format": "int32"}}}"#, title: "T")
    for (text, isValid) in [("2147483647", true), ("2147483648", false), ("0.5", false)] {
      #expect(prompt.edition().isKnownToBeValid(holding: Inputs([("a", .text(text))])) == isValid)
    }
  }
}

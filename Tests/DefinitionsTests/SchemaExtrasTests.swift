@testable import Prompts
import ServedFields
import TestSupport
import Testing

/// What stands under `x-okcancel` has an effect or is a fault, wherever it stands.
@Suite struct `x-okcancel in a schema` {
  private static let unused =
    "`x-okcancel` is not supported here; write it in a property, in the `items` of a list, or in the outermost object"

  @Test(
    arguments: cases(
      #"""
      {"properties": {"a": {"type": "string"}}, "x-okcancel": {"ok": "Go"}} → none
      {"properties": {"a": {"type": "string"}}, "allOf": [{"x-okcancel": {"ok": "Go"}}]} → none
      {"properties": {"a": {"type": "string"}}, "x-okcancel": "Go"}
        → /x-okcancel: `x-okcancel` must be a map, not a string; write it like `"x-okcancel": {"ok": ...}`
      {"properties": {"a": {"type": "string", "minLength": 1, "x-okcancel": {"messages": "Go"}}}}
        → /properties/a/x-okcancel/messages: `messages` must be a map, not a string; write it like `"messages": {"minLength": "..."}`
      {"properties": {"a": {"type": "string"}}, "x-okcancel": {"kind": "text"}}
        → /x-okcancel/kind: `x-okcancel` has no key `kind`; use one of `ok`, `cancel`, `buttons`, `okWhenInvalid`
      {"properties": {"a": {"anyOf": [{"type": "string", "x-okcancel": {"unit": "kg"}}, {"type": "null"}]}}}
        → /properties/a/anyOf/0/x-okcancel/unit: a `text` field has no `unit`; remove it, or make the kind `number`
      {"properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"type": "string", "x-okcancel": {"kind": "tel"}}}} → none
      {"properties": {"a": {"type": "object", "properties": {"b": {"type": "string"}}, "x-okcancel": {"ok": "Go"}}}}
        → /properties/a/x-okcancel: unused
      {"properties": {"a": {"enum": ["b"]}, "c": {"anyOf": [{"const": "d", "x-okcancel": {}}, {"const": "e"}]}}}
        → /properties/c/anyOf/0/x-okcancel: unused
      {"properties": {"a": {"type": "array", "items": {"enum": ["b"], "x-okcancel": {"trim": true}}}}}
        → /properties/a/items/x-okcancel: unused
      {"properties": {"a": {"type": "array", "items": {"type": "string", "x-okcancel": {"trim": true}}}}}
        → /properties/a/items/x-okcancel/trim: `x-okcancel` has no key `trim`; use one of `messages`, `rules`
      {"properties": {"a": {"type": "array", "items": {"type": "string", "x-okcancel": {"messages": {"pattern": "b"}}}}}}
        → /properties/a/items/x-okcancel/messages/pattern: `messages` has no key `pattern`; remove it
      {"properties": {"a": {"anyOf": [{"type": "integer", "x-okcancel": {"kind": "slider"}}, {"type": "string"}]}}}
        → /properties/a/anyOf/0/x-okcancel/kind: `x-okcancel` has no key `kind`; use one of `messages`, `rules`
      {"oneOf": [{"properties": {"a": {"const": "b", "x-okcancel": {}}}, "required": ["a"]}, {"properties": {"a": {"const": "c"}}, "required": ["a"]}]}
        → /oneOf/0/properties/a/x-okcancel: unused
      {"oneOf": [{"properties": {"a": {"const": "b"}}, "x-okcancel": {"ok": "B"}}, {"properties": {"a": {"const": "c"}}}]}
        → /oneOf/0/x-okcancel: unused
      {"properties": {"a": {"enum": ["b", "c"]}}, "required": ["a"], "if": {"properties": {"a": {"const": "b", "x-okcancel": {}}}}, "then": {"properties": {"d": {"type": "string"}}}}
        → /if/properties/a/x-okcancel: unused
      {"properties": {"a": {"enum": ["b", "c"]}}, "required": ["a"], "if": {"properties": {"a": {"const": "b"}}}, "then": {"properties": {"d": {"type": "string"}}, "x-okcancel": {}}}
        → /then/x-okcancel: unused
      {"properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "string", "x-okcancel": {"kind": "tel"}}}
        → /additionalProperties/x-okcancel: unused
      {"name": "a", "schema": {"properties": {"a": {"type": "string"}}}, "x-okcancel": {"ok": "Go"}} → /x-okcancel: unused
      {"requestedSchema": {"properties": {"a": {"type": "string"}}, "x-okcancel": {"ok": "Go"}}} → none
      """#)) func `is used or is a fault`(schema: String, expected: String) throws
  {
    var reading = Reading()
    _ = Prompt(schema: Node(try JSON(parsing: Array(schema.utf8))), title: "T", &reading)
    let found = reading.faults.map { "\($0)" }.joined(separator: "\n")
    #expect(found.replacing(Self.unused, with: "unused") == (expected == "none" ? "" : expected))
  }

  @Test func `has messages for keywords, items and alternatives`() async throws {
    let prompt = try Prompt(
      schema: #"""
        {"title": "T", "required": ["n", "e", "sizes", "words", "either"], "properties": {
          "n": {"type": "integer", "minimum": 1, "x-okcancel": {"messages": {"type": "A number", "minimum": "More"}}},
          "e": {"type": "string", "format": "email", "x-okcancel": {"messages": {"format": "An address"}}},
          "sizes": {"type": "array", "items": {"type": "integer", "maximum": 9,
            "x-okcancel": {"messages": {"type": "A number", "maximum": "Less"}}}},
          "words": {"type": "array", "items": {"type": "string", "maxLength": 3,
            "x-okcancel": {"messages": {"maxLength": "Shorter"}, "rules": [{"not": {"oneOf": ["no"]}, "message": "Not no"}]}}},
          "either": {"anyOf": [{"type": "integer", "maximum": 9, "x-okcancel": {"messages": {"maximum": "A small number"}}},
            {"enum": ["all"]}]}}}
        """#)
    for (field, text, message) in [
      ("n", "", "A number"), ("n", "0", "More"), ("e", "", "An address"), ("e", "a..b@c.de", "An address"),
      ("sizes", "1\nx", "Line 2: A number"), ("sizes", "10", "Line 1: Less"), ("words", "long", "Line 1: Shorter"),
      ("words", "a\nno", "Line 2: Not no"), ("either", "10", "A small number. Or: Enter “all”"),
    ] {
      let verdicts = await prompt.verdicts(on: [field: text])
      #expect(verdicts[field]?.message == message)
    }
  }

  @Test func `is read back in what a schema travels in`() throws {
    let schema = #"{"title": "T", "properties": {"a": {"type": "string", "x-okcancel": {"trim": true}}}}"#
    let prompt = try Prompt(schema: schema)
    let written = try JSON(parsing: Array(#"{"requestedSchema":\#(prompt.schema)}"#.utf8))
    var reading = Reading()
    let read = Prompt(schema: Node(written), &reading)
    #expect(reading.faults.isEmpty && read?.fields[0].trim == true)
    #expect(read?.schema == prompt.schema)
  }
}

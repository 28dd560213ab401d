@testable import Prompts
import ServedFields
import TestSupport
import Testing

/// What random schemas and values come to is tested in `Tests/Schema`, beside another validator.
@Suite struct `A JSON Schema` {
  private func faults(_ schema: String) -> String {
    do {
      var reading = Reading()
      let schema = try JSON(parsing: Array(schema.utf8))
      _ = try reading.whole { Prompt(schema: Node(schema), title: "T", &$0) }
      return "none"
    } catch {
      return "\(error)"
    }
  }

  private func property(_ schema: String) -> String {
    #"{"type": "object", "properties": {"a": \#(schema)}}"#
  }

  /// What is said of a file with this schema, which can be read.
  private func warnings(_ schema: String) throws -> [FileFault] {
    try DefinitionFile(path: "in/a.schema.json", bytes: Array(schema.utf8)).warnings
  }

  /// The rules of the only field, as they are served.
  private func rules(_ schema: String) throws -> [String] {
    let prompt = try Prompt(schema: property(schema), title: "T")
    let fields = try JSON(parsing: Array(prompt.servedRules.utf8))["fields"]?.elements ?? []
    return try #require(fields.first?["rules"]).elements.map { rule in
      let members = rule.members.filter { !["message", "decidedBy"].contains($0.key) }
      return String(decoding: JSON.object(members).bytes, as: UTF8.self)
    }
  }

  @Test(
    arguments: cases(
      ##"""
      {"type": "object", "properties": {"__proto__": {"type": "string"}}}
        → /properties/__proto__: an answer cannot have the member `__proto__`; choose another name
      [{"type": "object"}] → this is a list, not one schema; send one of what is in it
      {"type": "array"}
        → /type: a dialog asks for an object; write `"type": "object"`, and this as one of its `properties`
      {} → this is not a schema of an object; write `"type": "object"` and `properties`
      {"type": "object", "not": {}} → /not: `not` is not supported here; say what is allowed, with `enum` or `pattern`
      {"properties": {"a": {"type": "string"}}, "minProperties": 1}
        → /minProperties: `minProperties` is not supported here; list in `required` what must be there
      {"properties": {"a": {"type": "boolean"}, "b": {"type": "string"}}, "dependentRequired": {"a": ["b"]}}
        → /dependentRequired/a: this depends on `a`, which may be there without a value; list its values with `const` or `enum` in an `if`
      {"type": "object", "requierd": []} → /requierd: `requierd` is not supported here; did you mean `required`?
      {"type": "object", "properties": {}, "required": ["a"]}
        → /required/0: `required` names `a`, which is not asked for; remove it
      {"properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"$ref": "#/$defs/A"}}}
        → /$defs/A/$ref: `#/$defs/A` refers to itself; write out what it means
      {"properties": {"a": {"anyOf": [{"type": "string"}, {"$ref": "#/properties/a"}]}}}
        → /properties/a/anyOf/1: `#/properties/a/anyOf/1` refers to itself; write out what it means
      {"properties": {"a": {"type": "string"}}, "anyOf": [{"$ref": "#"}]}
        → /anyOf/0: `#/anyOf/0` refers to itself; write out what it means
      {"type": "object", "properties": {"next": {"$ref": "#"}}}
        → /properties/next: `next` refers to itself; write out what it means
      {"$ref": "#/$defs/N", "$defs": {"N": {"type": "object", "properties": {"v": {"type": "string"}, "n": {"anyOf": [{"$ref": "#/$defs/N"}, {"type": "null"}]}}}}}
        → /$defs/N/properties/n: `n` refers to itself; write out what it means
      {"properties": {"a": {"type": "object", "properties": {"x": {"type": "string"}, "b": {"type": "object", "properties": {"x": {"type": "string"}, "c": {"$ref": "#/$defs/C"}}}}}}, "$defs": {"B": {"type": "object", "properties": {"x": {"type": "string"}}}, "C": {"allOf": [{"$ref": "#/$defs/B"}], "properties": {"d": {"allOf": [{"$ref": "#/$defs/B"}], "properties": {"e": {"$ref": "#/$defs/B"}}}}}}}
        → /$defs/C/properties/d: there are more than 3 objects around this one; put it less deep
      {"properties": {"a": {"$ref": "other.json"}}}
        → /properties/a/$ref: `$ref` may only name a part of this document; copy what it names into `$defs`, and write `#/$defs/…`
      {"properties": {"a": {"$ref": "#/$defs/B"}}}
        → /properties/a/$ref: there is nothing at `#/$defs/B`; name a part of this document, like `#/$defs/color`
      """##)
  )
  func `names what an object has wrong`(schema: String, fault: String) {
    #expect(faults(schema) == fault)
  }

  @Test(
    arguments: cases(
      ##"""
      [] → : a schema must be an object here, not a list; say what the value is, like `{"type": "string"}`
      {"not": {}} → : no value that a person can give is left here; leave this property out
      {"type": "string", "not": {"format": "date"}}
        → /not: `not` is not supported here; say what is allowed, with `enum` or `pattern`
      {"type": "text"}
        → /type: there is no type `text`; use one of `string`, `number`, `integer`, `boolean`, `array`, `object`, `null`
      {"type": ["string", "array"]} → /type: these values have several types; write one type, like `"type": "string"`
      {"type": "object"} → /type: nothing is asked for in this object; write each of its values in `properties`
      {"type": "string", "format": "date-time"}
        → /format: `date-time` needs an offset from UTC, and a person enters a local time; write `"x-okcancel": {"timeZone": "Europe/Berlin"}`, or `person` for the zone of the person who answers; or leave `format` out and write `"x-okcancel": {"kind": "dateTime"}` for a local one
      {"type": "string", "format": "time", "x-okcancel": {"timeZone": "UTC"}}
        → /format: `time` needs an offset from UTC, which depends on the date; ask for a `date-time`, or leave `format` out and write `"x-okcancel": {"kind": "time"}` for a local one
      {"type": "string", "format": "date-time", "pattern": "Z$", "x-okcancel": {"timeZone": "UTC"}}
        → /pattern: `pattern` is not supported for a time with a time zone; remove it, or bound the moment in `x-okcancel`, like `"rules": [{"range": {"min": "now"}}]`
      {"type": "string", "format": "uri-template"}
        → /format: the format `uri-template` cannot be checked here, but other programs check it; write a `pattern` in its place
      {"type": "string", "pattern": "a(?=b)"}
        → /pattern: in this pattern, column 2: look-around `(?=` does not run in linear time; write a look-ahead right after the pattern’s leading `^`, or split it into several patterns in `allOf`
      {"type": "string", "pattern": "^\\d\\Z"}
        → /pattern: in this pattern, column 4: some engines let a line break follow `\Z`; write `$` for the end of the text
      {"type": "string", "pattern": "\\A\\d"}
        → /pattern: in this pattern, column 1: `\A` is not an escape; write `^`
      {"type": "string", "pattern": "^(?=a)\\d\\Z"}
        → /pattern: in this pattern, column 9: some engines let a line break follow `\Z`; write `$` for the end of the text
      {"type": "string", "pattern": "^(?=a++)b"}
        → /pattern: in this pattern, column 7: `+` follows another quantifier; put what is repeated into a group, like `(?:a*)*`, or leave one out
      {"type": "string", "pattern": "(?i)a"}
        → /pattern: in this pattern, column 1: flags within a pattern mean different things in different engines; write both cases, like `[Aa]`
      {"type": "string", "allOf": [{"format": "date"}, {"format": "email"}]}
        → /allOf/1/format: no field asks for the format `email` together with what else is said here; keep one format, and write the rest as a `pattern`
      {"type": "string", "contentMediaType": "text/plain", "allOf": [{"contentMediaType": "text/html"}]}
        → /allOf/0/contentMediaType: only plain text can be typed in a dialog; write `text/plain`, or leave this out
      {"enum": ["secret"], "format": "password"}
        → /format: a password is typed, and these values are chosen from a list; leave `format` out
      {"type": "string", "format": "date", "x-okcancel": {"kind": "multiline"}}
        → /x-okcancel/kind: a `multiline` field cannot hold these values; use `date`
      {"type": "string", "x-okcancel": {"trim": true}, "allOf": [{"x-okcancel": {"trim": false}}]}
        → /allOf/0/x-okcancel/trim: another `x-okcancel` has the key `trim` too; keep one
      {"type": "array", "items": {"type": "boolean"}, "uniqueItems": true}
        → /items: a person can only list strings or numbers, or choose from strings; write `"items": {"type": "string"}`, or `"items": {"enum": ["small", "large"]}`
      {"$id": "color", "allOf": [{"$ref": "#/properties/a"}]}
        → /$id: a `$ref` in here names a part of this schema, which has an `$id`; remove the `$id`
      {"type": "array", "contains": {"const": "a"}}
        → /contains: `contains` is not supported here; list what must be chosen in another property
      {"type": "string", "default": 3}
        → /default: `default` is not of the type `string`; write a value that the field can hold, or remove it
      {"enum": [["a"]], "items": {"enum": ["a"]}} → : these values are lists; list the strings in `items`
      {"enum": ["a"], "default": ["a"]}
        → /default: `default` is not of the type `string`; write a value that the field can hold, or remove it
      {"enum": ["", "a"]}
        → /enum/0: nobody can choose the empty string; leave it out here, and the property out of `required`
      {"oneOf": [{"const": "a"}, {"enum": ["a"]}]}
        → : no value that a person can give is left here; leave this property out
      {"enum": ["a", {}]} → : these values have several types; write one type, like `"type": "string"`
      {"type": "string", "enum": [1]} → /type: no value that a person can give is left here; leave this property out
      {"anyOf": [{"type": "string"}, {"type": "array"}]}
        → /anyOf: `anyOf` has values of which nothing tells which is meant; keep one, list constants, or tell objects apart by a `const` of the same property
      {"type": "array", "items": {"type": "object", "properties": {"a": {"type": "string"}}}}
        → /items: nobody can be asked for a list of objects; ask once for each object
      {"type": "array", "items": {"enum": ["a"]}, "minItems": 2}
        → /minItems: nobody can choose 2 of 1 options; list more of them, or ask for less
      {"type": "string", "x-okcancel": {"kind": "slider"}}
        → /x-okcancel/kind: a `slider` field cannot hold these values; use one of `text`, `multiline`, `email`, `url`, `tel`, `password`, `search`, `date`, `time`, `dateTime`
      {"type": "string", "x-okcancel": {"knd": "tel"}}
        → /x-okcancel/knd: `x-okcancel` has no key `knd`; did you mean `kind`?
      {"type": "string", "minLength": 2, "x-okcancel": {"messages": {"maxLength": "Less"}}}
        → /x-okcancel/messages/maxLength: `messages` has no key `maxLength`; did you mean `minLength`?
      {"type": "string", "readOnly": true}
        → /readOnly: `readOnly` is not supported here; leave this property out: nobody is asked for it
      """##)
  )
  func `names what a property has wrong`(schema: String, fault: String) {
    #expect(faults(property(schema)) == "/properties/a" + fault)
  }

  @Test(
    arguments: cases(
      ##"""
      true → text: none
      {"default": 5} → number: number range range
      {"default": ["a"]} → list: count
      {"minLength": 2} → text: length
      {"format": "date"} → date: date
      {"exclusiveMinimum": 0} → number: number range range
      {"uniqueItems": true} → list: count count
      {"items": {"minimum": 2}} → list: count items
      {"type": "array"} → list: count
      {"minimum": 2, "minLength": 2} → number: number range range
      {"type": "string", "minimum": 2} → text: none
      {"type": "integer", "anyOf": [{"minLength": 2}, {"minimum": 2}]} → integer: integer
      {"type": "integer", "anyOf": [{"maximum": 2}, {"minimum": 5}]} → text: any
      {"anyOf": [{"minLength": 2}, {"type": "null"}]} → text: length
      {"type": "string", "anyOf": [{"pattern": "^a"}, {"maxLength": 2}]} → text: any
      {"anyOf": [{"type": "number"}, {"type": "string", "pattern": "^[0-9.]+$"}]} → number: number range range
      {"anyOf": [{"type": "number"}, {"type": "string"}]} → number: number range range
      {"anyOf": [{"type": "string"}, {"type": "number"}]} → text: any
      {"type": "string", "not": {"enum": ["a", 1]}} → text: not
      {"type": "string", "not": {"pattern": "^a"}} → text: not
      {"type": "string", "not": {"type": "number"}} → text: none
      {"type": "integer", "not": {"const": 1}} → integer: integer not
      {"not": {"type": ["string", "null"]}} → number: number range range
      {"enum": ["a", "b", "c"], "not": {"const": "b"}} → choice: oneOf
      {"enum": ["a", 1, true, null]} → choice: oneOf any
      """##)
  )
  func `narrows a property that may have any type`(schema: String, field: String) throws {
    let asked = try Prompt(schema: property(schema), title: "T").fields[0]
    let rules = asked.rules.isEmpty ? "none" : asked.rules.map(\.name).joined(separator: " ")
    #expect("\(asked.kind.rawValue): \(rules)" == field)
  }

  @Test func `says once what several schemas say of a property, and asks for none that must be absent`() throws {
    let schema = #"""
      {"properties": {"a": {"type": "string"}, "b": false}, "allOf": [{"properties": {"a": {"maxLength": 3}, "c": true}}]}
      """#
    #expect(try Prompt(schema: schema, title: "T").fields.map(\.name) == ["a", "c"])
    #expect(faults(#"{"properties": {"a": false}, "required": ["a"]}"#).hasPrefix("/properties/a: no value"))
  }

  @Test(
    arguments: cases(
      #"""
      {"type": "string", "minimum": 3} → `minimum` says nothing about values of the type `string`
      {} → this may be any value, and a text
      {"type": "array"} → this list says nothing about its items
      {"type": "string", "format": "color-name"} → the format `color-name` is not known here and is not checked
      {"type": "integer", "format": "color-name"} → the format `color-name` is not known here and is not checked
      {"type": "number", "multipleOf": 0.01} → validators that divide in binary refuse some multiples of 0.01
      {"type": "number", "multipleOf": 0.5} → none
      {"type": "number", "multipleOf": 3} → none
      {"type": "string", "pattern": "/[0-9]{5}/i"}
        → a pattern has no slashes around it and no flags behind it; write `[0-9]{5}`, with both cases of each letter, like `[Aa]`
      {"type": "array", "items": {"type": "string", "pattern": "/[0-9]{5}/g"}}
        → a pattern has no slashes around it and no flags behind it; write `[0-9]{5}`
      {"type": "string", "pattern": "/[0-9]{5}/"} → none
      """#)
  )
  func `in a file is warned of what has no effect, is not checked, is divided by in binary or looks like JavaScript`(
    schema: String, warning: String
  ) throws {
    let found = try warnings(#"{"title": "T", "properties": {"a": \#(schema)}}"#).map(\.description)
    #expect(warning == "none" ? found.isEmpty : found.count == 1 && found[0].contains(warning), "\(found)")
  }

  static let kind = #""kind": {"enum": ["person", "company"]}, "agree": {"type": "boolean"}"#
  static let isCompany = #""if": {"properties": {"kind": {"const": "company"}}, "required": ["kind"]}"#

  /// The conditions of a field in words, and whether it is optional; or `nil` if it always applies.
  private func condition(_ prompt: Prompt, of name: String = "x") throws -> String? {
    let fields = try JSON(parsing: Array(prompt.definition.utf8))["fields"]?.elements ?? []
    guard let field = fields.first(where: { $0.text("name") == name }), let when = field["when"] else { return nil }
    let conditions = when.elements.map { one in
      let values = one["rules"]?.elements.first?.texts("values") ?? []
      return "\(one.text("field") ?? "?"): \(values.joined(separator: " or "))"
    }
    return conditions.joined(separator: ", ") + (field["optional"]?.isTrue == true ? ", optional" : "")
  }

  private func condition(_ schema: String) throws -> String? { try condition(Prompt(schema: schema, title: "T")) }

  @Test(arguments: [
    (#"{"required": ["x"]}"#, "null", "kind: company"),
    (#"{"required": ["x"]}"#, #"{"properties": {"x": false}}"#, "kind: company"),
    ("{}", #"{"properties": {"x": false}}"#, "kind: company, optional"),
    (#"{"required": ["kind", "x"]}"#, #"{"properties": {"x": false}}"#, nil),
  ])
  func `asks for what a then requires only if its if holds`(then: String, otherwise: String, condition: String?) throws
  {
    let last = otherwise == "null" ? "" : #", "else": \#(otherwise)"#
    // What is required anyway may be required again.
    let required = condition == nil ? #", "required": ["kind"]"# : ""
    let schema = #"{"properties": {\#(Self.kind), "x": {"type": "string", "minLength": 1}}\#(required), "#
    #expect(
      try self.condition(schema + #"\#(Self.isCompany), "then": \#(then)\#(last)}"#) == condition ?? "kind: company")
  }

  @Test(arguments: [
    (#"{"agree": {"const": true}}"#, #"["agree"]"#, "agree: true"),
    (#"{"agree": {"const": false}}"#, "[]", "agree: false"),
    (#"{"agree": {"enum": [false, "false", null]}}"#, "[]", "agree: false"),
    (#"{"kind": {"enum": ["person", "company", 3, null]}}"#, #"["kind"]"#, "kind: person or company"),
    (
      #"{"kind": {"oneOf": [{"const": "person"}, {"const": "company"}]}, "agree": {"const": true}}"#,
      #"["kind", "agree"]"#,
      "kind: person or company, agree: true"
    ),
    (##"{"kind": {"$ref": "#/$defs/Company"}}"##, #"["kind"]"#, "kind: company"),
    (#"{"size": {"const": 2.50}}"#, #"["size"]"#, "size: 2.5"),
    (#"{"free": {"const": "two words"}}"#, #"["free"]"#, "free: two words"),
  ])
  func `takes what an if lists`(tests: String, required: String, condition: String) throws {
    let schema = ##"""
      {"properties": {\##(Self.kind), "size": {"enum": [1, 2.5]}, "free": {"type": "string"}},
       "$defs": {"Company": {"const": "company"}},
       "allOf": [{"if": {"type": "object", "properties": \##(tests), "required": \##(required)},
                  "then": {"properties": {"x": {"type": "string"}}}}]}
      """##
    #expect(try self.condition(schema) == condition + ", optional")
  }

  @Test(arguments: [
    #""dependentRequired": {"a": ["b"]}"#, #""dependencies": {"a": ["b"]}"#,
    #""dependencies": {"a": {"required": ["b"]}}"#, #""if": {"required": ["a"]}, "then": {"required": ["b"]}"#,
    #""dependentSchemas": {"a": {"properties": {"c": {"type": "string", "minLength": 1}}, "required": ["c"]}}"#,
  ])
  func `asks for what another property needs if that is there`(dependency: String) async throws {
    let prompt = try Prompt(
      schema: #"""
        {"minProperties": 0, "maxProperties": 3,
         "properties": {"a": {"type": "string"}, "b": {"type": "string", "minLength": 1}}, \#(dependency)}
        """#, title: "T")
    for (a, b, isValid) in [("", "", true), ("x", "", false), ("x", "y", true)] {
      let verdicts = await prompt.verdicts(on: ["a": a, "b": b, "c": b])
      #expect(verdicts.isValid == isValid)
    }
  }

  @Test func `reads the conditions of its own prompt's schema again`() throws {
    let schema = #"""
      {"required": ["agree", "size"], "properties": {"agree": {"type": "boolean"}, "size": {"enum": [1, 2]}, "y": {"type": "boolean"}},
       "allOf": [
         {"if": {"properties": {"agree": {"const": true}, "size": {"enum": [2]}}}, "then": {"properties": {"x": {"type": "integer"}}, "required": ["x"]}},
         {"if": {"properties": {"agree": {"const": false}}}, "else": {"properties": {"y": false}}}]}
      """#
    let prompt = try Prompt(schema: schema, title: "T")
    let again = try Prompt(schema: prompt.schema)
    #expect(try condition(again) == "agree: true, size: 2")
    #expect(try condition(again, of: "y") == "agree: false, optional")
    #expect(try condition(prompt) == condition(again) && condition(prompt, of: "y") == condition(again, of: "y"))
  }

  @Test(
    arguments: cases(
      #"""
      "if": {"properties": {"kind": {"const": "company"}}}, "then": {"required": ["x"]}
        → /if/properties/kind: this `if` also holds without `kind`; write `"required": ["kind"]` in it
      "if": {"properties": {"agree": {"const": false}}, "required": ["agree"]}, "then": {"required": ["x"]}
        → /if/properties/agree: a boolean that is left out counts as false; list `agree` in the object's `required` too
      "if": {"properties": {"kind": {"const": "compny"}}, "required": ["kind"]}, "then": {"required": ["x"]}
        → /if/properties/kind: `kind` never has the value `compny`; did you mean `company`?
      "if": {"properties": {"kind": {"const": 1}}, "required": ["kind"]}, "then": {"required": ["x"]}
        → /if/properties/kind: `kind` never has these values; list values of the type `string`
      "if": {"properties": {"kynd": {"const": "company"}}, "required": ["kynd"]}, "then": {"required": ["x"]}
        → /if/properties/kynd: `kynd` is not asked for; did you mean `kind`?
      "if": {"properties": {"kind": {"pattern": "^c"}}, "required": ["kind"]}, "then": {"required": ["x"]}
        → /if/properties/kind/pattern: `pattern` is not supported in `if`; list the values that it means, with `const` or `enum`
      "if": {"properties": {"n": {"const": 1}}, "required": ["n"]}, "then": {"required": ["x"]}
        → /if/properties/n: no condition looks at this integer; list its values with `enum` where it is asked for
      "if": {}, "then": {"required": ["x"]}
        → /if: this `if` names no values of other properties; write it like `{"properties": {"kind": {"const": "company"}}, "required": ["kind"]}`
      "if": {"not": {}, "properties": {"kind": {"const": "company"}}}, "then": {"required": ["x"]}
        → /if/not: `not` is not supported in `if`; list values of other properties in the `if`, and say in `then` what is asked for only then
      "if": {"properties": {"f": {"const": 0.1}}, "required": ["f"]}, "then": {"required": ["x"]}
        → /if/properties/f: another value of `f` is the same number to most programs; write fewer digits
      "then": {} → /then: `then` is not supported here; write the `if` beside it, or remove it
      "if": {"properties": {"x": {"const": "a"}}, "required": ["x"]}, "then": {"required": ["x"]}
        → /if/properties/x: `when` names its own field `x`; name another field
      \#(isCompany), "then": {"required": ["xx"]} → /then/required/0: `xx` is not asked for; did you mean `x`?
      \#(isCompany), "then": {"properties": {"x": {"minLength": 3}}}
        → /then/properties/x: `x` would have other rules under this condition; define it in one place, or make two properties
      \#(isCompany), "then": {"required": ["x"]}, "else": {"required": ["n"]}
        → /else/required: `required` is not supported in `else`; list values of other properties in the `if`, and say in `then` what is asked for only then
      \#(isCompany), "then": {"if": {}, "required": ["x"]}
        → /then/if: `if` is not supported in `then`; list values of other properties in the `if`, and say in `then` what is asked for only then
      \#(isCompany), "else": {"properties": {"x": {"type": "string"}}}
        → /else/properties/x: an `else` can only say that a property is absent; write `false` here, or a second `if` for it
      \#(isCompany) → /if: nothing depends on this `if`; say in `then` what is asked for only then, or remove it
      \#(isCompany), "else": {"properties": {"x": false}}, "required": ["x"]
        → /else/properties/x: the object requires `x` always; leave it out of this condition, or of the object's `required`
      "allOf": [{\#(isCompany), "then": {"required": ["x"]}}, {\#(isCompany), "then": {"required": ["x"]}}]
        → /allOf/1/then/required/0: `x` depends on two conditions; list the values of both in one `enum`, or give each its own property
      \#(isCompany), "then": {"properties": {"y": {"type": "string"}}}, "additionalProperties": false
        → /then/properties/y: `additionalProperties`, which stands beside other properties, rules `y` out; write `unevaluatedProperties` in the outermost object instead
      """#)
  )
  func `names what a condition has wrong`(condition: String, fault: String) {
    #expect(
      faults(
        #"{"properties": {\#(Self.kind), "n": {"type": "integer"}, "f": {"enum": [0.1, 0.10000000000000000001]}, "x": {"type": "string"}}, \#(condition)}"#
      ) == fault)
  }

  @Test func `in a file is warned of what is asked for only under a condition`() throws {
    let schema = #"{"title": "T", "properties": {\#(Self.kind), "x": {"type": "string"}}, \#(Self.isCompany), "#
    #expect(try warnings(schema + #""then": {"required": ["x"]}}"#).count == 1)
    #expect(try warnings(schema + #""then": {"required": ["x"]}, "else": {"properties": {"x": false}}}"#).isEmpty)
  }

  @Test func `with several faults names them all`() {
    let schema =
      #"{"type": "object", "if": {}, "properties": {"a": {"type": "text"}, "b": {"format": "time", "type": "string"}}}"#
    #expect(faults(schema).split(separator: "\n").count == 3)
  }

  @Test(
    arguments: cases(
      #"""
      {"type": "string", "minLength": 1, "maxLength": 9} → {"rule":"nonEmpty"} {"rule":"length","max":9}
      {"type": "string", "minLength": 2, "maxLength": 9} → {"rule":"length","min":2,"max":9}
      {"type": "integer", "exclusiveMinimum": 0, "maximum": 10}
        → {"rule":"integer"} {"rule":"range","min":"1","max":"10"}
      {"type": "integer", "minimum": 0, "exclusiveMinimum": true} → {"rule":"integer"} {"rule":"range","min":"1"}
      // What one keyword implies stays, whatever else says how to ask.
      {"type": "string", "format": "date", "contentMediaType": "text/plain"} → {"rule":"date"}
      {"allOf": [{"format": "date"}, {"contentMediaType": "text/plain"}], "type": "string"} → {"rule":"date"}
      {"enum": ["2024-02-29", "2024-13-45"], "format": "date"}
        → {"rule":"oneOf","values":["2024-02-29","2024-13-45"]} {"rule":"date"}
      {"enum": [1, 2, 3], "minimum": 2, "maximum": 9}
        → {"rule":"oneOf","values":["1","2","3"]} {"rule":"range","min":"2","max":"9"}
      {"type": "array", "items": {"enum": ["a", "b"]}, "allOf": [{"items": {"enum": ["b", "c"]}}]}
        → {"rule":"oneOf","values":["b"]}
      {"type": "number", "multipleOf": 0.01, "allOf": [{"multipleOf": 5}]}
        → {"rule":"number"} {"rule":"step","of":"0.01"} {"rule":"step","of":"5"} {"rule":"range","min":"-1e13"} {"rule":"range","max":"1e13"}
      {"type": "string", "pattern": "b"} → {"rule":"pattern","pattern":"[\\s\\S]*(?:b)[\\s\\S]*"}
      {"type": "string", "pattern": "^b$"} → {"rule":"pattern","pattern":"^b$"}
      {"type": "string", "pattern": "^b|c$"} → {"rule":"pattern","pattern":"[\\s\\S]*(?:^b|c$)[\\s\\S]*"}
      {"type": "string", "pattern": "^b|^c"} → {"rule":"pattern","pattern":"(?:^b|^c)[\\s\\S]*"}
      {"type": "string", "pattern": "[|^$]$"} → {"rule":"pattern","pattern":"[\\s\\S]*(?:[|^$]$)"}
      {"type": "string", "pattern": "^(?!a)(?=.b)x.$"}
        → {"rule":"not","rules":[{"rule":"pattern","pattern":"(?:a)[\\s\\S]*"}]} {"rule":"pattern","pattern":"(?:.b)[\\s\\S]*"} {"rule":"pattern","pattern":"^x.$"}
      {"type": "array", "items": {"enum": ["a", "b"]}, "uniqueItems": true, "minItems": 1}
        → {"rule":"nonEmpty"} {"rule":"oneOf","values":["a","b"]} {"rule":"count","max":2,"unique":true}
      """#)
  )
  func `becomes rules`(schema: String, rules: String) throws {
    let served = try self.rules(schema).joined(separator: " ")
    #expect(served.replacing(#","message":"Use the required format""#, with: "") == rules)
  }

  @Test func `says in the person's language what it does not say itself`() async throws {
    let prompt = try Prompt(
      schema: #"""
        {"type": "object", "properties": {
          "id": {"type": "string", "format": "uuid"}, "ip": {"type": "string", "format": "ipv4"},
          "mail": {"type": "string", "format": "email"}, "size": {"type": "number", "exclusiveMinimum": 0},
          "part": {"type": "number", "exclusiveMaximum": 0.5}, "open": {"type": ["boolean", "null"]}}}
        """#, title: "T")
    var german = prompt
    german.language = Language("de")
    let inputs = Inputs([("id", "x"), ("ip", "x"), ("mail", "a@b.xn--a"), ("size", "0"), ("part", "0.5"), ("open", "")])
    func said(_ prompt: Prompt) -> [String] {
      let verdicts = Judge().judge(inputs, of: prompt.edition()).verdicts
      return (verdicts?.entries ?? []).compactMap(\.verdict.message)
        + prompt.edition().prompt.fields[5].options.map(\.title)
    }
    #expect(
      said(prompt) == [
        "Enter a UUID, like 123e4567-e89b-12d3-a456-426614174000", "Enter an IPv4 address, like 192.0.2.1",
        "Enter an email address, like name@example.com", "Enter a number greater than 0",
        "Enter a number less than 0.5",
        "Yes", "No",
      ])
    #expect(
      said(german) == [
        "Geben Sie eine UUID ein, zum Beispiel 123e4567-e89b-12d3-a456-426614174000",
        "Geben Sie eine IPv4-Adresse ein, zum Beispiel 192.0.2.1",
        "Geben Sie eine E-Mail-Adresse ein, zum Beispiel name@example.com", "Geben Sie eine Zahl größer als 0 ein",
        "Geben Sie eine Zahl kleiner als 0.5 ein", "Ja", "Nein",
      ])
  }

  @Test func `heads an object's fields with its title and description`() throws {
    let prompt = try Prompt(
      schema: #"""
        {"title": "T", "type": "object", "required": ["to", "by"], "properties": {
          "note": {"type": "string"},
          "to": {"title": "Customer", "description": "Who pays", "type": "object", "required": ["at"], "properties": {
            "at": {"title": "Address", "description": "Where it goes", "type": "object", "required": ["zip"],
              "properties": {"zip": {"type": "string"}, "city": {"type": "string"}}}}},
          "by": {"title": "Sender", "type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}},
          "gift": {"title": "Gift", "description": "Costs more", "type": "object", "required": ["card"],
            "properties": {"card": {"type": "string"}}}}}
        """#)
    #expect(prompt.fields.map(\.section) == [nil, "Customer – Address", nil, "Sender", nil, nil])
    #expect(prompt.fields[4].label == "Gift")
    #expect(prompt.fields.map(\.sectionHelp) == [nil, "Who pays\nWhere it goes", nil, nil, nil, nil])
    #expect(prompt.fields[4].help == "Costs more")
    let to = try JSON(parsing: Array(prompt.schema.utf8))["properties"]?["to"]
    #expect(to?["properties"]?["at"]?.text("description") == "Who pays\nWhere it goes")
  }

  @Test func `has the faults of a type once, however often it is named`() {
    let schema =
      ##"{"properties": {"a": {"$ref": "#/$defs/T"}, "b": {"$ref": "#/$defs/T"}}, "$defs": {"T": {"type": "txt"}}}"##
    #expect(faults(schema).split(separator: "\n").count == 1)
  }

  @Test func `that names a type many times is read only so often`() throws {
    // Each of these is twice the one before it.
    let twice = (1...40).map {
      ##""d\##($0)": {"allOf": [{"$ref": "#/$defs/d\##($0 - 1)"}, {"$ref": "#/$defs/d\##($0 - 1)"}]}"##
    }
    let laughs =
      ##"{"properties": {"a": {"$ref": "#/$defs/d40"}}, "$defs": {"d0": {"type": "string"}, \##(twice.joined(separator: ","))}}"##
    #expect(faults(laughs).contains("more than 32 references lead here"))
    let chain = (0..<200).map { ##""d\##($0)": {"anyOf": [{"$ref": "#/$defs/d\##($0 + 1)"}, {"type": "null"}]}"## }
    let deep = ##"{"properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": {\##(chain.joined(separator: ","))}}"##
    #expect(faults(deep).contains("more than 32 references lead here"))

    let words = (0..<900).map { #""word-\#($0)-and-a-tail-of-forty-characters-or-so""# }.joined(separator: ",")
    let properties = (0..<50).map { ##""p\##($0)": {"$ref": "#/$defs/E"}"## }.joined(separator: ",")
    let large = #"{"properties": {\#(properties)}, "$defs": {"E": {"enum": [\#(words)]}}}"#
    #expect(faults(large).contains("with what its references name, this schema has more than 256 KiB"))
  }

  @Test func `gives a prompt its title and message, unless they are given`() throws {
    let schema = #"{"title": "Refund", "description": "For an order.", "properties": {"a": {"type": "string"}}}"#
    let (own, given) = (try Prompt(schema: schema), try Prompt(schema: schema, title: "Ask", message: "Why?"))
    #expect(own.definition.hasPrefix(#"{"title":"Refund","message":"For an order.""#))
    #expect(given.definition.hasPrefix(#"{"title":"Ask","message":"Why?""#))
  }

  @Test func `in a text names line and column of its faults`() {
    let fault = #expect(throws: DefinitionFaults.self) { try Prompt(schema: "{\n  \"type\": \"array\"\n}", title: "T") }
    #expect(
      fault?.description
        == "schema:2:11: a dialog asks for an object; write `\"type\": \"object\"`, and this as one of its `properties`"
    )
  }

  @Test func `in a file has the name before its ending`() throws {
    let file = try DefinitionFile(
      path: "in/refund.schema.json", bytes: Array(#"{"title": "T", "properties": {}}"#.utf8))
    #expect(file.prompt.name == "refund")
  }

  @Test(arguments: [
    ("password", #"{"type": "string", "format": "password", "contentMediaType": "text/plain"}"#),
    (
      "password",
      #"{"anyOf": [{"type": "string", "format": "password"}, {"type": "null"}], "contentMediaType": "text/plain"}"#
    ),
    ("date", ##"{"$ref": "#/$defs/Day", "contentMediaType": "text/plain"}"##),
    ("email", #"{"type": "string", "format": "email", "contentMediaType": "text/plain"}"#),
    ("multiline", #"{"type": "string", "contentMediaType": "TEXT/plain; charset=utf-8"}"#),
  ])
  func `asks by the kind that every keyword allows`(kind: String, schema: String) throws {
    let prompt = try Prompt(
      schema: #"{"properties": {"a": \#(schema)}, "$defs": {"Day": {"type": "string", "format": "date"}}}"#, title: "T")
    #expect(prompt.fields[0].kind.rawValue == kind)
  }

  /// What is entered, and what is said of it, or `nil` if it is valid.
  @Test(arguments: [
    (#""type": "integer", "maximum": 9007199254740993"#, "9007199254740993", nil),
    (#""type": "integer", "maximum": 9007199254740993"#, "9007199254740994", "Enter 9007199254740993 or less"),
    (#""type": "integer", "exclusiveMaximum": 9007199254740993"#, "9007199254740993", "Enter 9007199254740992 or less"),
    (#""type": "integer", "exclusiveMaximum": 9007199254740993"#, "9007199254740992", nil),
    (#""type": "number", "maximum": 1e23"#, "1e23", nil),
    (#""type": "number", "exclusiveMaximum": 1"#, "1", "Enter a number less than 1"),
    (#""type": "integer", "minimum": -9223372036854775808"#, "-9223372036854775808", nil),
    (
      #""type": "integer", "minimum": -9223372036854775808"#, "-9223372036854775809",
      "Enter -9223372036854775808 or more"
    ),
    (#""type": "number", "maximum": 1.7976931348623157e308"#, "1.7976931348623157e308", nil),
    (#""type": "number", "minimum": -1.7976931348623157e308"#, "-1.7976931348623157e308", nil),
    (#""type": "number", "minimum": 1.7976931348623157e308"#, "1", "Enter 1.7976931348623157e308 or more"),
    (#""type": "number", "minimum": 1.7976931348623157e308"#, "1.7976931348623157e308", nil),
    (#""type": "number", "exclusiveMinimum": 0"#, "0", "Enter a number greater than 0"),
    (#""type": "number", "exclusiveMinimum": 0"#, "1e-308", nil),
    (#""type": "number", "exclusiveMaximum": 0"#, "-1e-308", nil),
    (#""type": "number", "exclusiveMinimum": -1e-308"#, "0", nil),
    (#""type": "number", "exclusiveMinimum": -1e-308"#, "-1e-308", "Enter a number greater than -1e-308"),
  ])
  func `names the bound that counts`(schema: String, text: String, message: String?) async throws {
    let prompt = try Prompt(schema: property("{\(schema)}"), title: "T")
    let verdicts = await prompt.verdicts(on: ["a": text])
    #expect(verdicts.isValid == (message == nil))
    #expect(verdicts.message == message)
  }

  @Test func `counts what stands beside a reference, and refuses it in a dialect that ignores it`() {
    func schema(_ dialect: String) -> String {
      ##"""
      {"$schema": "\##(dialect)", "definitions": {"D": {"type": "string"}},
       "properties": {"a": {"$ref": "#/definitions/D", "title": "A", "maxLength": 3}}}
      """##
    }
    #expect(faults(schema("https://json-schema.org/draft/2020-12/schema")) == "none")
    #expect(
      faults(schema("http://json-schema.org/draft-07/schema#"))
        == "/properties/a/maxLength: `maxLength` has no effect beside `$ref` in this dialect; put both into an `allOf`")
  }

  @Test(arguments: [Field.TimeZone.named("Europe/Berlin"), .person])
  func `has its moments in the time zone of the server if it names none`(zone: Field.TimeZone) throws {
    let schema = #"""
      {"title": "T", "properties": {"a": {"type": "string", "format": "date-time"},
        "b": {"type": "string", "format": "date-time", "x-okcancel": {"timeZone": "Asia/Tokyo"}}}}
      """#
    let file = try DefinitionFile(path: "a.schema.json", bytes: Array(schema.utf8), timeZone: zone)
    #expect(file.prompt.prompt.fields.map(\.timeZone) == [zone, .named("Asia/Tokyo")])
    #expect(throws: DefinitionFaults.self) { try DefinitionFile(path: "a.schema.json", bytes: Array(schema.utf8)) }
  }

  @Test(
    arguments: [
      #"{"anyOf": [{"type": "string", "format": "date-time"}, {"type": "integer"}]}"#,
      #"{"type": ["string", "boolean"], "format": "date-time"}"#,
      #"{"type": "array", "items": {"type": "string", "format": "date-time"}}"#,
      #"{"type": "array", "items": {"type": ["string", "integer"]}}"#,
    ])
  func `has no moments among other values or in lists, whatever the zone`(property: String) {
    let schema = #"{"title": "T", "properties": {"a": \#(property)}}"#
    let error = #expect(throws: DefinitionFaults.self) {
      try DefinitionFile(path: "a.schema.json", bytes: Array(schema.utf8), timeZone: .named("Europe/Berlin"))
    }
    let said = error.map { "\($0)".contains("ask for each moment in a property of its own") }
    #expect(said == property.contains("date-time"))
  }

  @Test func `has lists of texts and numbers, one a line`() throws {
    let schema = #"""
      {"title": "T", "required": ["n"], "properties": {
        "n": {"type": "array", "items": {"type": "integer", "minimum": 1}, "uniqueItems": true, "default": [1, 2]},
        "t": {"type": "array", "items": {"type": "string", "format": "email"}, "minItems": 2, "maxItems": 3}}}
      """#
    let prompt = try DefinitionFile(path: "a.schema.json", bytes: Array(schema.utf8)).prompt.prompt
    #expect(prompt.fields.map(\.kind) == [.list, .list])
    let rules = prompt.fields.map { $0.rules.map(\.name).joined(separator: " ") }
    #expect(rules == ["count count items", "count count count items"])
    #expect(prompt.fields[0].value.shown == "1\n2")
  }

  @Test func `types its answers`() async throws {
    let schema = #"""
      {"title": "T", "required": ["n", "nil", "size", "text"], "properties": {
        "n": {"type": "integer"}, "x": {"type": "number"}, "nil": {"type": ["string", "null"]}, "left": {"type": "string"},
        "size": {"enum": [1, 2.50]}, "maybe": {"type": ["boolean", "null"]}, "ok": {"type": "boolean"}, "text": {"type": "string"}}}
      """#
    let prompt = try Prompt(schema: schema)
    let inputs = Inputs([
      ("n", "9007199254740993"), ("x", "-.10e-2"), ("nil", ""), ("size", "2.5"), ("maybe", "false"), ("left", ""),
    ])
    let verdicts = await Judge().verdicts(on: inputs, of: prompt.edition())
    #expect(verdicts.isValid)
    let json = Ended(.ok(verdicts.values(of: inputs))).json()
    #expect(
      String(decoding: json, as: UTF8.self)
        == #"{"outcome":"ok","values":{"n":9007199254740993,"x":-0.001,"nil":null,"size":2.5,"maybe":false,"ok":false,"text":""}}"#
    )
  }

  @Test(arguments: [
    #""exclusiveMinimum": 1.7976931348623157e308"#, #""exclusiveMaximum": -1.7976931348623157e308"#,
    #""minimum": 0.00000000000000000000000000000001e-308"#, #""multipleOf": 0.00000000000000000000000000000001e-308"#,
  ])
  func `with a bound that no double is within or near is refused`(bound: String) {
    #expect(faults(property(#"{"type": "number", \#(bound)}"#)).hasPrefix("/properties/a/"))
  }

  @Test func `and a definition are read or refused with any number in any place, and then read back`() throws {
    let keywords =
      SchemaReader.keywords(for: "number") + SchemaReader.keywords(for: "string") + ["default", "examples"]
    let schemas = ["number", "integer", "string"].flatMap { type in
      keywords.map { keyword in
        let value = keyword == "enum" || keyword == "examples" ? "[N]" : "N"
        return property(#"{"type": "\#(type)", "\#(keyword)": \#(value)}"#)
      }
    }
    let lists = ["minItems", "maxItems", "uniqueItems"].map {
      property(#"{"type": "array", "items": {"enum": ["a", "b"]}, "\#($0)": N}"#)
    }
    let rules = [
      "length: {min: N}", "length: {max: N}", "length: {min: N, max: N}", "count: {max: N}", "range: {min: N}",
      "range: {max: N}", "range: {min: N, max: N}", "step: N", "step: {of: N, from: 1}", "step: {of: 3, from: N}",
      "oneOf: [N]", "range: {max: now+Nd}", "pattern: 'a{N}'",
    ]
    let parts =
      rules.map { "rules: [\($0)]" } + ["value: N", "unit: N", "options: [N]", "options: [{value: N, title: N}]"]
    let definitions =
      ["number", "integer", "text", "choice"].flatMap { kind in
        parts.map { "title: T\nfields:\n  - {name: a, kind: \(kind), \($0)}\n" }
      }
      + ["0, max: N", "N, max: 9"].map { "title: T\nfields: [{name: a, kind: slider, rules: [range: {min: \($0)}]}]\n" }
    for extreme in Extremes.numbers {
      for (name, texts) in [("a.schema.json", schemas + lists), ("a.yaml", definitions)] {
        for text in texts {
          let text = text.replacing("N", with: extreme).replacing(
            #"{"type": "object""#, with: #"{"title": "T", "type": "object""#)
          guard let prompt = try? DefinitionFile(path: name, bytes: Array(text.utf8)).prompt.prompt else { continue }
          #expect(throws: Never.self, "\(text)") { try Definition.check(prompt) }
        }
      }
    }
  }

  @Test(arguments: [
    (
      #"{"const": true, "title": "Approve", "description": "Now"}, {"const": false, "title": "Reject"}"#,
      "Approve Reject"
    ),
    (#"{"const": false, "title": "Reject"}, {"const": true}"#, "Yes Reject"),
    (#"{"const": true, "title": "I agree"}"#, "I agree"),
  ])
  func `offers what it calls true and false, and chooses none`(constants: String, titles: String) throws {
    for keyword in ["oneOf", "anyOf"] {
      let schema = #"{"required": ["a"], "properties": {"a": {"type": "boolean", "\#(keyword)": [\#(constants)]}}}"#
      let field = try Prompt(schema: schema, title: "T").fields[0]
      #expect(field.kind == .choice)
      #expect(field.options.map(\.title).joined(separator: " ") == titles)
      #expect(field.value.isEmpty)
      #expect(field.options.first?.help == (titles == "Approve Reject" ? "Now" : nil))
    }
  }

  @Test func `keeps the titles of constants that an enum lists too`() throws {
    for rest in [#""enum": ["a", "b"], "oneOf": [C]"#, #""oneOf": [C], "enum": ["b", "a"]"#] {
      let constants = #"{"const": "a", "title": "Ant"}, {"const": "b", "title": "Bee", "description": "Flies"}"#
      let options = try Prompt(schema: property("{\(rest.replacing("C", with: constants))}"), title: "T").fields[0]
        .options
      #expect(options.map(\.title) == ["Ant", "Bee"])
      #expect(options.map(\.help) == [nil, "Flies"])
    }
  }

  @Test func `in a file is warned of texts that nobody sees`() throws {
    let schema = ##"""
      {"title": "T", "properties": {
        "a": {"oneOf": [{"const": "x", "title": "X"}, {"const": null, "title": "Nothing"}]},
        "b": {"type": "array", "items": {"title": "Item", "enum": ["y"]}, "description": "Shown"},
        "c": {"$ref": "#/$defs/C"}}, "$defs": {"C": {"title": "C", "description": "Shown", "type": "string"}}}
      """##
    let rest = "warning: nobody sees this; write it in the property or the constant that it is about, or remove it"
    #expect(try warnings(schema).map(\.asWarning) == ["2:74", "3:45"].map { "in/a.schema.json:\($0): \(rest)" })
  }

  @Test func `in a file is warned of values and titles that have no effect`() throws {
    let schema = ##"""
      {"title": "T", "examples": [{"a": "x"}],
        "default": {"a": "x"},
        "properties": {
        "a": {"enum": ["x", "y", null, "x"], "enumNames": ["X", "Y", "Nothing",
          "Again"]},
        "b": {"type": "boolean", "default": false, "examples": [true]},
        "c": {"type": "string", "default": null, "examples": []},
        "d": {"type": "string", "examples": ["x", "y"]},
        "e": {"type": "array", "default": ["x"], "items": {"enum": ["x"], "default": "x"}},
        "f": {"const": "x", "default": "x"}, "g": {"type": "integer", "example": 3}}}
      """##
    #expect(
      try warnings(schema).map { String("\($0)".split(separator: " ")[0].dropFirst("in/a.schema.json:".utf8.count)) }
        == ["1:28:", "4:64:", "5:5:", "6:58:", "9:80:"])
  }

  @Test func `describes options, and may say a unit`() throws {
    let size =
      #"{"oneOf": [{"const": "s", "title": "Small", "description": "Fits"}, {"const": "l", "description": ""}]}"#
    let options = try Prompt(schema: property(size), title: "T").fields[0].options
    #expect(options.map(\.value) == ["s", "l"])
    #expect(options.map(\.title) == ["Small", "l"])
    #expect(options.map(\.help) == ["Fits", nil])
    let weight = #"{"type": "number", "x-okcancel": {"unit": "kg"}}"#
    #expect(try Prompt(schema: property(weight), title: "T").fields[0].unit == "kg")
    #expect(
      faults(property(#"{"type": "string", "x-okcancel": {"unit": "kg"}}"#))
        == "/properties/a/x-okcancel/unit: a `text` field has no `unit`; remove it, or make the kind `number`")
  }
}

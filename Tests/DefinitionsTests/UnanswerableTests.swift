import TestSupport
import Testing

@testable import Prompts

/// What `FaultTests` has no room for: faults of rules that no answer meets, and values that no control can hold.
@Suite struct `A field that nobody can answer` {
  private func found(_ field: String) -> [String] {
    faults(of: "title: T\nfields:\n  - {name: a, \(field)}").map { String($0.split(separator: ": ", maxSplits: 1)[1]) }
  }

  @Test(
    arguments: cases(
      #"""
      rules: [pattern: '/^v[0-9]+$/i']
        → a pattern has no slashes around it and no flags behind it; write `^v[0-9]+$` and `ignoreCase: true`
      rules: [pattern: '/^a$/'] → a pattern has no slashes around it and no flags behind it; write `^a$`
      rules: [all: [pattern: 'a^b']]
        → no text matches this pattern; `^` only matches at the start and `$` at the end: remove the other, or write `\^` or `\$`
      rules: [pattern: 'a\bb'] → no text matches this pattern
      rules: [pattern: '(?:a$|b$)+c'] → no text matches this pattern
      rules: [pattern: 'a\nb']
        → this pattern wants a line break or another control character, and a `text` field has none; remove it, or make the kind `multiline`
      kind: multiline, rules: [pattern: '\x00']
        → this pattern wants a control character, and no text may have one; remove it
      kind: integer, rules: [range: {min: 1e34}]
        → an integer has at most 34 digits, so none is within the bound 1e34; change the bound
      rules: [integer, {range: {max: -1e40}}] → an integer has at most 34 digits, so none is within the bound -1e40
      kind: integer, rules: [{length: {max: 3}}, {range: {min: 1000}}] → no text has at least 4 and at most 3 characters
      kind: integer, rules: [{length: {max: 3}}, {range: {max: -100}}] → no text has at least 4 and at most 3 characters
      rules: [pattern: '[]'] → this pattern has a class with nothing in it, like `[]`; remove it
      rules: [pattern: 'a[^\s\S]'] → this pattern has a class with nothing in it
      kind: date, timeZone: UTC, rules: [range: {min: today+1d, max: today}]
        → `min` today+1d is greater than `max` today; swap them
      rules: [{length: {min: 5}}, {pattern: '[0-9]{4}'}]
        → no text has at least 5 and at most 4 characters, and these rules want both; change one of them
      rules: [{length: {max: 2}}, nonEmpty, {pattern: 'a{3,}'}] → no text has at least 3 and at most 2 characters
      rules: [length: {min: 16385}] → no text has at least 16385 and at most 16384 characters
      kind: email, rules: [length: {max: 2}] → no text has at least 3 and at most 2 characters
      kind: date, rules: [length: {max: 9}] → no text has at least 10 and at most 9 characters
      required: true, allow: [pattern: '[0-9]{0,3}'], rules: [length: {min: 4}]
        → no text has at least 4 and at most 3 characters
      kind: number, rules: [{range: {min: 5}}, {range: {max: 3}}]
        → nothing is at least 5 and at most 3, and these rules want both; change one of the bounds
      kind: date, rules: [{range: {min: 2025-02-01}}, {range: {max: 2025-01-31}}]
        → nothing is at least 2025-02-01 and at most 2025-01-31
      kind: number, rules: [{range: {min: 0.2, max: 0.8}}, {step: {of: 1}}]
        → no step of 1 from 0 is within 0.2 and 0.8; change the bounds or the step
      kind: integer, rules: [{range: {min: -0.9, max: -0.1}}] → no step of 1 from 0 is within -0.9 and -0.1
      kind: slider, rules: [{range: {min: 1, max: 2}}, {step: {of: 3, from: -3}}] → no step of 3 from -3 is within 1 and 2
      kind: choice, options: [a, b], rules: [not: {oneOf: [a, b]}]
        → no option meets all of these rules; change one of them, or add an option
      kind: choice, options: [a, b], optional: true, rules: [pattern: '[0-9]'] → no option meets all of these rules
      rules: [{oneOf: [a, b]}, {pattern: '[0-9]'}] → no option meets all of these rules
      kind: choices, options: [a, b], rules: [count: {min: 3}] → nobody can give 3 of at most 2 values; ask for less
      kind: choices, options: [a, b], rules: [nonEmpty, {count: {max: 0}}] → nobody can give 1 of at most 0 values
      kind: choices, options: [a, b], rules: [not: {oneOf: [a, b]}] → no option meets all of these rules
      kind: boolean, rules: [{oneOf: ['true']}, {oneOf: ['false']}]
        → neither true nor false meets these rules; remove one of them
      allow: [pattern: '\d{2}/\d{2}/\d{4}'] → `allow` refuses every first character, so nothing can be typed
      allow: [length: {min: 3}] → `allow` refuses every first character
      allow: [email] → `allow` refuses every first character
      kind: integer, allow: [{pattern: '[a-z]+'}, {pattern: '[0-9]+'}] → `allow` refuses every first character
      """#)
  )
  func `is refused`(field: String, fault: String) {
    let found = found(field)
    #expect(found.count == 1 && found[0].hasPrefix(fault), "\(field): \(found)")
  }

  @Test(arguments: [
    "rules: [pattern: '/[a-z]+/i']", "rules: [pattern: '^a$|^b$']", "rules: [pattern: '(?:^a)?b$']",
    #"rules: [pattern: 'a\b-\bb']"#,
    #"rules: [pattern: '(?:a|$)+']"#, #"kind: multiline, rules: [pattern: 'a\nb']"#,
    "rules: [{length: {min: 5}}, {pattern: '[0-9]{5}'}]", "rules: [length: {max: 0}]", "rules: [length: {min: 16384}]",
    "allow: [pattern: '[0-9]{0,3}'], rules: [any: [{length: {min: 4}}, {pattern: ''}]]",
    "kind: number, rules: [{range: {min: 3}}, {range: {max: 3}}]",
    "kind: number, rules: [{range: {min: 0.2, max: 0.8}}, {step: {of: 1, from: 0.5}}]",
    "kind: number, rules: [{range: {min: -1, max: -0.5}}, {step: 1}]",
    "kind: integer, rules: [number, {length: {max: 3}}, {range: {min: -99, max: 999}}]",
    "kind: number, rules: [{length: {max: 3}}, {range: {min: 1000}}]",
    "kind: integer, rules: [{range: {min: 1e30, max: 1e31}}]", "kind: number, rules: [range: {min: 1e34}]",
    "kind: integer, rules: [range: {min: 9999999999999999999999999999999999}]",
    "kind: dateTime, timeZone: Europe/Berlin, rules: [{range: {min: now}}, {range: {max: now+1d}}]",
    "rules: [number, {range: {min: 1}}]", "kind: choice, options: [a, b], rules: [not: {oneOf: [a]}]",
    "kind: choices, options: [a, b], rules: [{count: {min: 2, max: 2, unique: true}}]",
    "kind: boolean, rules: [oneOf: ['false']]", "rules: [{oneOf: [a, b]}, {predicate: mine}]",
    "rules: [any: [{pattern: '[]'}, {predicate: mine}]]", "rules: [not: {pattern: '[]'}]",
    "allow: [pattern: '[0-9]*']", "allow: [pattern: '[😀-😎]']", "allow: [oneOf: [é, ab]]",
    "allow: [length: {max: 3}]", "allow: [number]",
    "value: '31/12/2024', allow: [pattern: '[0-9]{2}/[0-9]{2}/[0-9]{4}']",
    "allow: [any: [{length: {min: 3}}, {pattern: 'x'}]]",
  ])
  func `is none if some answer meets its rules`(field: String) {
    #expect(found(field) == [])
  }

  @Test(
    arguments: cases(
      #"""
      {"type": "integer", "minimum": 5, "maximum": 3}
        → no integer meets both `minimum` 5 and `maximum` 3; change one of them
      {"type": "integer", "minimum": 1e34} → so none is within the bound 1e34
      {"type": "number", "exclusiveMinimum": 1, "maximum": 1} → no number meets both `exclusiveMinimum` 1 and `maximum` 1
      {"type": "integer", "minimum": 9223372036854775807, "exclusiveMaximum": 9223372036854775807}
        → no integer meets both `minimum` 9223372036854775807 and `exclusiveMaximum` 9223372036854775807
      {"type": "integer", "multipleOf": 7, "minimum": 1e16}
        → programs only agree on multiples up to 1000000000000000, and `minimum` is beyond that; change it, or leave `multipleOf` out
      {"type": "number", "multipleOf": 0} → `multipleOf` must be greater than 0
      {"type": "string", "title": 5} → `title` must be a string, not the number 5; put it in quotes: `"title": "5"`
      {"type": "string", "description": ["x"]} → `description` must be a string, not a list
      {"type": "string", "default": "a\nb"} → `default` has more than one line
      {"type": "string", "const": "a\nb"} → `const` has more than one line
      {"type": "string", "minLength": 20000} → no text has at least 20000 and at most 16384
      {"type": "string", "const": "b", "pattern": "^a"} → no option meets all of these rules
      {"enum": ["b", "c"], "maxLength": 0} → no option meets all of these rules
      {"type": "string", "pattern": "/^[0-9]{5}$/i"}
        → a pattern has no slashes around it and no flags behind it; write `^[0-9]{5}$`, with both cases of each letter, like `[Aa]`
      {"type": "string", "pattern": "/^[0-9]{5}$/"}
        → a pattern has no slashes around it and no flags behind it; write `^[0-9]{5}$`
      {"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 2}
        → no integer meets both `exclusiveMinimum` 1 and `exclusiveMaximum` 2
      {"type": "integer", "minimum": 1, "maximum": 4, "multipleOf": 5} → no step of 5 from 0 is within 1 and 4
      {"enum": ["a", "b"], "default": "c"} → there is no option `c`
      {"type": "string", "oneOf": [{"pattern": "^a"}, {"pattern": "^b"}]}
        → `oneOf` has several sets of rules, and a field has one
      """#)
  )
  func `is refused in a schema`(property: String, fault: String) {
    for required in ["", #", "required": ["a"]"#] {
      let found = faults(
        of: #"{"title": "T", "type": "object", "properties": {"a": \#(property)}\#(required)}"#, in: "a.schema.json")
      #expect(found.count == 1 && found[0].contains(fault), "\(found)")
    }
  }

  @Test(arguments: [
    (
      #"{"title": "T", "type": "object", "properties": {"a": {"type": "object", "additionalProperties": {}}}}"#,
      "write each of its values in `properties`"
    ),
    (
      #"{"title": "T", "type": "object", "additionalProperties": {"type": "string"}}"#,
      "`additionalProperties` names no properties"
    ),
    (
      #"{"title": "T", "type": "object", "properties": {"a": {"type": "string"}}, "minProperties": 1}"#,
      "list in `required` what must be there"
    ),
  ])
  func `has a remedy that can be followed`(schema: String, remedy: String) {
    let found = faults(of: schema, in: "a.schema.json")
    #expect(found.count == 1 && found[0].contains(remedy), "\(found)")
  }

  @Test(arguments: [
    ("9223372036854775807", "9223372036854775807"), ("1e23", "1" + String(repeating: "0", count: 23)),
  ])
  func `is none in a schema if its bounds are a number that no double holds`(bound: String, answer: String) throws {
    for type in ["integer", "number"] {
      let property = #"{"type": "\#(type)", "minimum": \#(bound), "maximum": \#(bound)}"#
      let prompt = try Prompt(schema: #"{"type": "object", "properties": {"a": \#(property)}}"#, title: "T")
      #expect(prompt.edition().isKnownToBeValid(holding: Inputs([("a", .text(answer))])))
    }
  }

  @Test func `is not made by what other form builders say, which is named`() throws {
    let file = try DefinitionFile(
      path: "a.schema.json",
      bytes: Array(
        #"""
        {"title": "T", "type": "object", "ui:order": ["a"], "properties": {
          "a": {"type": "string", "enum": ["c", "d", "e"], "enumNames": ["Cat", "Dog", " "], "ui:widget": "radio", "errorMessage": "x"},
          "b": {"type": "array", "items": {"enum": ["c"], "enumNames": ["Cat"]}, "propertyOrder": 1},
          "c": {"enum": ["c"], "enumNames": "Cat", "markdownDescription": "x"},
          "d": {"type": "boolean", "enum": [true, true], "order": 2}}}
        """#.utf8))
    #expect(file.prompt.prompt.fields[0].options.map(\.title) == ["Cat", "Dog", "e"])
    #expect(file.prompt.prompt.fields[1].options.map(\.title) == ["Cat"])
    #expect(
      file.warnings.map { "\($0)".split(separator: "`").enumerated().filter { $0.offset.isMultiple(of: 2) == false } }
        .map { $0.map { String($0.element) } }
        == [["ui:order", "ui:widget", "errorMessage", "propertyOrder", "enumNames", "order"]])
    #expect(file.prompt.prompt.edition().isKnownToBeValid(holding: nil))
  }
}

@Suite struct `An initial value` {
  private func found(_ field: String) -> [String] {
    faults(of: "title: T\nfields:\n  - {name: a, \(field)}").map { String($0.split(separator: ": ", maxSplits: 1)[1]) }
  }

  @Test(
    arguments: cases(
      #"""
      kind: slider, rules: [range: {min: 0, max: 10}], value: 15
        → the slider cannot stand at 15; write a number from 0 to 10, in steps of 1 from 0
      kind: slider, rules: [range: {min: 0, max: 10}], value: 2.5 → the slider cannot stand at 2.5
      kind: slider, rules: [{range: {min: 0, max: 10}}, {step: {of: 2}}], value: 3 → the slider cannot stand at 3
      kind: slider, rules: [{range: {min: 0, max: 10}}, {step: {of: 2, from: 1}}], value: 4 → the slider cannot stand at 4
      kind: slider, rules: [range: {min: 0, max: 10}], value: x → a `slider` field cannot hold `x`; write it like 3.5
      kind: slider, rules: [range: {min: 0, max: 1e17}], value: 9007199254740993
        → a `slider` field cannot hold `9007199254740993`
      kind: slider, value: 5 → a slider needs a scale
      kind: slider, rules: [range: {min: 1, max: 10}], value: ''
        → a slider cannot be empty; write a number from 1 to 10, or leave the value out
      kind: password, value: hunter2 → a `password` field cannot have an initial value; leave it out
      kind: date, value: 31.12.2024 → a `date` field cannot hold `31.12.2024`; write it like 2025-01-31
      kind: date, value: '2025-02-29' → a `date` field cannot hold
      kind: time, value: '25:00' → a `time` field cannot hold
      kind: dateTime, value: '2025-01-31' → a `dateTime` field cannot hold
      kind: dateTime, timeZone: Europe/Berlin, value: '2025-01-31T09:30[Europe/Paris]' → a `dateTime` field cannot hold
      kind: dateTime, timeZone: Europe/Berlin, value: '2026-10-25T02:30+01:00'
        → clocks show the local time of `2026-10-25T02:30+01:00` twice, and a page can only show the first; use another
      kind: dateTime, timeZone: Europe/Berlin, value: '2026-10-25T01:30Z' → clocks show the local time of
      kind: dateTime, timeZone: Europe/Berlin, value: '9999-12-31T23:30Z' → a `dateTime` field cannot hold
      kind: number, value: abc → a `number` field cannot hold `abc`; write it like 3.5
      kind: integer, value: '1,234' → an `integer` field cannot hold
      kind: choice, options: [a, b], value: zzz → there is no option `zzz`; use one of `a`, `b`
      kind: choices, options: [alpha, beta], value: [alpa] → there is no option `alpa`; did you mean `alpha`?
      kind: choices, options: [a, b], value: [a, a] → the option `a` is chosen twice; keep one
      value: "a\nb" → `value` has more than one line; write it on one line
      """#)
  )
  func `that no control can hold is refused`(field: String, fault: String) {
    let found = found(field)
    #expect(found.count == 1 && found[0].hasPrefix(fault), "\(field): \(found)")
  }

  @Test(arguments: [
    "kind: slider, rules: [range: {min: 0, max: 10}], value: 10",
    "kind: slider, rules: [range: {min: 0.5, max: 10}], value: 1.5",
    "kind: slider, rules: [{range: {min: 1}}, {range: {min: 0, max: 10}}], value: 5",
    "kind: slider, rules: [{range: {min: 0, max: 1}}, {step: 0.1}], value: '0,3'",
    "kind: slider, rules: [{range: {min: 0, max: 10}}, {step: {of: 2, from: 1}}], value: 5",
    "kind: number, value: '1,5'", "kind: integer, value: 1.5", "kind: number, value: '１２'",
    "kind: integer, rules: [range: {max: 3}], value: 5",
    "kind: date, value: ' 2025-01-31 '", "kind: dateTime, timeZone: person, value: '2025-01-31T09:30'",
    "kind: dateTime, timeZone: Europe/Berlin, value: '2026-03-29T02:30'",
    "kind: dateTime, timeZone: Europe/Berlin, value: '2026-10-25T02:30+02:00'",
    "kind: dateTime, timeZone: Europe/Berlin, value: '2026-10-25T00:30Z'",
    "kind: dateTime, timeZone: person, value: '2026-10-25T01:30Z'",
    "kind: dateTime, timeZone: Asia/Kolkata, value: '2025-01-31T09:30[Asia/Calcutta]'",
    "kind: email, value: nobody", "kind: choices, options: [a, b], value: [b, a]",
    "kind: choice, options: [a, b], value: ''", "kind: date, value: ''",
    "rules: [number], value: abc", #"kind: multiline, value: "a\nb""#,
  ])
  func `that only breaks a rule is shown`(field: String) { #expect(found(field) == []) }

  @Test func `of an ask is held to the same, at its own place`() throws {
    let prompt = Prompt(
      title: "T",
      fields: [
        Field("s", kind: .slider, rules: [.range(min: 0, max: 10)]), Field("t"), Field("m", kind: .multiline),
        Field("b", kind: .boolean), Field("n", kind: .integer),
      ])
    func said(_ json: String) throws -> [String] {
      var reading = Reading()
      _ = Inputs(initial: Node(try JSON(parsing: Array(json.utf8))), of: prompt.fields, &reading)
      return reading.faults.map(\.description)
    }
    #expect(try said(#"{"s": 5.0, "t": "a", "m": "a\r\nb", "b": true, "n": 1e3}"#) == [])
    #expect(try said(#"{"s": null, "t": "", "b": null}"#) == [])
    #expect(try said(#"{"s": ""}"#).count == 1)
    #expect(
      try said(#"{"s": "15", "t": "a\nb", "m": "\u0000", "b": "maybe"}"#).map { String($0.prefix(24)) }
        == [
          "/s: the slider cannot st", "/t: `t` has more than on", "/m: `m` contains the con",
          "/b: `b` must be true or ",
        ])
    #expect(try said(#"{"t": "\ud800"}"#).count == 1)
  }
}

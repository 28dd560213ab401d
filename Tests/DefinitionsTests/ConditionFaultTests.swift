import TestSupport
import Testing

@testable import Prompts

/// Exact sentences, each with line and column; `when` stands at line 9.
@Suite struct `A condition with a fault` {
  private let head = """
    title: T
    fields:
      - {name: kind, kind: choice, options: [person, company]}
      - {name: many, kind: choices, options: [a, b]}
      - {name: on, kind: boolean}
      - {name: code}
      - {name: at, kind: dateTime, timeZone: UTC}
      - name: own

    """

  @Test(arguments: [
    "{field: kind, oneOf: [company]}", "[{field: kind, oneOf: [company]}, {field: many, oneOf: [a]}]",
    "{field: on, oneOf: [true]}", "{field: code, nonEmpty: true, message: Only with a code}",
    "{field: code, not: {oneOf: [x]}, message: Not x}", "{field: kind, rules: [{rule: oneOf, values: [company]}]}",
    "{field: code, rules: [{length: {max: 200}}, {pattern: '.+@.+'}], message: Only then}",
    "{field: code, pattern: '[a-z]+', message: Only then}", "{field: many, count: {min: 2}, message: Only then}",
    "{field: kind, oneOf: ['']}", "{field: at, nonEmpty: true, message: Only with a time}",
  ])
  func `has none if it is like this`(when: String) {
    #expect(faults(of: head + "    when: \(when)") == [])
  }

  @Test(
    arguments: cases(
      #"""
      [] → 11: `when` has no conditions; list at least one, or remove it
      company → 11: a condition must be a map, not a string; write it like `when: {field: kind, oneOf: [company]}`
      {oneOf: [a]} → 11: a condition needs `field`; write it like `when: {field: kind, oneOf: [company]}`
      {field: kind} → 11: this condition has no rule; write it like `when: {field: kind, oneOf: [company]}`
      {field: code, nonEmpty: true, length: {max: 3}}
        → 25: this condition has more than one rule; make each an element of a list, with its own `field`, or use `all`
      {field: kidn, oneOf: [company]} → 11: `when` names no field of this prompt: `kidn`; did you mean `kind`?
      {field: own, oneOf: [company]} → 11: `when` names its own field `own`; name another field
      {field: kind, oneof: [company]} → 25: a condition has no key `oneof`; did you mean `oneOf`?
      {field: kind, oneOf: [compny]} → 11: `kind` never has the value `compny`; did you mean `company`?
      {field: on, oneOf: ['yes']} → 11: `on` never has the value `yes`; use one of `true`, `false`
      {field: at, range: {min: 2026-01-01T00:00}, message: m}
        → 11: `when` cannot look at a moment in a time zone: a browser must know at once what applies; use `nonEmpty`, or ask something else of another field
      {field: code, range: {min: now}, message: m}
        → 11: `when` cannot depend on the time: a browser must know at once what applies; write a fixed bound, or another rule
      {field: code, predicate: integer, message: m}
        → 11: `predicate` cannot stand in `when`: a browser must know at once what applies; use `oneOf` or another rule
      {field: code, any: [nonEmpty, {sameAs: kind}], message: m}
        → 11: `sameAs` cannot stand in `when`, which looks at one field; use `oneOf` or another rule
      {field: code, compare: {field: kind, is: less}, message: m}
        → 11: `compare` cannot stand in `when`, which looks at one field; use `oneOf` or another rule
      {field: code, pattern: '.+@.+@.+', message: m}
        → 11: the server decides this pattern, and a browser must know at once what applies; put a length before it, like `all: [{length: {max: 200}}, {pattern: ...}]`
      {field: code, not: {pattern: '\p{L}'}, message: m}
        → 11: the server decides this pattern, and a browser must know at once what applies; use a simpler pattern without `\p{…}`, or `oneOf`
      {field: code, length: {min: 2}}
        → 11: this condition needs a `message`, for pages without JavaScript, which show every field; say when the field applies, like `message: Only for adults`
      {field: code, rules: [{nonEmpty: true, message: n}], message: m}
        → 11: nobody sees the `message` of this `nonEmpty`; write `message` beside `field`
      {field: many, email: true, message: m}
        → 11: `email` checks one string, but a `choices` field holds a list; use `nonEmpty` or `count` here
      """#)
  )
  func `says what and where`(when: String, fault: String) {
    #expect(faults(of: head + "    when: \(when)") == ["test.yaml:9:" + fault])
  }

  @Test func `is found where fields wait for each other`() {
    let text = """
      title: T
      fields:
        - {name: a, when: {field: b, oneOf: [x]}}
        - {name: b, when: {field: c, oneOf: [x]}}
        - {name: c, when: [{field: d, oneOf: [x]}, {field: a, oneOf: [x]}]}
        - {name: d, when: {field: e, oneOf: [x]}}
        - {name: e, when: {field: d, oneOf: [x]}}
      """
    #expect(
      faults(of: text) == [
        "test.yaml:3:21: these fields apply only if each other does: `a` → `b` → `c` → `a`; remove one of these conditions",
        "test.yaml:6:21: these fields apply only if each other does: `d` → `e` → `d`; remove one of these conditions",
      ])
  }

  @Test(arguments: [
    ("{title: A, role: action, name: a, when: {field: kind, oneOf: [x]}}", nil as String?),
    (
      "{title: A, role: action, name: a, when: {field: knd, oneOf: [x]}}",
      "3:51: `when` names no field of this prompt: `knd`; did you mean `kind`?"
    ),
    (
      "{title: A, role: cancel, when: {field: kind, oneOf: [x]}}",
      "3:42: `when` is for buttons of role `action`; remove it: this button is always there"
    ),
  ])
  func `says so of a button too`(button: String, fault: String?) {
    let found = faults(of: "title: T\nfields: [{name: kind}]\nbuttons: [\(button), {title: B, role: ok}]")
    #expect(found == (fault.map { ["test.yaml:" + $0] } ?? []))
  }
}

@Suite struct `A section` {
  @Test func `is a heading above the fields after it, and no field`() throws {
    let fields = (0..<50).map { "  - {name: f\($0)}" }
    let text =
      "title: T\nfields:\n"
      + (fields.prefix(1) + ["  - {section: More, help: Why}"] + fields.dropFirst()).joined(separator: "\n")
    #expect(faults(of: text) == [])
    let prompt = try DefinitionFile(path: "test.yaml", bytes: Array(text.utf8)).prompt.prompt
    #expect(prompt.fields.map(\.section).prefix(3) == [nil, "More", nil])
    #expect(prompt.fields.map(\.sectionHelp).prefix(3) == [nil, "Why", nil])
  }

  @Test(
    arguments: cases(
      #"""
      - {name: a}⏎  - section: More → 4:5: this section has no fields; put some after it, or remove it
      - section: A⏎  - section: B⏎  - {name: a} → 3:5: this section has no fields; put some after it, or remove it
      - section: ''⏎  - {name: a} → 3:14: `section` is blank; write what a person should read there
      - {section: A, help: 1}⏎  - {name: a}
        → 3:24: `help` must be a string, not the number 1; put it in quotes: `help: "1"`
      - {section: A, name: b}⏎  - {name: a}
        → 3:18: `section` is a heading between fields, not a key of one; make it an element of its own: `- section: ...`, and the field the next
      """#)
  )
  func `with a fault says what and where`(lines: String, fault: String) {
    #expect(faults(of: "title: T\nfields:\n  \(lines)") == ["test.yaml:" + fault])
  }
}

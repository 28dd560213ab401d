import ServedFields
import TestSupport
import Testing

@testable import Prompts

/// Exact sentences, each with line and column.
@Suite struct `A definition with a fault` {
  @Test func `is refused with all its faults at once, in the order of the file`() throws {
    let text = """
      titel: Your Email
      fields:
        - name: 1email
          kind: emial
          optional: yes
        - name: again
          rules:
            - sameAs: emai
            - length: {max: 20, max: 30}
            - pattern: '(?=a)b'
      """
    let found = faults(of: text)
    #expect(
      found == [
        "test.yaml:1:1: a prompt has no key `titel`; did you mean `title`?",
        "test.yaml:1:1: a prompt needs `title`; write what the dialog asks: `title: ...`",
        "test.yaml:3:11: `1email` cannot name a field; begin with a letter, then up to 63 letters, digits and `_`",
        "test.yaml:4:11: `kind` cannot be `emial`; did you mean `email`?",
        "test.yaml:5:15: `optional` must be true or false, not a string; write `optional: true` or `optional: false`",
        "test.yaml:8:9: `sameAs` names no field of this prompt: `emai`; did you mean `1email`?",
        "test.yaml:9:27: the key `max` appears twice; keep one",
        "test.yaml:10:18: in this pattern, column 1: look-around `(?=` does not run in linear time; split it into two rules; `not` negates one",
      ])
  }

  @Test(
    arguments: cases(
      #"""
      - a → 1:1: a prompt must be a map, not a list; a prompt begins with `title: ...`
      title: '' → 1:8: `title` is blank; write what a person should read there
      title: "\u00A0" → 1:8: `title` is blank; write what a person should read there
      title: → 1:7: `title` is empty; write a string there
      title: 12 → 1:8: `title` must be a string, not the number 12; put it in quotes: `title: "12"`
      title: true → 1:8: `title` must be a string, not true; put it in quotes: `title: "true"`
      title: |⏎  a⏎  b → 1:8: `title` has more than one line; write it on one line
      title: "a\eb" → 1:8: `title` contains the control character U+001B; remove it
      title: T⏎title: U → 2:1: the key `title` appears twice; keep one
      title: T⏎okWhenInvalid: off → 2:16: `okWhenInvalid` cannot be `off`; use one of `explains`, `disabled`
      title: T⏎cancel: true → 2:9: `cancel` must be a string, a map or false, not true; remove it, or write its title
      title: T⏎ok: false → 2:5: `ok` must be a string, not false; write the button's title, like `ok: Submit`
      title: T⏎fields: {name: a}
        → 2:9: `fields` must be a list, not a map; begin each field with its name, like `- name: email`
      title: T⏎fields: [a]
        → 2:10: a field must be a map, not a string; begin each field with its name, like `- name: email`
      title: T⏎buttons: [a] → 2:11: a button must be a map, not a string; write it like `{title: OK, role: ok}`
      title: T⏎translations: {de: a}
        → 2:20: a translation must be a map, not a string; write the texts that it translates, or remove it
      title: T⏎resultWithin: 600
        → 2:15: `resultWithin` must be a string, not the number 600; write a whole number and s, m, h or d, like `resultWithin: 600s`; 366 days are the most
      title: T⏎resultWithin: "600"
        → 2:15: `resultWithin` cannot be “600”; write a whole number and s, m, h or d, like `resultWithin: 600s`; 366 days are the most
      title: T⏎remindBefore: 99999999
        → 2:15: `remindBefore` must be a string, not the number 99999999; write a whole number and s, m, h or d, like `remindBefore: 1h`; 366 days are the most
      title: T⏎remindBefore: [1]
        → 2:15: `remindBefore` must be a string, not a list; write a whole number and s, m, h or d, like `remindBefore: 1h`; 366 days are the most
      title: T⏎resultWithin:
        → 2:14: `resultWithin` is empty; write a whole number and s, m, h or d, like `resultWithin: 1h`; 366 days are the most
      title: T⏎language: 5
        → 2:11: `language` must be a string, not the number 5; write a language tag like `de` or `pt-BR`
      title: T⏎for: [5]
        → 2:7: `for` must be a string, not the number 5; write who it is, like `for: [ada@example.com, group:release]`
      title: T⏎notify: [5]
        → 2:10: `notify` must be a string, not the number 5; write names that --channel has, like `notify: [ops]`, or `for`
      title: T⏎fields: [{name: 5}]
        → 2:17: `name` must be a string, not the number 5; write the name that a program gets, like `name: email`
      title: T⏎fields: [{name: a, at: 5}]
        → 2:24: `at` must be a string, not the number 5; write the names that lead to it, each after a slash, like `/address/city`
      title: T⏎context: [{link: 5}]
        → 2:18: `link` must be a string, not the number 5; write it in full, like https://example.com/42
      title: T⏎for: [ada, bob]⏎notBy: [ADA, group:x, bob]
        → 2:6: `notBy` excludes everybody in `for`, so nobody can answer; name somebody else in `for`, or shorten `notBy`
      """#)
  )
  func `names what the prompt has wrong`(text: String, fault: String) throws {
    let found = faults(of: text)
    #expect(found == ["test.yaml:" + fault])
  }

  @Test(
    arguments: cases(
      #"""
      [] → 2:10: `buttons` is empty; list at least `{title: OK, role: ok}`
      [{role: action, name: a}] → 2:11: a button needs `title`; write it like `title: OK`
      [{title: A}] → 2:11: a button needs `role`; write it like `role: ok`
      [{title: A, role: okay}] → 2:28: `role` cannot be `okay`; use one of `ok`, `cancel`, `action`
      [{title: A, role: action}] → 2:11: an action needs `name`; write the name that a program gets, like `name: forgot`
      [{title: A, role: action, name: 1}] → 2:42: `name` must be a string, not the number 1; write the name that a program gets, like `name: forgot`
      [{title: A, role: action, name: a b}]
        → 2:42: `a b` cannot name an action; begin with a letter, then up to 63 letters, digits, `-` and `_`
      [{title: A, role: action, name: x}, {title: B, role: action, name: x}]
        → 2:77: two actions are named `x`; give each a name of its own
      [{title: A, role: cancel, name: x}]
        → 2:42: `name` is for buttons of role `action`; remove it, or make the role `action`
      [{title: A, role: ok, validates: false}]
        → 2:43: `validates` is for buttons of role `action`; remove it: OK always validates
      [{title: A, role: ok, color: red}]
        → 2:32: a button has no key `color`; use one of `title`, `role`, `name`, `validates`, `destructive`, `reason`, `when`
      [{title: A, role: ok}]⏎ok: B → 3:1: `ok` and `buttons` both say which buttons there are; keep one of them
      [{title: A, role: cancel}]⏎fields: [{name: a}]
        → 2:10: no button answers with the fields' values; add one like `{title: OK, role: ok}`
      """#)
  )
  func `names what a button has wrong`(buttons: String, fault: String) throws {
    let found = faults(of: "title: T\nbuttons: " + buttons)
    #expect(found == ["test.yaml:" + fault])
  }

  @Test func `may have 2,000 options in all, and one that is kept had more`() throws {
    func definition(_ counts: Int...) -> String {
      "title: T\nfields:\n"
        + counts.enumerated().map { index, count in
          "  - {name: f\(index), kind: choice, options: [\((0..<count).map(String.init).joined(separator: ", "))]}\n"
        }.joined()
    }
    #expect(faults(of: definition(1_000, 999, 1)) == [])
    let many = definition(1_000, 999, 2)
    #expect(
      faults(of: many) == [
        "test.yaml:3:3: the fields of a prompt can have 2000 options in all, not 2001; list fewer, or ask twice"
      ])
    let options = (0..<1_000).map { Field.Option("\($0)") }
    let prompt = Prompt(title: "T", fields: ["a", "b", "c"].map { Field($0, kind: .choices, options: options) })
    #expect(throws: InlineFaults.self) { try Definition.check(prompt) }
    let kept = try JSON(parsing: Array(prompt.definition.utf8), limits: .kept)
    #expect(try Definition.prompt(from: kept, Reading(isKept: true)).fields.count == 3)
  }

  @Test func `may have only actions if there are no fields`() throws {
    #expect(faults(of: "title: T\nbuttons: [{title: A, role: action, name: a}, {title: C, role: cancel}]") == [])
  }

  /// Each line stands at line 3, column 15.
  @Test(
    arguments: cases(
      #"""
      kind: integer, options: [a]
        → 3:39: an `integer` field offers no options; make the kind `choice` or `choices`, or use the rule `oneOf`
      kind: dateTime, timeZone: Europe/Berln
        → 3:41: there is no time zone `Europe/Berln`; write a name of the IANA database, like `Europe/Berlin`, or `person` for the zone of the person who answers
      kind: dateTime, timeZone: ../../etc/passwd
        → 3:41: there is no time zone `../../etc/passwd`; write a name of the IANA database, like `Europe/Berlin`, or `person` for the zone of the person who answers
      kind: time, timeZone: UTC
        → 3:37: a time of day has no offset from UTC, which depends on the date; make the kind `dateTime`, or remove `timeZone`
      timeZone: UTC → 3:25: a `text` field has no time zone; remove `timeZone`, or make the kind `dateTime`
      kind: date, timeZone: UTC, rules: [range: {min: 2025-01-01}]
        → 3:37: `timeZone` says which day is `today`, but no rule of this field uses `today`; remove it, or add a rule like `- range: {min: today}`
      kind: dateTime, rules: [range: {min: now}]
        → 3:39: `now` depends on the time zone, and this field has none; add `timeZone: Europe/Berlin` or another to the field, or `timeZone: person` for that of the person who answers
      kind: date, timeZone: UTC, rules: [range: {min: now}]
        → 3:50: `now` is a time of day too, and this field is a date; write `today`, or make the kind `dateTime`
      kind: time, rules: [range: {min: now}]
        → 3:35: a time of day alone is neither before nor after `now`; make the kind `dateTime`
      kind: dateTime, timeZone: UTC, rules: [range: {min: now+999999999999999d}]
        → 3:67: `min` `now+999999999999999d` is not a time relative to now; write `now` or `today`, and perhaps + or - and a number of m, h, d or w, like `now+30d`; `today` only goes with d and w; both go up to 100 years
      kind: dateTime, timeZone: UTC, rules: [range: {min: today+1h}]
        → 3:67: `min` `today+1h` is not a time relative to now; write `now` or `today`, and perhaps + or - and a number of m, h, d or w, like `now+30d`; `today` only goes with d and w; both go up to 100 years
      kind: dateTime, timeZone: UTC, rules: [range: {min: now+2h, max: now+1h}]
        → 3:61: `min` now+2h is greater than `max` now+1h; swap them
      kind: dateTime, timeZone: UTC, rules: [range: {min: today+1w, max: now+5d}]
        → 3:61: `min` today+1w is greater than `max` now+5d; swap them
      kind: dateTime, rules: [range: {min: '2025-01-01T00:00+01:00'}]
        → 3:39: a bound has an offset from UTC, and this field has no time zone; remove the offset, or add `timeZone` to the field
      kind: dateTime, timeZone: UTC, rules: [dateTime: {timeZone: person}]
        → 3:54: `dateTime` is in the time zone `person`, and its field in `UTC`; remove `timeZone` from the rule
      kind: choice → 3:5: a `choice` field needs `options`; list them like `options: [small, large]`
      options: [x] → 3:24: a `text` field offers no options; make the kind `choice` or `choices`, or use the rule `oneOf`
      kind: choice, options: [] → 3:38: `options` is empty; list at least one
      kind: choice, options: [x, y, x] → 3:45: two options have the value `x`; remove one, or give it a value of its own
      kind: choice, options: ['']
        → 3:39: the value of an option is empty; remove the option and make the field `optional: true`
      kind: choice, options: [{title: X}] → 3:39: an option needs `value`; write what a program gets, like `value: small`
      kind: choice, options: [~] → 3:39: `options` is empty; write a string there
      kind: slider → 3:5: a slider needs a scale; add a rule with both ends, like `- range: {min: 0, max: 10}`
      kind: slider, rules: [range: {min: 1}]
        → 3:5: a slider needs a scale; add a rule with both ends, like `- range: {min: 0, max: 10}`
      required: true, optional: true
        → 3:15: a field cannot be both `required` and `optional`; keep `required: true` to ask for a value, or `optional: true` to let it be left empty
      kind: slider, range: {min: 1, max: 2}, rules: [range: {min: 1, max: 2}]
        → 3:29: a field has no key `range`; write it as a rule, like `rules: [{range: ...}]`
      kind: url, international: true → 3:41: a `url` field has no `international`; remove it, or make the kind `email`
      rules: [oneOf: [a, "b\0"]]
        → 3:23: no text is equal to the value “b�” of `oneOf`: it has a control character; correct the value, or remove it
      rules: [oneOf: ["b\nc"]]
        → 3:23: no text is equal to the value “b�c” of `oneOf`: it has a line feed, and a `text` field has one line; correct the value, or remove it
      kind: multiline, rules: [any: [{oneOf: ["b\nc", "b\rc"]}, email]]
        → 3:40: no text is equal to the value “b�c” of `oneOf`: it has a carriage return, which becomes a line feed; correct the value, or remove it
      kind: tel, rules: [oneOf: [' a']]
        → 3:34: no text is equal to the value “ a” of `oneOf`: it has white space at an end, which `trim` drops; correct the value, or remove it
      kind: choice, trim: true, options: [' a', b]
        → 3:50: no text is equal to the value “ a” of `options`: it has white space at an end, which `trim` drops; correct the value, or remove it
      kind: choices, options: [x], value: x
        → 3:51: `value` must be a list, not a string; write it in brackets: `value: [...]`
      kind: boolean, value: 'yes'
        → 3:37: `value` must be true or false, not a string; write `value: true` or `value: false`
      value: 7 → 3:22: `value` must be a string, not the number 7; put it in quotes: `value: "7"`
      value: "a\nb" → 3:22: `value` has more than one line; write it on one line
      kind: choices, options: [x], rules: [email]
        → 3:52: `email` checks one string, but a `choices` field holds a list; use `nonEmpty` or `count` here
      rules: [{count: {min: 1}}]
        → 3:23: `count` counts chosen options, but this field is a `text`; use `length`, or make the field's kind `choices` or `list`
      kind: list, rules: [email]
        → 3:35: `email` checks one string, but a `list` field holds a list; write it in `items`
      kind: list, items: [{count: {min: 1}}]
        → 3:34: `count` does not check a single item; write one like `length: {max: 20}`
      rules: [{items: [email]}]
        → 3:23: `items` checks each item of a list, but this field is a `text`; make the field's kind `list`, or write the rules in `rules`
      kind: list, value: ["a\nb"] → 3:34: `value` has more than one line; write it on one line
      rules: [{sameAs: a}] → 3:23: `sameAs` names its own field `a`; name another field
      rules: [{sameAs: b}] → 3:23: `sameAs` names no field of this prompt: `b`; add the field, or remove the rule
      kind: date, rules: [{range: {min: 1}}]
        → 3:35: the bounds of `range` are not of the kind `date`; write bounds that a `date` field can hold
      allow: [{predicate: not-taken}]
        → 3:23: the rule `predicate` is decided by the server, but `allow` must decide at every keystroke; move it to `rules`
      allow: [{pattern: '.*,.*'}]
        → 3:23: the rule `pattern` is decided by the server, but `allow` must decide at every keystroke; put a rule like `length: {max: 200}` before it, or move it to `rules`
      allow: [{pattern: '\p{L}*'}]
        → 3:23: the rule `pattern` is decided by the server, but `allow` must decide at every keystroke; move it to `rules`
      kind: boolean, allow: [nonEmpty]
        → 3:38: `allow` filters typing, and nothing is typed into a `boolean` field; move the rule to `rules`
      kind: date, unit: kg → 3:27: a `date` field has no `unit`; remove it, or make the kind `number`
      kind: slider, unit: abcdefghijklmnopq, rules: [range: {min: 1, max: 2}] → 3:35: `unit` has 17 characters; keep to 16
      kind: number, unit: ' ' → 3:35: `unit` is blank; write what a person should read there
      kind: choice, options: [{value: a, hint: x}]
        → 3:50: an option has no key `hint`; use one of `value`, `title`, `help`
      kind: boolean, keyboard: numeric → 3:30: a `boolean` field has no `keyboard`; remove it
      kind: slider, placeholder: x, rules: [range: {min: 1, max: 2}]
        → 3:42: a `slider` field has no place for a placeholder; write it as `help`, or remove it
      autocomplete: emial → 3:29: `autocomplete` cannot be `emial`; did you mean `email`?
      autocomplete: mobile postal-code → 3:29: `autocomplete` cannot be `mobile postal-code`; did you mean `postal-code`?
      enterKey: enter → 3:25: `enterKey` cannot be `enter`; use one of `next`, `done`, `go`, `send`, `search`
      validate: [whileEditing, whileEditing] → 3:40: `validate` lists `whileEditing` twice; keep one
      validate: whileEditing → 3:25: `validate` must be a list, not a string; write it in brackets: `validate: [...]`
      enterKey: ~ → 3:25: `enterKey` is empty; use one of `next`, `done`, `go`, `send`, `search`
      label: '' → 3:22: `label` is blank; write what a person should read there
      spellcheck: on
        → 3:27: `spellcheck` must be true or false, not a string; write `spellcheck: true` or `spellcheck: false`
      """#) + [
        (
          "rules: [oneOf: [\(String(repeating: "a", count: 16_385))]]",
          "3:23: no text is equal to the value “\(String(repeating: "a", count: 40))” of `oneOf`: it has more than 16384 bytes; correct the value, or remove it"
        ),
        (
          "rules: [{pattern: '\\A[a-z]\\z'}]",
          "3:33: in this pattern, column 1: `\\A` is not needed, since the whole text is matched anyway; leave it out\n3:33: in this pattern, column 8: `\\z` is not needed, since the whole text is matched anyway; leave it out"
        ),
      ]
  )
  func `names what a field has wrong`(line: String, fault: String) throws {
    let found = faults(of: "title: T\nfields:\n  - {name: a, \(line)}")
    #expect(found == fault.split(separator: "\n").map { "test.yaml:" + $0 })
  }
}

import TestSupport
import Testing

@testable import Prompts

@Suite struct `A rule` {
  @Test func `judges by itself`() throws {
    #expect(try Rule.pattern(#".+@.+\..+"#).isValid("bob@gmail") == false)
    #expect(try Rule.pattern(#".+@.+\..+"#).isValid("bob@gmail.com"))
    #expect(Rule.none.isValid(""))
    #expect(!Rule.nonEmpty.isValid(""))
    #expect(Rule.nonEmpty.isValid("\u{301}"))
    #expect(!Rule.sameAs("x").isValid(""))
    #expect(Rule.length(max: 1).isValid("\u{1F600}"))
  }

  @Test func `has bounds that are written in the program, or read from a text that may be none`() throws {
    #expect(Rule.range(min: 0, max: 0.5).isValid("0.50"))
    #expect(!Rule.range(min: 0, max: 0.5).isValid("-1"))
    #expect(try Rule.range(min: Quantity(String("2025-01-31"))).isValid("2025-02-01"))
    #expect(Rule.step(of: 0.1).isValid("0.3"))
    let fault = #expect(throws: PlainError.self) { try Quantity(String("ten")) }
    #expect(
      fault?.description
        == "“ten” is neither a number nor a date nor a time; write it like 10, 2025-01-31, 09:30, 2025-01-31T09:30 or now+30d"
    )
  }

  /// Written in any way, it is the same rule.
  @Test(arguments: [
    #""nonEmpty""#, #"{"nonEmpty":true}"#, #"{"rule":"nonEmpty"}"#, #"{"rule":"nonEmpty","decidedBy":"server"}"#,
  ])
  func `may be a bare word, a map or flat`(json: String) throws {
    #expect(try read(json).rule?.name == "nonEmpty")
  }

  @Test(
    arguments: cases(
      #"""
      1 → : a rule must be a name or a map, not the number 1; write it like `- nonEmpty` or `- length: {max: 20}`
      "emial" → : there is no rule `emial`; did you mean `email`?
      "length" → : the rule `length` needs arguments; write it like `length: {min: ...}`
      "pattern" → : the rule `pattern` needs arguments; write it like `pattern: ...`
      {"message":"m"} → : this map names no rule; name one, like `nonEmpty: true`
      {"emial":true} → /emial: there is no rule `emial`; did you mean `email`?
      {"email":true,"url":true} → /url: one rule names both `email` and `url`; make each an element of the list
      {"length":{"min":1},"max":2}
        → /max: `max` is an argument of `length` and belongs inside it; write `length: {min: ..., max: ...}`
      {"url":false} → /url: `url` takes no arguments; write `url: true`, or remove the rule
      {"email":false} → /email: the rule `email` must be a map, not false; write `email: true`, or remove the rule
      {"email":{"international":"yes"}}
        → /email/international: `international` must be true or false, not a string; write `international: true` or `international: false`
      {"email":true,"international":true}
        → /international: `international` is an argument of `email` and belongs inside it; write `email: {international: ...}`
      {"email":true,"mesage":"m"} → /mesage: a rule has no key `mesage`; did you mean `message`?
      {"email":true,"message":" "} → /message: `message` is blank; say what to do, or remove it
      {"email":true,"message":"a\u001b"} → /message: `message` contains a control character; remove it
      {"length":{}} → /length: `length` needs `min`, `max` or both; write it like `length: {min: 1, max: 20}`
      {"length":{"min":2,"max":1}} → /length: `min` 2 is greater than `max` 1; swap them
      {"length":{"min":1.5}}
        → /length/min: `min` must be a whole number from 0 to 9007199254740991, not `1.5`; write it like `min: 3`
      {"length":5} → /length: the rule `length` must be a map, not the number 5; write it like `length: {min: ...}`
      {"range":{"min":"x"}}
        → /range/min: `min` `x` is neither a number nor a date nor a time; write it like 10, 2025-01-31, 09:30 or 2025-01-31T09:30
      {"range":{"min":1,"max":"09:30"}}
        → /range: `min` 1 and `max` 09:30 cannot be compared; make both numbers, both dates, both times or both dates with times
      {"range":{"min":"2025-02-01","max":"2025-01-01"}}
        → /range: `min` 2025-02-01 is greater than `max` 2025-01-01; swap them
      {"step":0} → /step: a step must be greater than 0; write it like `step: {of: 0.5}`
      {"step":{"of":"x"}} → /step/of: `of` `x` is not a number; write it like 1, 0.5 or 1e3
      {"oneOf":[]} → /oneOf: `oneOf` has nothing to choose from; list at least one value
      {"all":[]} → /all: `all` has no rules; list at least one
      {"any":["emial"]} → /any/0: there is no rule `emial`; did you mean `email`?
      {"not":{"length":{}}} → /not/length: `length` needs `min`, `max` or both; write it like `length: {min: 1, max: 20}`
      {"compare":{"field":"b","is":"les"}} → /compare/is: `is` cannot be `les`; did you mean `less`?
      {"compare":{"is":"less"}}
        → /compare: `compare` needs the name of a field; write it like `compare: {field: start, is: greater}`
      {"predicate":1} → /predicate: `predicate` must be a string, not the number 1; put it in quotes: `predicate: "1"`
      {"rule":"emial"} → /rule: there is no rule `emial`; did you mean `email`?
      {"rule":"email","decidedBy":"me"}
        → /decidedBy: `decidedBy` cannot be `me`; remove it: the server finds out who decides
      {"rule":"length","mn":1}
        → /mn: the rule `length` has no key `mn`; did you mean `min`?⏎: `length` needs `min`, `max` or both; write it like `length: {min: 1, max: 20}`
      """#)
  )
  func `with a fault is refused`(json: String, fault: String) throws {
    let (rule, faults) = try read(json)
    #expect(faults.map { "\($0.place.pointer): \($0.sentence)" }.joined(separator: "\n") == fault)
    // A fault beside the condition leaves a rule, so that what it says of fields is judged too.
    #expect(rule == nil || ["decidedBy", "mesage", #""message":"#].contains { json.contains($0) })
  }

  private func read(_ text: String) throws -> (rule: Rule?, faults: [Fault]) {
    var reading = Reading()
    let rule = Rule(Node(try JSON(parsing: Array(text.utf8))), &reading)
    return (rule, reading.faults)
  }
}

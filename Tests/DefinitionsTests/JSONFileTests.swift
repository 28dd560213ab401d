import TestSupport
import Testing

@testable import Prompts

@Suite struct `A JSON definition` {
  @Test(
    arguments: cases(
      #"""
      {"title":"T","mesage":"M"} → 1:14: a prompt has no key `mesage`; did you mean `message`?
      {"title": "T",}
        → 1:15: found “}” where a key in double quotes was expected; write it here, or remove the comma before the bracket
      {"title": 'T'} → 1:11: found “'” where a value was expected; write it here
      {"title": "T" → 1:14: the text ends too early; close every string, array and object
      {"title": "T", "fields": [1]}
        → 1:27: a field must be an object, not the number 1; begin each field with its name, like `{"name": "email"}`
      {"title": "T", "resultWithin": 600}
        → 1:32: `resultWithin` must be a string, not the number 600; write a whole number and s, m, h or d, like `"resultWithin": "600s"`; 366 days are the most
      {"title": "T", "fields": [{"name": "a", "kind": "slider"}]}
        → 1:27: a slider needs a scale; add a rule with both ends, like `{"range": {"min": 0, "max": 10}}`
      {"title": "T", "fields": {}}
        → 1:26: `fields` must be a list, not an object; begin each field with its name, like `{"name": "email"}`
      {"title": "T", "fields": [{"name": "a", "regex": "a"}]}
        → 1:41: a field has no key `regex`; write it as a rule, like `"rules": [{"pattern": "[a-z]+"}]`
      {"title": "\ud800"}
        → 1:11: `title` must be a string, not a string with half a surrogate pair; write it like `"title": "..."`
      title: T
        → 1:1: this is not JSON; begin it with `{`, and put keys and strings in double quotes; a file in YAML has a name that ends in `.yaml`
      "title": "T" → 1:8: there is more after the end of the value; send one value
      {"title": "T"} x → 1:16: there is more after the end of the value; send one value
      {⏎  "title": "T",⏎  "title": "U"⏎} → 3:3: the key `title` appears twice; keep one
      """#) + [
        (
          "{\r\n\"title\": \"é👩‍👩‍👧\", \"ok\": 1}",
          "2:26: `ok` must be a string, not the number 1; put it in quotes: `\"ok\": \"1\"`"
        ),
        ("", "1:1: there is no JSON here; send a value"),
        ("\u{FEFF}{}", "1:1: the file begins with a byte order mark; save it as UTF-8 without one"),
      ]
  )
  func `is refused with a place and a remedy`(text: String, fault: String) throws {
    let found = faults(of: text, in: "test.json")
    #expect(found == ["test.json:" + fault])
  }

  @Test func `of a megabyte on one line is read in no time`() throws {
    let options = (0..<1000).map { "{\"value\":\"\($0)\",\"title\":\"\(String(repeating: "é", count: 190))\"}" }
    let field = "{\"name\":\"a\",\"kind\":\"choice\",\"options\":[\(options.joined(separator: ","))]}"
    let text = "{\"title\":\"T\",\"fields\":[\(field)]}"
    let time = ContinuousClock().measure {
      let found = faults(of: text, in: "test.json")
      #expect(found == [])
    }
    #expect(time < .seconds(10))
  }

  /// Or the work would grow with the square of a definition that anybody with a token sends.
  @Test func `with too many fields compares as many as there may be`() throws {
    let fields = (1...60).map { #"{"name":"a","kind":"\#($0 == 60 ? "emial" : "text")"}"# }
    let found = faults(of: #"{"title":"T","fields":[\#(fields.joined(separator: ","))]}"#, in: "test.json")
    #expect(found.count { $0.contains("two fields are named `a`") } == 49)
    #expect(found.count { $0.contains("not 60;") } == 1)
    // What is wrong with a field by itself is said of all.
    #expect(found.count { $0.contains("did you mean `email`") } == 1)
    #expect(found.count == 51)
  }

  @Test func `that is no file has its faults at JSON Pointers`() throws {
    let json: JSON = try JSON(
      parsing: Array(
        """
        {"title":"T","a/b~c":1,"fields":[{"name":"a","rules":["nonEmpty",{"rule":"lenght","min":1}]},
        {"name":"a","kind":"choice","options":["x",{"value":"x"}]}]}
        """.utf8))
    let error = #expect(throws: InlineFaults.self) { try Definition.prompt(from: json) }
    #expect(
      error?.description.split(separator: "\n") == [
        "/a~1b~0c: a prompt has no key `a/b~c`; use one of `title`, `message`, `context`, `fields`, `ok`, `cancel`, `buttons`, `okWhenInvalid`, `language`, `translations`, `for`, `notBy`, `notify`, `remindBefore`, `resultWithin`, `objects`",
        "/fields/0/rules/1/rule: there is no rule `lenght`; did you mean `length`?",
        "/fields/1/options/1: two options have the value `x`; remove one, or give it a value of its own",
        "/fields/1/name: two fields are named `a`; give each a name of its own",
      ])
  }

  @Test func `may write rules as they are served`() throws {
    let json: JSON = try JSON(
      parsing: Array(
        #"{"title":"T","fields":[{"name":"a","rules":[{"rule":"range","min":"0","max":"2147483646","message":"m"},{"rule":"predicate","name":"x","decidedBy":"server"}]}]}"#
          .utf8))
    let prompt = try Definition.prompt(from: json)
    #expect(prompt.fields[0].rules.map(\.name) == ["range", "predicate"])
  }
}

@Suite struct `A prompt made in Swift` {
  @Test func `asks only predicates that are registered`() throws {
    let prompt = Prompt(title: "T", fields: [Field("a", rules: [.predicate("integer"), .not(.predicate("evn"))])])
    let predicates = Predicates(["even": .init { _ in true }])
    #expect(
      prompt.faults(knowing: predicates).map(\.description) == [
        "/fields/0: the predicate `evn` is not registered; did you mean `even`? Otherwise register it with --predicate evn=PROGRAM, or in Swift"
      ])
    #expect(
      prompt.faults(knowing: .builtInOnly).map(\.description) == [
        "/fields/0: the predicate `evn` is not registered; register it with --predicate evn=PROGRAM, or in Swift"
      ])
    #expect(Prompt(title: "T").faults(knowing: predicates).isEmpty)
  }
}

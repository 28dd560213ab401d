import ServedFields
import Testing

@testable import Prompts

@Suite struct `A field` {
  @Test(arguments: [
    ("email", "Email"), ("firstName", "First name"), ("first_name", "First name"), ("dateOfBirth", "Date of birth"),
    ("URL", "URL"), ("line2", "Line2"), ("line2Text", "Line2 text"), ("a", "A"), ("userID", "User ID"),
    ("apiURLPath", "Api URL path"), ("HTMLText", "HTML text"), ("X_Y", "X Y"), ("planB", "Plan b"), ("a__b_", "A  b "),
  ])
  func `is labelled with its name in words`(name: String, label: String) {
    #expect(Field(name).label == label)
  }

  @Test(arguments: [
    ("a", true), ("A1_b", true), ("", false), ("1a", false), ("_a", false), ("a-b", false), ("é", false),
    ("a b", false),
    (String(repeating: "a", count: 64), true), (String(repeating: "a", count: 65), false), ("a\n", false),
  ])
  func `has a name of letters, digits and underscores`(name: String, isName: Bool) {
    #expect(Field.isName(name) == isName)
  }

  @Test(
    arguments: [
      (Field.Kind.email, [Rule](), ["email"]),
      (.email, [.nonEmpty, .length(max: 9)], ["nonEmpty", "email", "length"]),
      (.email, [.notBlank, .nonEmpty], ["notBlank", "nonEmpty", "email"]),
      (.email, [.length(max: 9), .email], ["length", "email"]),
      (.integer, [.length(max: 9), .nonEmpty], ["integer", "length", "nonEmpty"]), (.slider, [], ["number"]),
      (.number, [.integer], ["number", "integer"]), (.url, [], ["url"]), (.date, [], ["date"]), (.time, [], ["time"]),
      (.dateTime, [], ["dateTime"]), (.choice, [], ["oneOf"]), (.choices, [.nonEmpty], ["nonEmpty", "oneOf"]),
      (.list, [], ["count"]), (.list, [.nonEmpty, .count(max: 5), .items([.email])], ["nonEmpty", "count", "items"]),
      (.list, [.items([.email]), .count(max: 5)], ["count", "items", "count"]),
      (.text, [], []), (.multiline, [], []), (.tel, [], []), (.password, [], []), (.search, [], []), (.boolean, [], []),
    ] as [(Field.Kind, [Rule], [String])])
  func `has its kind's own rule after the leading nonEmpty`(kind: Field.Kind, written: [Rule], names: [String]) {
    #expect(Field("a", kind: kind, rules: written).rules.map(\.name) == names)
  }
}

@Suite struct `A required field` {
  @Test(
    arguments: [
      (Field.Kind.text, [Rule.length(max: 9)], ["notBlank", "length"]), (.email, [], ["notBlank", "email"]),
      (.text, [.length(max: 9), .nonEmpty], ["length", "nonEmpty"]), (.text, [.notBlank], ["notBlank"]),
      (.password, [], ["notBlank"]), (.slider, [], ["nonEmpty", "number"]),
      (.choice, [], ["nonEmpty", "oneOf"]), (.choices, [], ["nonEmpty", "oneOf"]), (.boolean, [], ["oneOf"]),
      (.list, [], ["nonEmpty", "count"]), (.boolean, [.oneOf(["true"])], ["oneOf"]),
    ] as [(Field.Kind, [Rule], [String])])
  func `begins with notBlank or nonEmpty unless one is written`(kind: Field.Kind, written: [Rule], names: [String]) {
    #expect(Field("a", kind: kind, rules: written) { $0.required = true }.rules.map(\.name) == names)
  }

  @Test func `lists the rule as any other, and a boolean must be on`() {
    let fields = [Field("a") { $0.required = true }, Field("b", kind: .boolean) { $0.required = true }]
    let rules = Prompt(title: "T", fields: fields).servedRules
    #expect(rules.contains(#""rules":[{"rule":"notBlank","message":"Enter a value"}]"#))
    #expect(rules.contains(#""rules":[{"rule":"oneOf","values":["true"],"message":"Turn this on"}]"#))
    #expect(fields[1].rules.map { $0.isValid("false") } == [false])
  }
}

@Suite struct `An international email field` {
  @Test(arguments: [[], [Rule.email], [Rule.nonEmpty, .email.saying("m")]])
  func `takes domains outside ASCII, however its rule is written`(rules: [Rule]) throws {
    let field = Field("a", kind: .email, rules: rules) { $0.international = true }
    let email = try #require(field.rules.last)
    #expect(email.isValid("info@bücher.de"))
    #expect(email.message == rules.last?.message)
    #expect(!Field("a", kind: .email, rules: rules).rules.allSatisfy { $0.isValid("info@bücher.de") })
    let served = Prompt(title: "T", fields: [field]).servedRules
    #expect(served.contains(#"{"rule":"email","international":true,"message":"#))
  }

  @Test func `answers as typed`() {
    let prompt = Prompt(title: "T", fields: [Field("a", kind: .email) { $0.international = true }])
    let values = Inputs([("a", " info@bu\u{308}cher.de ")]).values(for: prompt)
    #expect(Array((values["a"]?.text ?? "").utf8) == Array("info@bu\u{308}cher.de".utf8))
  }
}

@Suite struct `The rules JSON` {
  @Test func `is, for the email prompt, byte for byte this`() throws {
    let prompt = Prompt(
      title: "Your Email",
      fields: [
        Field(
          "email", kind: .email,
          rules: [
            Rule.nonEmpty.saying("Enter your email address"),
            try Rule.pattern(#".+@.+\..+"#).saying("That does not look like an email address"),
            Rule.predicate("not-taken").saying("…"),
          ])
      ])
    var json = JSONWriter()
    prompt.edition().writeRules(to: &json, name: "email", version: "3f9c")
    #expect(
      json.text == #"{"prompt":"email","version":"3f9c","language":"en","fields":["#
        + #"{"name":"email","kind":"email","optional":false,"trim":true,"validate":["afterEditing"],"allow":[],"#
        + #""rules":[{"rule":"nonEmpty","message":"Enter your email address"},"#
        + #"{"rule":"email","message":"Enter an email address, like name@example.com"},"#
        + #"{"rule":"pattern","pattern":".+@.+\\..+","message":"That does not look like an email address"},"#
        + #"{"rule":"predicate","name":"not-taken","message":"…","decidedBy":"server"}]}],"#
        + #""messages":{"text":"Remove the control characters from this text","line":"Write this on one line","#
        + #""width":"Use half-width characters","#
        + #""tooLong":{"one":"Shorten this by {n} character","other":"Shorten this by {n} characters"}}}"#
    )
  }

  @Test(arguments: [
    (Rule.length(min: 1, max: 20), #""length","min":1,"max":20,"message":"Enter 1 to 20 characters""#),
    (
      .range(min: 0, max: 2_147_483_646),
      #""range","min":"0","max":"2147483646","message":"Enter a number from 0 to 2147483646""#
    ),
    (.step(of: 0.1, from: 0), #""step","of":"0.1","from":"0","message":"Enter a multiple of 0.1""#),
    (.oneOf(["a", "b"]), #""oneOf","values":["a","b"],"message":"Enter one of: a, b""#),
    (.sameAs("other"), #""sameAs","field":"other","message":"Must match “Other one”""#),
    (
      .compare(.less, than: "other"),
      #""compare","field":"other","is":"less","message":"Enter a number less than “Other one”""#
    ),
    (
      Rule.all([.nonEmpty, Rule.email.saying("e")]).saying("m"),
      #""all","rules":[{"rule":"nonEmpty","message":"m"},{"rule":"email","message":"e"}],"message":"m""#
    ),
    (
      .not(.none),
      #""not","rules":[{"rule":"none","message":"Enter a value"}],"message":"Enter a different value; this one is not allowed""#
    ),
    (.predicate("integer"), #""predicate","name":"integer","message":"Enter a whole number, like 42""#),
  ])
  func `has a rule flat, with its message`(rule: Rule, json: String) {
    let prompt = Prompt(title: "T", fields: [Field("a", rules: [rule]), Field("other", label: "Other one")])
    let text = #""rules":[{"rule":\#(json)}]},{"name":"other""#
    #expect(prompt.servedRules.contains(text), "\(prompt.servedRules)")
  }
}

@Suite struct `Who decides about a pattern` {
  private static func served(_ field: Field) -> String { Prompt(title: "T", fields: [field]).servedRules }

  private static let pattern = try! Rule.pattern(".*,.*")

  @Test(arguments: [
    Field("a", rules: [.length(max: 200), pattern]), Field("a", rules: [.nonEmpty, .length(max: 200), pattern]),
    Field("a", rules: [pattern]) { $0.allow = [.length(max: 200)] },
    Field("a") { $0.allow = [.length(max: 200), pattern] },
    Field("a", rules: [.all([.length(max: 200), pattern])]), Field("a", rules: [.all([.length(max: 200)]), pattern]),
    Field("a", rules: [.not(.all([.length(max: 200), pattern]))]), Field("a", rules: [.date, pattern]),
    Field("a", rules: [.oneOf(["a", "b"]), pattern]), Field("a", rules: [try! .pattern("[^]{0,200}"), pattern]),
    Field("a", rules: [.length(max: 200), .any([.integer, pattern])]),
    Field("a", kind: .email, rules: [try! .pattern(#".+@.+\..+"#)]),
  ])
  func `is the browser where the rules before it keep the text short or simple`(field: Field) {
    #expect(!Self.served(field).contains("decidedBy"))
    #expect(field.decidedBy == .everywhere)
  }

  @Test(arguments: [
    Field("a", rules: [pattern]), Field("a", rules: [pattern, .length(max: 200)]),
    Field("a", rules: [.any([.length(max: 200), pattern])]), Field("a", rules: [.any([.length(max: 200)]), pattern]),
    Field("a", rules: [.not(.length(max: 200)), pattern]), Field("a") { $0.allow = [pattern, .length(max: 200)] },
    Field("a", rules: [.length(min: 3), pattern]), Field("a", kind: .multiline, rules: [pattern]),
    Field("a", rules: [try! .pattern(#".+@.+\..+"#), .email]),
  ])
  func `is otherwise the server`(field: Field) {
    let json = Self.served(field)
    #expect(json.contains(#""decidedBy":"server""#))
    #expect(field.decidedBy == .server)
  }
}

import Foundation
import ServedFields
import Testing

@testable import Prompts

@Suite struct `Values` {
  @Test(arguments: [
    (Field.Kind.integer, "7", "7"), (.integer, "-0", "0"), (.integer, "007", "7"),
    (.integer, "9007199254740992", "9007199254740992"), (.integer, "9007199254740993", #""9007199254740993""#),
    (.number, "0.1", "0.1"), (.number, "1e3", "1000"), (.number, ".5", "0.5"), (.number, "1.50", "1.5"),
    (.number, "0.1000000000000000055511151231257827", #""0.1000000000000000055511151231257827""#),
    (.number, "1e308", "1e+308"), (.number, "9e308", #""9e308""#), (.number, "1e-308", "1e-308"), (.slider, "5", "5"),
    (.number, "1,50", "1.5"), (.integer, "+１２", "12"), (.number, "٣٫٥", "3.5"), (.slider, "5,", "5"),
    (.text, "1,5", #""1,5""#),
    (.boolean, "true", "true"), (.boolean, "false", "false"), (.text, "7", #""7""#), (.text, "", #""""#),
    (.multiline, "a\r\nb", #""a\nb""#), (.date, "2025-01-31", #""2025-01-31""#), (.choice, "x", #""x""#),
  ])
  func `leave typed`(kind: Field.Kind, text: String, json: String) {
    let prompt = Prompt(title: "T", fields: [Field("a", kind: kind)])
    #expect(written(Inputs([("a", .text(text))]), prompt) == #"{"a":\#(json)}"#)
  }

  @Test func `of empty optional fields are null, and lists stay lists`() {
    let prompt = Prompt(
      title: "T",
      fields: [
        Field("a", kind: .integer, optional: true), Field("b", kind: .choices, options: [.init("x"), .init("y")]),
        Field("c", kind: .choices, optional: true, options: [.init("x")]), Field("d") { $0.trim = true },
        Field("e", kind: .boolean),
      ])
    let inputs = Inputs([("a", ""), ("b", .choices(["y", "x"])), ("d", " z ")])
    #expect(written(inputs, prompt) == #"{"a":null,"b":["y","x"],"c":null,"d":"z","e":false}"#)
    let values = inputs.values(for: prompt)
    #expect(values["b"]?.description == "y\nx")
    #expect(values["a"]?.description == "")
    #expect(values["nowhere"] == nil)
  }

  @Test func `are read as what the program expects`() {
    let prompt = Prompt(
      title: "T",
      fields: [
        Field("n", kind: .integer), Field("big", kind: .integer), Field("half", kind: .number), Field("t"),
        Field("yes", kind: .boolean), Field("any", kind: .choices, options: [.init("x")]),
        Field("none", optional: true),
      ])
    let inputs = Inputs([
      ("n", "7"), ("big", "9007199254740993"), ("half", "0.50"), ("t", "a"), ("yes", "true"), ("any", .choices(["x"])),
    ])
    let values = inputs.values(for: prompt)
    let read = values.entries.map { entry in
      let value = entry.value
      let parts: [Any?] = [value.text, value.integer, value.double, value.bool, value.list]
      return parts.map { $0.map { "\($0)" } ?? "-" }.joined(separator: " ")
    }
    #expect(
      read == [
        "7 7 7.0 - -", "9007199254740993 9007199254740993 9007199254740992.0 - -", "0.5 - 0.5 - -", "a - - - -",
        "- - - true -", #"- - - - ["x"]"#, "- - - - -",
      ])
  }

  @Test(arguments: ["7", "-0.5", "1e+16", "1e-300", "9007199254740993", "1234567890123456789012345678901234"])
  func `are coded as numbers, exactly`(literal: String) throws {
    let value = Value.number(literal)
    let encoded = try JSONEncoder().encode([value, .null, .boolean(true), .text("7"), .choices(["a"])])
    #expect(
      try JSONDecoder().decode([Value].self, from: encoded) == [
        value, .null, .boolean(true), .text("7"), .choices(["a"]),
      ])
    #expect(try JSONDecoder().decode(Value.self, from: Data(literal.utf8)) == value)
  }

  @Test func `are equal in any order, numbers however they are written`() throws {
    let values: Prompts.Values = ["a": Value.number("1.50"), "b": Value.text("x")]
    #expect(values == ["b": Value.text("x"), "a": Value.number("15e-1")])
    #expect(values != ["a": Value.number("1.5")])
    #expect(values != ["a": Value.text("1.50"), "b": Value.text("x")])
    #expect(Value.text("e\u{301}") != .text("é"))
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(Value.number("0.12345678901234567890")) }
    for json in [#"{"outcome":"yes"}"#, #"{"outcome":"action"}"#, #"{}"#] {
      #expect(throws: DecodingError.self) { try JSONDecoder().decode(Outcome.self, from: Data(json.utf8)) }
    }
  }

  /// Programs read `19e308` as infinite, or refuse it.
  @Test(arguments: [
    (Field("a", kind: .number), "19e308", nil), (Field("a", kind: .number), "-1.8e308", nil),
    (Field("a", kind: .number), "17e307", "1.7e308"),
    (Field("a", kind: .number, rules: .range(max: "2e308")), "1.9e308", nil),
    (Field("a", kind: .list, rules: .items([.number])), "1\n19e308", nil),
    (Field("a", kind: .list, rules: .items([.integer])), "1\n9007199254740993", "[1,9007199254740993]"),
  ])
  func `that are always numbers are numbers that programs can read`(field: Field, text: String, json: String?) throws {
    var (field, reading) = (field, Reading())
    field.answer.type = .number
    field.setRules(field.writtenRules)
    let inputs = Inputs(Node(["a": .string(text)]), of: [field], &reading)
    let prompt = Prompt(title: "T", fields: [field])
    let verdicts = try #require(Judge().judge(inputs, of: prompt.edition()).verdicts)
    #expect(verdicts.isValid == (json != nil))
    if let json {
      #expect(written(inputs, prompt) == #"{"a":\#(json)}"#)
    } else {
      guard case .invalid("range", _)? = verdicts["a"] else { Issue.record("\(verdicts)"); return }
    }
  }

  @Test func `of several types are strings if no double holds the number`() {
    let prompt = Prompt(
      title: "T", fields: [Field("a", rules: .any([.number, .none])) { $0.answer.types = [.number, .string] }])
    #expect(written(Inputs([("a", "19e308")]), prompt) == #"{"a":"19e308"}"#)
    #expect(written(Inputs([("a", "17e307")]), prompt) == #"{"a":1.7e308}"#)
  }

  private func written(_ inputs: Inputs, _ prompt: Prompt) -> String {
    var json = JSONWriter()
    json.value(inputs.values(for: prompt))
    return json.text
  }
}

extension Inputs {
  /// The values of valid inputs.
  func values(for prompt: Prompt) -> Prompts.Values {
    Judge().judge(self, of: prompt.edition()).verdicts?.values(of: self) ?? Prompts.Values([])
  }
}

import Foundation
import Testing

@testable import Prompts

@Suite struct `What a program writes` {
  @Test(arguments: [("ada lovelace", "Enter it without spaces"), ("ada", nil)])
  func `A predicate without a name says at once what is wrong`(text: String, message: String?) {
    let rule = Rule.predicate { $0.contains(" ") ? .invalid("Enter it without spaces") : .valid }
    #expect(rule.verdict(on: text).message == message)
    #expect([Rule.nonEmpty, rule].verdict(on: .text(text)).message == message)
  }

  @Test func `A predicate of true and false needs no name`() {
    let rule = Rule.predicate { Int($0)?.isMultiple(of: 2) ?? false }.saying("Enter an even number")
    #expect(rule.isValid("4"))
    #expect(rule.verdict(on: "5").message == "Enter an even number")
  }

  @Test func `A predicate that waits is asked by the prompt, and cannot be by the rule alone`() async {
    let rule = Rule.predicate { text in
      await Task.yield()
      return text == "free" ? .valid : .invalid("Choose another name")
    }
    #expect(!rule.isValid("free"))
    let prompt = Prompt(title: "T", fields: [Field("name", rules: [rule])])
    #expect(await prompt.verdicts(on: ["name": "free"]).isValid)
    #expect(await prompt.verdicts(on: ["name": "taken"]).message == "Choose another name")
  }

  @Test func `Values, options and bounds are literals`() async {
    let prompt = Prompt(
      title: "T", translations: ["de": Translation(title: "Titel", ok: "Senden")],
      fields: [
        Field("size", kind: .choice, value: "small", options: ["small", "large"]),
        Field("count", kind: .integer, value: 3, rules: [.range(1...5)]),
        Field("colours", kind: .choices, value: ["red"], options: ["red", "blue"]),
        Field("sure", kind: .boolean, value: true),
      ])
    let verdicts = await prompt.verdicts(
      on: ["size": "large", "count": 6, "colours": ["blue", "red"], "sure": false])
    #expect(verdicts.entries.filter { !$0.verdict.isValid }.map(\.field) == ["count"])
    #expect(prompt.field("size")?.options.map(\.title) == ["small", "large"])
    #expect(prompt.edition(in: Language("de")).prompt.buttons.map(\.title) == ["Abbrechen", "Senden"])
  }

  @Test func `Values of a test are written like a dictionary`() {
    let values: Prompts.Values = ["a": "x", "b": 1, "c": 0.5, "d": true, "e": ["f", "g"], "h": nil]
    #expect(values["a"] == .text("x"))
    #expect(values["b"]?.integer == 1)
    #expect(values["c"]?.double == 0.5)
    #expect(values["d"]?.bool == true)
    #expect(values["e"]?.list == ["f", "g"])
    #expect(values["h"] == .null)
    #expect(Prompts.Values(["b": 1, "a": "x"]).entries.map(\.name) == ["a", "b"])
  }
}

@Suite struct `An answer as a type of one's own` {
  private struct Order: Decodable, Equatable {
    enum Size: String, Decodable { case small, large }
    let size: Size
    let quantity: Int
    let weight: Double?
    let isGift: Bool
    let extras: [String]
    let counts: [Int]?
    let note: String?
  }

  @Test func `has the fields' names`() throws {
    let values: Prompts.Values = [
      "size": "large", "quantity": 3, "weight": 0.1, "isGift": true, "extras": ["card"], "counts": [1, 2], "note": nil,
    ]
    #expect(
      try values.decode(Order.self)
        == Order(size: .large, quantity: 3, weight: 0.1, isGift: true, extras: ["card"], counts: [1, 2], note: nil))
    #expect(throws: DecodingError.self) { try (["size": "huge"] as Prompts.Values).decode(Order.self) }
  }

  @Test func `has numbers that no double holds, and that JSON therefore has as texts`() throws {
    struct Numbers: Decodable, Equatable { let id, text: String?; let big: Int; let inner: [String: [Int]] }
    let values: Prompts.Values = [
      "text": "007", "big": Value.text("9007199254740993"),
      "inner": ["a": Value.list([1, .text("9007199254740995")])] as Prompts.Values,
    ]
    #expect(
      try values.decode()
        == Numbers(id: nil, text: "007", big: 9_007_199_254_740_993, inner: ["a": [1, 9_007_199_254_740_995]]))
    #expect(throws: DecodingError.self) { try (["big": "x", "inner": nil] as Prompts.Values).decode(Numbers.self) }
  }

  @Test func `has moments as dates if they have an offset`() throws {
    let values: Prompts.Values = ["at": "2025-01-31T09:30:00+01:00"]
    #expect(try values.decode([String: Date].self)["at"] == Date(timeIntervalSince1970: 1_738_312_200))
    #expect(throws: DecodingError.self) {
      try (["at": "2025-01-31T09:30"] as Prompts.Values).decode([String: Date].self)
    }
  }

  @Test(arguments: [
    (0.1, "0.1"), (5.0, "5"), (1e21, "1000000000000000000000"), (-0.5, "-0.5"), (1e-7, "0.0000001"),
    (Double.leastNonzeroMagnitude, nil), (.infinity, nil), (.nan, nil),
  ]) func `A double is the decimal that Swift prints`(double: Double, literal: String?) {
    if let literal { #expect(double.asValue.description == literal) }
    #expect(double.isFinite == Rule.number.verdict(on: double).isValid)
    if double.isFinite {
      #expect(Rule.range(double...).verdict(on: double).isValid && Rule.range(...double).verdict(on: double).isValid)
    }
  }

  @Test func `A field judges by itself`() {
    #expect(Field("n", kind: .integer, rules: .range(1...5)).verdict(on: 9).message == "Enter a number from 1 to 5")
    #expect(Field("n", kind: .integer, optional: true).verdict(on: " ").isValid)
    #expect(!Field("n", required: true).verdict(on: "").isValid)
    let free = Rule.predicate { (_: String) async -> Bool in true }
    #expect(
      Field("n", rules: free).verdict(on: "x")
        == .invalid(rule: "predicate", message: "This could not be checked; try again in a moment"))
  }
}

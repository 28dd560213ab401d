import Prompts
import Testing

@Suite struct `What a program writes` {
  @Test(arguments: [("ada lovelace", "Enter it without spaces"), ("ada", nil)])
  func `A predicate without a name says at once what is wrong`(text: String, message: String?) {
    let rule = Rule.predicate { $0.contains(" ") ? .invalid("Enter it without spaces") : .valid }
    #expect(rule.verdict(on: .text(text)).message == message)
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
    #expect(values["c"]?.number == 0.5)
    #expect(values["d"]?.boolean == true)
    #expect(values["e"]?.choices == ["f", "g"])
    #expect(values["h"] == .null)
    #expect(Prompts.Values(["b": 1, "a": "x"]).entries.map(\.name) == ["a", "b"])
  }
}

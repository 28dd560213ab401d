import Testing

@testable import Prompts

@Suite struct `A predicate that reads other fields` {
  private static let rooms = Prompt(
    title: "Room",
    translations: ["de": Translation(title: "Raum")],
    fields: [
      Field("guests", kind: .integer),
      Field("kind", kind: .choice, value: "indoor", options: ["indoor", "outdoor"]),
      Field(
        "room",
        rules: [
          .nonEmpty,
          .predicate(reading: ["guests"]) { room, values in
            room == "small" && values["guests"]?.integer ?? 0 > 10 ? .invalid("Choose a larger room") : .valid
          },
        ], when: [.field("kind", is: .oneOf(["indoor"]))]),
      Field(
        "tent", optional: true,
        rules: [
          .predicate(reading: ["room", "kind"]) { tent, values in
            await Task.yield()
            return values["room"] == "" && values["kind"] == "outdoor" && values["guests"] == nil
              ? .valid : .invalid("\(tent), \(values)")
          }
        ]),
      Field("weather", rules: [.predicate(reading: ["kind"]) { ($0 == "rain") == ($1["kind"] == "indoor") }]),
    ])

  @Test(
    arguments: [
      (["guests": 8, "room": "small", "weather": "rain"], nil, "weather"),
      (["guests": 12, "room": "small", "weather": "rain"], "Choose a larger room", "room"),
      (["guests": "many", "room": "small", "weather": "rain"], nil, "room"),
      (
        ["kind": "indoor", "guests": 1, "room": "hall", "weather": "sun"],
        "Enter a different value; this one was not accepted", "weather"
      ),
      (["kind": "outdoor", "guests": 1, "room": "hall", "tent": "red", "weather": "sun"], nil, "tent"),
    ] as [([String: Value], String?, String)])
  func `gets the values of those fields, typed`(inputs: [String: Value], message: String?, field: String) async {
    let inputs = inputs.merging(["kind": "indoor"]) { one, _ in one }
    #expect(await Self.rooms.verdicts(on: Prompts.Values(inputs))[field]?.message == message)
  }

  @Test func `cannot judge without a dialog`() {
    let rule = Rule.predicate(reading: ["a"]) { _, _ in true }
    #expect(rule.verdict(on: "x").message == "This could not be checked; try again in a moment")
  }

  @Test func `Verdicts speak the language asked for, and hold typed values once all are valid`() async {
    let valid: [String: Value] = ["guests": 8, "kind": "indoor", "room": "hall", "weather": "rain"]
    let verdicts = await Self.rooms.verdicts(on: Prompts.Values(valid))
    #expect(
      verdicts.values
        == ["guests": 8, "kind": "indoor", "room": "hall", "tent": nil, "weather": "rain"])
    let german = await Self.rooms.verdicts(on: Prompts.Values(valid.merging(["guests": "x"]) { $1 }), language: "de")
    #expect(german.values == nil)
    #expect(german.message == "Geben Sie eine ganze Zahl ein, zum Beispiel 42")
    #expect(Rule.integer.verdict(on: "x", language: "de").message == german.message)
    #expect([Rule.integer].verdict(on: "x").message == "Enter a whole number, like 42")
  }
}

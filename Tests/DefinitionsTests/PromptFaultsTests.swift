import Testing

@testable import Prompts

@Suite struct `A prompt made in Swift, without a server` {
  @Test(
    arguments: [
      (Prompt(title: "T", fields: [Field("a")]), []),
      (Prompt(title: " "), ["/title"]),
      (Prompt(title: "T", fields: [Field("a"), Field("a")]), ["/fields/1/name"]),
      (Prompt(title: "T", fields: [Field("a", rules: [.sameAs("b")])]), ["/fields/0/rules/0"]),
      (Prompt(title: "T", buttons: []), ["/buttons"]), (Prompt(title: "T", buttons: [.init(nil, role: .cancel)]), []),
      (Prompt(title: "T", buttons: [.init(nil, role: .cancel)], fields: [Field("a")]), ["/buttons"]),
      (
        Prompt(
          title: "T",
          fields: [
            Field("a", rules: [.predicate(reading: ["b"]) { _, _ in true }]), Field("b"),
            Field("c", rules: [.predicate(reading: ["b", "c"]) { _, _ in true }]),
            Field("d", rules: [.predicate(reading: ["e"]) { _, _ in true }]),
          ]), ["/fields/2/rules/0", "/fields/3/rules/0"]
      ),
    ] as [(Prompt, [String])])
  func `tells all its faults, each with its place`(prompt: Prompt, places: [String]) {
    #expect(prompt.faults.map(\.pointer) == places)
  }

  @Test(arguments: [
    "title: T\nfields: [{name: a, rules: [{predicate: {name: integer, fields: [b]}}]}, {name: b}]",
    #"{"title": "T", "fields": [{"name": "a", "rules": [{"rule": "predicate", "name": "integer", "fields": ["b"]}]}, {"name": "b"}]}"#,
  ])
  func `comes from a definition in YAML or JSON`(text: String) async throws {
    let prompt = try Prompt(definition: text)
    #expect(prompt.fields.map(\.name) == ["a", "b"])
    #expect(await prompt.verdicts(on: ["a": "7"]).isValid)
  }

  @Test func `says where in the text a fault is`() {
    let error = #expect(throws: DefinitionFaults.self) { try Prompt(definition: "titel: T") }
    #expect(error?.description.contains("definition:1:1: ") == true, "\(error as Any)")
  }
}

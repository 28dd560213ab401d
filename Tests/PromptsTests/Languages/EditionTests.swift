import ServedFields
import Testing

@testable import Prompts

@Suite struct `An edition of a prompt` {
  private let prompt = Prompt(
    title: "Trip", language: "en",
    translations: [
      "de": Translation(
        title: "Reise", buttons: ["ok": "Buchen"],
        fields: [
          "start": .init(label: "Abreise"),
          "name": .init(
            label: "Name", help: "Wie im Ausweis", messages: ["Geben Sie Ihren Namen ein", nil, "Nur Buchstaben"]),
          "by": .init(options: ["train": "Zug", "bus": .init(help: "Langsam")]),
        ])
    ],
    fields: [
      Field(
        "name", label: "Name", help: "As in your passport",
        rules: [Rule.nonEmpty.saying("Enter your name"), .length(max: 30)]
      ) { $0.allow = [Rule.length(max: 5).saying("Letters only")] },
      Field("start", kind: .date),
      Field("end", kind: .date, rules: [.compare(.greater, than: "start")]),
      Field("by", kind: .choice, options: [.init("train", title: "Train"), .init("bus", title: "Bus")]),
      Field("mail", rules: [Rule.all([.email, Rule.length(max: 9).saying("Short")]).saying("A mail")]),
    ])

  private func messages(_ edition: Edition, _ inputs: Inputs) -> [String] {
    (Judge().judge(inputs, of: edition).verdicts?.entries ?? []).compactMap(\.verdict.message)
  }

  @Test func `a prompt says in which languages it can be shown`() {
    let texts = ["de": Translation(title: "T"), "pt-br": Translation(title: "T")]
    #expect(Prompt(title: "T", language: "fr", translations: texts).languageTags == ["fr", "de", "pt-BR"])
    #expect(Prompt(title: "T").languageTags == ["en"])
  }

  @Test func `has every text and message in its language`() {
    let german = prompt.edition(in: Language("de"))
    #expect(german.prompt.title == "Reise")
    #expect(german.prompt.buttons.map(\.title) == ["Abbrechen", "Buchen"])
    #expect(german.prompt.fields.map(\.label) == ["Name", "Abreise", "End", "By", "Mail"])
    #expect(german.prompt.fields[0].help == "Wie im Ausweis")
    #expect(german.prompt.fields[3].options.map(\.title) == ["Zug", "Bus"])
    #expect(german.prompt.fields[3].options.map(\.help) == [nil, "Langsam"])
    let inputs = Inputs([("start", .text("2025-01-02")), ("end", .text("2025-01-01"))])
    #expect(
      messages(german, inputs) == [
        "Geben Sie Ihren Namen ein", "Geben Sie ein späteres Datum ein als bei „Abreise“",
        "Wählen Sie eine der Möglichkeiten aus", "A mail",
      ])
    let long = Inputs([
      ("name", .text("Too long a name")), ("start", .text("x")), ("end", .text("x")),
      ("mail", .text("abcdefgh@example.com")),
    ])
    #expect(
      messages(german, long) == [
        "Nur Buchstaben", "Geben Sie ein Datum ein, zum Beispiel 2025-01-31",
        "Geben Sie ein Datum ein, zum Beispiel 2025-01-31", "Wählen Sie eine der Möglichkeiten aus", "Short",
      ])
  }

  @Test func `says the message of a list's rules in its language`() {
    let prompt = Prompt(
      title: "T", language: "en", translations: ["de": Translation(fields: ["a": .init(messages: ["Kurz"])])],
      fields: [Field("a", kind: .list, rules: [Rule.items([.length(max: 3)]).saying("Short")])])
    let inputs = Inputs([("a", .choices(["long"]))])
    #expect(messages(prompt.edition(), inputs).first?.contains("Short") == true)
    #expect(messages(prompt.edition(in: Language("de")), inputs).first?.contains("Kurz") == true)
  }

  @Test func `in its own language is what was written`() {
    let own = prompt.edition()
    #expect(own.languages.map(\.tag) == ["en", "de"])
    #expect(prompt.edition(in: Language("fr")).language == .english)
    #expect(own.prompt.buttons.map(\.title) == ["Cancel", "OK"])
    #expect(messages(own, Inputs([("by", .text("bus"))])).first == "Enter your name")
  }

  @Test func `is made of what an ask keeps`() throws {
    var reading = Reading(isKept: true)
    let definition = try JSON(parsing: Array(prompt.definition.utf8), limits: .file)
    let kept = try #require(Prompt(Node(definition), &reading))
    #expect(reading.faults.map(\.description) == [])
    for language in prompt.languages {
      let (one, other) = (prompt.edition(in: language), kept.edition(in: language))
      #expect(one.servedRules == other.servedRules)
      #expect(one.prompt.buttons.map(\.title) == other.prompt.buttons.map(\.title))
    }
  }
}

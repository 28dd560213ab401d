import ServedFields
import Testing

@testable import Prompts

/// What applies is judged by the corpus, `Tests/Conformance/when.json`.
@Suite struct `Fields that apply under conditions` {
  private let prompt = Prompt(
    title: "T",
    buttons: [
      Prompt.Button("Save", role: .action, name: "save", when: [.field("kind", is: .oneOf(["company"]))]),
      Prompt.Button("OK", role: .ok),
    ],
    fields: [
      Field("kind", kind: .choice, options: [.init("person"), .init("company", title: "Company")]),
      Field("company", rules: [.nonEmpty], when: [.field("kind", is: .oneOf(["company"]))]),
      Field("note", when: [.field("company", is: .nonEmpty, saying: "Only with a company")]) { $0.section = "More" },
    ])

  private func judged(_ inputs: Inputs, only: [String]? = nil, action: String? = nil) -> Verdicts? {
    Judge().judge(inputs, of: prompt.edition(), only: only, for: action.flatMap(prompt.action)).verdicts
  }

  @Test func `have no verdict and no value if they do not apply`() throws {
    let inputs = Inputs([("kind", "person"), ("company", "ACME"), ("note", "\u{0}")])
    let verdicts = try #require(judged(inputs))
    #expect(verdicts.entries.map(\.field) == ["kind"])
    #expect(verdicts["company"] == nil)
    #expect(verdicts.isValid)
    #expect(verdicts.values(of: inputs).entries.map(\.name) == ["kind"])
  }

  @Test func `are judged, with those that they decide, if they do`() throws {
    let verdicts = try #require(judged(Inputs([("kind", "company"), ("company", "")])))
    #expect(verdicts.entries.map { "\($0.field) \($0.verdict.isValid)" } == ["kind true", "company false"])
    let all = try #require(judged(Inputs([("note", ""), ("company", "ACME"), ("kind", "company")])))
    #expect(all.entries.map(\.field) == ["kind", "company", "note"])
  }

  @Test func `are looked at when only others are judged`() throws {
    #expect(
      judged(Inputs([("kind", "company"), ("company", "ACME")]), only: ["note"])?.entries.map(\.field) == ["note"])
    #expect(judged(Inputs([("kind", "person"), ("company", "ACME")]), only: ["note"])?.entries.isEmpty == true)
  }

  @Test func `decide whether an action applies`() throws {
    let refused = try #require(judged(Inputs([("kind", "person")]), action: "save"))
    #expect(refused.refusesAction)
    let taken = try #require(judged(Inputs([("kind", "company"), ("company", "ACME")]), action: "save"))
    #expect(!taken.refusesAction)
    #expect(taken.isValid)
  }

  @Test func `cost what their conditions cost, and nothing of what is dropped`() throws {
    let slow = try Rule.pattern("(?:a?){200}b")
    let costly = Prompt(
      title: "T",
      fields: [
        Field("kind"),
        Field("text", rules: [slow], when: [.field("kind", is: .oneOf(["long"]))]),
      ])
    let text = Input.text(String(repeating: "a", count: 16_000))
    let dropped = Judge().cost(of: Inputs([("kind", "short"), ("text", text)]), for: costly)
    let judged = Judge().cost(of: Inputs([("kind", "long"), ("text", text)]), for: costly)
    #expect(dropped.work > 3_000)
    #expect(dropped.work < 100_000)
    #expect(judged.work > 1_000_000)
    let condition = Prompt(
      title: "T", fields: [Field("text"), Field("b", when: [.field("text", is: slow, saying: "Sometimes")])])
    #expect(condition.worstCost.work > judged.work / 2)
    #expect(Judge().cost(of: Inputs([("text", text)]), for: condition).work > judged.work / 2)
    #expect(condition.bytesForEventLoop < 4096)
    #expect(condition.patternBytes > 0)
  }

  @Test func `that wait for each other, which no definition allows, do not apply`() {
    let circle = Prompt(
      title: "T",
      fields: [
        Field("a", when: [.field("b", is: .none, saying: "B")]),
        Field("b", when: [.field("a", is: .none, saying: "A")]),
        Field("c", when: [.field("nowhere", is: .none, saying: "C")]),
      ])
    #expect(Judge().judge(Inputs(), of: circle.edition()).verdicts?.entries.isEmpty == true)
  }

  @Test(arguments: [
    (Field.Kind.text, ["x"], "Only if “Other” is “x”"), (.text, ["x", "y", "z"], "Only if “Other” is “x”, “y” or “z”"),
    (.choice, ["a"], "Only if “Other” is “Option A”"), (.choice, ["a", "b"], "Only if “Other” is “Option A” or “b”"),
    (.choices, ["a", "b"], "Only if “Option A” or “b” is chosen in “Other”"),
    (.boolean, ["true"], "Only if “Other” is on"), (.boolean, ["false"], "Only if “Other” is off"),
  ])
  func `say when, on a page that hides nothing`(_ kind: Field.Kind, _ values: [String], _ sentence: String) {
    let other = Field("other", kind: kind, options: [.init("a", title: "Option A"), .init("b")])
    #expect(When.field("other", is: .oneOf(values)).sentence(among: [other], in: .english) == sentence)
    let said = When.field("other", is: .not(.oneOf(values)), saying: "Not then")
    #expect(said.sentence(among: [other], in: .english) == "Not then")
  }

  @Test func `are served with their conditions, which have no messages`() throws {
    let rules = try JSON(parsing: Array(prompt.servedRules.utf8), limits: .file)
    func written(_ json: JSON?) -> String { String(decoding: (json ?? .null).bytes, as: UTF8.self) }
    let fields = rules["fields"]?.elements ?? []
    #expect(
      fields.map { written($0["when"]) } == [
        "null", #"[{"field":"kind","rules":[{"rule":"oneOf","values":["company"]}]}]"#,
        #"[{"field":"company","rules":[{"rule":"nonEmpty"}]}]"#,
      ])
    #expect(fields.map { written($0["section"]) } == ["null", "null", #""More""#])
    #expect(
      written(rules["actions"])
        == #"[{"name":"save","when":[{"field":"kind","rules":[{"rule":"oneOf","values":["company"]}]}]}]"#)
    #expect(written(rules["messages"]?["shownFields"]) == #""New fields: {fields}""#)
    let plain = Prompt(title: "T", fields: [Field("a")]).servedRules
    for word in ["when", "actions", "section", "shownFields"] { #expect(!plain.contains(word)) }
  }

  @Test func `survive being written as a definition`() throws {
    let written = prompt.definition
    var reading = Reading()
    let read = try #require(Prompt(Node(try JSON(parsing: Array(written.utf8), limits: .file)), &reading))
    #expect(reading.faults.map(\.description) == [])
    #expect(read.definition == written)
    #expect(read.fields.map(\.section) == [nil, nil, "More"])
    #expect(written.contains(#"{"section":"More"},{"name":"note""#))
    #expect(written.contains(#""message":"Only with a company""#))
  }
}

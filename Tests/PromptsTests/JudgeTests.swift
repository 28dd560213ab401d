import ServedFields
import Testing

@testable import Prompts

/// `valid`, the failed rule's name, or the questions still open.
private func verdict(_ text: String, _ field: Field, _ judge: Judge = Judge()) -> String {
  switch judge.judge(Inputs([(field.name, .text(text))]), of: Prompt(title: "T", fields: [field]).edition()) {
  case .needs(let questions): return questions.map { "\($0.predicate)(\($0.text))?" }.joined(separator: " ")
  case .decided(let verdicts):
    guard case .invalid(let rule, _)? = verdicts[field.name] else { return "valid" }
    return rule
  }
}

/// What is valid is judged by the corpus, `Tests/Conformance`.
@Suite struct `A judge` {
  @Test func `takes nothing for what was not sent`() throws {
    let prompt = Prompt(
      title: "T",
      fields: [Field("a", kind: .boolean), Field("b", kind: .choices, rules: [.nonEmpty], options: [.init("x")])])
    let verdicts = try #require(Judge().judge(Inputs(), of: prompt.edition()).verdicts)
    #expect(verdicts["a"]?.isValid == true)
    #expect(verdicts["b"]?.message == "Choose one of the options")
    #expect(verdicts.isValid == false)
    #expect(verdicts.message == "Choose one of the options")
  }

  @Test(arguments: [
    ([], ["x", "y", "x"], "Choose each option only once"), ([], ["x", "z", "x"], "Choose one of the options"),
    ([], ["x", "x"], nil), ([Rule.count(unique: true)], ["x", "x"], "Choose each option only once"),
    ([.count(max: 2, unique: true)], ["x", "x"], "Choose at most 2 options, each only once"),
  ])
  func `says that an option is chosen twice`(rules: [Rule], chosen: [String], message: String?) {
    let field = Field("f", kind: .choices, rules: rules, options: ["x", "y"])
    #expect(field.verdict(on: chosen).message == message)
  }

  // MARK: Too long

  @Test(arguments: [
    (String(repeating: "a", count: 16_385), "Shorten this by 1 character"),
    (String(repeating: "a", count: 16_396), "Shorten this by 12 characters"),
    (String(repeating: "é", count: 8_193), "Shorten this by 1 character"),
    ("aa" + String(repeating: "😀", count: 4_096) + "b", "Shorten this by 2 characters"),
    (String(repeating: "e\u{301}", count: 5_462), "Shorten this by 1 character"),
  ])
  func `says by how many code points at its end a text is too long`(text: String, message: String) {
    #expect([Rule.none].verdict(on: .text(text)).message == message)
    let cut = text.unicodeScalars.dropLast(Int(message.split(separator: " ")[3]) ?? 0)
    #expect([Rule.none].verdict(on: .text(String(cut))).isValid)
  }

  @Test func `says of all texts together by how many code points they are too long, once`() throws {
    let fields = ["a", "b", "c", "d", "e", "f"].map { Field($0) }
    let text = String(repeating: "a", count: 16_384)
    let inputs = Inputs(fields.dropLast().map { ($0.name, .text(text)) } + [("f", "xé")])
    let verdicts = try #require(Judge().judge(inputs, of: Prompt(title: "T", fields: fields).edition()).verdicts)
    #expect(verdicts.entries.filter { !$0.verdict.isValid }.map(\.field) == ["e"])
    #expect(verdicts.message == "Shorten your answers by 16386 characters in total")
  }

  // MARK: Predicates

  private static let predicates = Predicates([
    "yes": .init { _ in true }, "no": .init { _ in false },
    "later": .init(.asynchronous { _, _, _ in .valid }),
  ])

  /// Met, unmet, unchecked: an unknown predicate cannot be checked.
  @Test(arguments: [
    (Rule.predicate("yes"), "valid"), (.predicate("no"), "predicate"), (.predicate("gone"), "predicate"),
    (.not(.predicate("gone")), "predicate"), (.not(.not(.predicate("gone"))), "predicate"),
    (.any([.predicate("gone"), .predicate("yes")]), "valid"),
    (.any([.predicate("gone"), .predicate("no")]), "predicate"),
    (.any([.predicate("no"), .predicate("no")]), "any"), (.all([.predicate("gone"), .predicate("no")]), "predicate"),
    (.all([.predicate("no"), .predicate("gone")]), "predicate"),
    (.not(.any([.predicate("no"), .predicate("gone")])), "predicate"),
    (.not(.any([.predicate("yes"), .predicate("gone")])), "not"), (.any([]), "any"), (.all([]), "valid"),
    (.not(.all([])), "not"),
    (.predicate("later"), "later(x)?"), (.not(.predicate("later")), "later(x)?"),
    (.any([.predicate("later"), .predicate("yes")]), "valid"),
    (.any([.predicate("gone"), .predicate("later")]), "later(x)?"),
    (.all([.predicate("no"), .predicate("later")]), "predicate"),
  ])
  func `knows met, unmet and undecided`(rule: Rule, expected: String) {
    #expect(verdict("x", Field("a", rules: [rule]), Judge(predicates: Self.predicates)) == expected)
  }

  @Test func `asks a question once the rules before it are met, and takes the answer`() throws {
    let field = Field("a", rules: [.nonEmpty, .predicate("later"), .length(max: 1)])
    let judge = Judge(predicates: Self.predicates)
    let prompt = Prompt(title: "T", fields: [field])
    #expect(verdict("", field, judge) == "nonEmpty")
    guard case .needs(let questions) = judge.judge(Inputs([("a", "xy")]), of: prompt.edition()) else {
      Issue.record("nothing was asked")
      return
    }
    for (answer, expected) in [
      (PredicateResult.valid, "Enter at most 1 character"), (.invalid("Taken"), "Taken"),
      (.invalid(nil), "Enter a different value; this one was not accepted"),
      (.unchecked, "This could not be checked; try again in a moment"),
    ] {
      let judgement = judge.judge(Inputs([("a", "xy")]), of: prompt.edition(), knowing: [questions[0]: answer])
      #expect(try #require(judgement.verdicts).message == expected)
    }
  }

}

@Suite struct `A predicate with its own closure` {
  private static let even = Rule.predicate("even") { Int($0)?.isMultiple(of: 2) ?? false }

  @Test(arguments: [
    (even, "4", true), (even, "5", false), (even.saying("m"), "4", true), (.all([even]), "5", false),
    (.not(even), "5", true), (.predicate("integer") { $0 == "x" }, "x", true),
    (.predicate("integer") { $0 == "x" }, "1", false),
  ])
  func `judges by itself`(rule: Rule, text: String, isValid: Bool) {
    #expect(rule.isValid(text) == isValid)
  }

  @Test func `is asked in every field, whatever else has its name`() async {
    let prompt = Prompt(
      title: "T",
      fields: [
        Field("a", rules: [.predicate("p") { $0 == "a" }]), Field("b", rules: [.any([.predicate("p") { $0 == "b" }])]),
        Field("c", rules: [.nonEmpty, .predicate("p") { await Self.result(of: $0) }]),
        Field("d") { $0.allow = [.predicate("p") { await Self.result(of: $0) }.saying("m")] },
        Field("e", rules: [.predicate("p") { _ in .unchecked }]), Field("f", rules: [.predicate("p")]),
      ])
    let judge = Judge(predicates: Predicates(["p": .init { $0 == "f" }]))
    let good = ["a": "a", "b": "b", "c": "taken not", "d": "free", "f": "f"].map { ($0.key, Input.text($0.value)) }
    let met = await judge.verdicts(on: Inputs(good), of: prompt.edition())
    #expect(met.entries.filter { !$0.verdict.isValid }.map(\.field) == ["e"])
    #expect(met.message == "This could not be checked; try again in a moment")
    let unmet = await prompt.verdicts(on: ["a": "b", "b": "a", "c": "taken", "d": "taken not at all", "f": "f"])
    #expect(unmet["a"]?.message == "Enter a different value; this one was not accepted")
    #expect(unmet["b"]?.isValid == false)
    #expect(unmet["c"]?.message == "Taken by taken")
    #expect(unmet["d"]?.message == "m")
    #expect(unmet["f"]?.message == "This could not be checked; try again in a moment")
    #expect(unmet["g"] == nil)
  }

  private static func result(of text: String) async -> PredicateResult {
    await Task.yield()
    return text == "taken" ? .invalid("Taken by \(text)") : text.count < 10 ? .valid : .invalid()
  }

  @Test func `is left to the server, and needs no registration`() {
    let rules: [Rule] = [.predicate("integer") { _ in true }, .predicate("p") { _ in .valid }, .predicate("q")]
    #expect(Rule.decidedBy(rules) == [.server, .server, .server])
    #expect(rules.flatMap(\.predicates) == ["q"])
  }

  @Test func `A predicate is asked about a moment as it is answered`() {
    let predicates = Predicates(["p": .init { $0 == "2026-03-29T03:30:00+02:00" }])
    let field = Field("a", kind: .dateTime, rules: [.predicate("p")]) { $0.timeZone = .person }
    #expect(verdict("2026-03-29T03:30[Europe/Berlin]", field, Judge(predicates: predicates)) == "valid")
    #expect(verdict("2026-03-29T03:30", field, Judge(predicates: predicates)) != "valid")
  }

  @Test func `says that it could not be checked when nobody can wait for it`() {
    let verdict = [Rule.predicate("p") { await Self.result(of: $0) }].verdict(on: "x")
    #expect(verdict.message == "This could not be checked; try again in a moment")
  }
}

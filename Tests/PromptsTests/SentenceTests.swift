import ServedFields
import Testing

@testable import Prompts

@Suite struct `The English sentences` {
  @Test(arguments: [
    (Sentence.chooseOption, "Choose one of the options"),
    (.length(1, 20), "Enter 1 to 20 characters"),
    (.length(8, nil), "Enter at least 8 characters"),
    (.length(1, nil), "Enter at least 1 character"),
    (.length(nil, 20), "Enter at most 20 characters"),
    (.length(5, 5), "Enter exactly 5 characters"),
    (.length(0, 1), "Enter 0 to 1 characters"),
    (.tooLong(by: "1"), "Shorten this by 1 character"),
    (.tooLong(by: "12"), "Shorten this by 12 characters"),
    (.tooLongTogether(by: "1"), "Shorten your answers by 1 character in total"),
    (.tooLongTogether(by: "12"), "Shorten your answers by 12 characters in total"),
    (.pattern, "Use the required format"),
    (.predicate, "Enter a different value; this one was not accepted"),
    (.range(.number, "0", "10"), "Enter a number from 0 to 10"),
    (.range(.number, "0", nil), "Enter 0 or more"),
    (.range(.number, nil, "10"), "Enter 10 or less"),
    (.range(.date, "2025-01-01", "2025-12-31"), "Enter a date from 2025-01-01 to 2025-12-31"),
    (.range(.date, "2025-01-01", nil), "Enter 2025-01-01 or later"),
    (.range(.time, nil, "17:00"), "Enter 17:00 or earlier"),
    (.range(.dateTime, "2025-01-01T00:00", nil), "Enter 2025-01-01T00:00 or later"),
    (.step(of: "1", from: nil), "Enter a whole number"),
    (.step(of: "0.1", from: nil), "Enter a multiple of 0.1"),
    (.step(of: "5", from: "2"), "Enter 2 plus or minus a multiple of 5"),
    (.oneOf(["red", "green"]), "Enter one of: red, green"),
    (.oneOf(["1", "2", "3", "4", "5", "6"]), "Enter one of the accepted values"),
    (.count(1, nil), "Choose at least 1 option"),
    (.count(nil, 2), "Choose at most 2 options"),
    (.count(2, 3), "Choose 2 to 3 options"),
    (.count(2, 2), "Choose exactly 2 options"),
    (.sameAs("Password"), "Must match “Password”"),
    (.compare(.less, "End", .date), "Enter a date before “End”"),
    (.compare(.lessOrEqual, "End", .time), "Enter a time no later than “End”"),
    (.compare(.greater, "Start", .dateTime), "Enter a date and time after “Start”"),
    (.compare(.greaterOrEqual, "Start", .date), "Enter a date no earlier than “Start”"),
    (.compare(.less, "Limit", .number), "Enter a number less than “Limit”"),
    (.compare(.lessOrEqual, "Limit", .number), "Enter a number less than or equal to “Limit”"),
    (.compare(.greater, "Limit", .number), "Enter a number greater than “Limit”"),
    (.compare(.greaterOrEqual, "Limit", .number), "Enter a number greater than or equal to “Limit”"),
    (.line, "Write this on one line"),
    (.boolean, "Answer true or false"),
  ])
  func `say what to do`(sentence: Sentence, words: String) {
    #expect(Sentences.english(sentence) == words)
    #expect(!words.lowercased().contains("invalid"))
  }

  /// Every rule as it fails, so that none says another's sentence.
  @Test(arguments: [
    (Rule.nonEmpty, "", "nonEmpty", "Enter a value"),
    (.notBlank, " \u{FEFF}", "notBlank", "Enter something other than spaces"),
    (.email, "a", "email", "Enter an email address, like name@example.com"),
    (.url, "a", "url", "Enter a web address, like https://example.com"),
    (.integer, "1.0", "integer", "Enter a whole number, like 42"),
    (.number, "1..", "number", "Enter a number, like 3.5"),
    (.number, "-1,234", "number", "Enter -1234 or -1.234; with a comma it could be either"),
    (.integer, "１,２３４", "integer", "Enter 1234 or 1.234; with a comma it could be either"),
    (.date, "2025-02-29", "date", "Enter a date, like 2025-01-31"),
    (.time, "24:00", "time", "Enter a time, like 09:30"),
    (.dateTime, "2025-01-31", "dateTime", "Enter a date and time, like 2025-01-31T09:30"),
    (.length(max: 1), "ab", "length", "Enter at most 1 character"),
    (.range(min: Quantity("1")), "0", "range", "Enter 1 or more"),
    (.oneOf(["a"]), "b", "oneOf", "Enter “a”"),
    (.predicate("integer"), "x", "predicate", "Enter a whole number, like 42"),
    (.predicate("other"), "x", "predicate", "This could not be checked; try again in a moment"),
    (.all([.nonEmpty, .email]), "a", "email", "Enter an email address, like name@example.com"),
    (Rule.all([.nonEmpty, .email]).saying("m"), "a", "email", "m"),
    (.any([.email, .oneOf(["none"])]), "a", "any", "Enter an email address, like name@example.com. Or: Enter “none”"),
    (.not(.email), "a@b", "not", "Enter a different value; this one is not allowed"),
    (Rule.email.saying("m"), "a", "email", "m"),
    (.none, "a\u{0}", "text", "Remove the control characters from this text"),
  ])
  func `come with the failing rule's name`(rule: Rule, text: String, name: String, message: String) {
    #expect([rule].verdict(on: .text(text)) == .invalid(rule: name, message: message))
    #expect(!message.lowercased().contains("invalid"))
  }
}

@Suite struct `A rule's own sentence` {
  @Test(arguments: Self.rules)
  func `is in the language asked for, whichever asked before`(rule: Rule) throws {
    let (german, french) = (Sentences(in: Language("de")!), Sentences(in: Language("fr")!))
    for sentences in [german, french, .english, german, french, .english] {
      let verdict = [rule].verdict(on: .text("?"), sentences: sentences, isCancelled: nil)
      let said = try #require(verdict.message)
      #expect(said.hasPrefix("Geben Sie ") == (sentences === german))
      #expect(said.hasPrefix("Saisissez ") == (sentences === french))
      #expect(said.hasPrefix("Enter ") == (sentences === Sentences.english))
    }
  }

  static let rules: [Rule] = [
    .email, .integer, .length(min: 3), .range(min: Quantity("1")), .step(of: 2), .oneOf(["a"]),
    .all([.nonEmpty, .email]), .any([.email, .oneOf(["none"])]), .not(.nonEmpty), .predicate("integer"),
  ]

  @Test func `is the field's, where one rule stands in several`() {
    let (rule, same) = (Rule.nonEmpty, Rule.sameAs("a"))
    let one = Prompt(
      title: "One",
      fields: [
        Field("a", label: "First", rules: [rule]), Field("b", rules: [same]),
        Field("c", kind: .choices, rules: [rule], options: [Field.Option("red")]),
      ])
    let other = Prompt(title: "Other", fields: [Field("a", label: "Second"), Field("b", rules: [same])])
    let inputs = Inputs([("b", .text("b"))])
    for _ in 0..<2 {
      #expect(
        messages(inputs, one) == ["Enter a value", "Must match “First”", "Choose one of the options"])
      #expect(messages(inputs, other) == ["Must match “Second”"])
    }
  }

  @Test func `Alternatives that say the same say it once`() throws {
    let rule = Rule.any([try .pattern("a+"), try .pattern("b+")])
    #expect([rule].verdict(on: "c").message == "Use the required format")
  }

  @Test func `What a field accepts is no bound that moves on`() throws {
    let field = Field("a", kind: .dateTime, rules: [.range(min: "now")]) { $0.timeZone = .named("Europe/Berlin") }
    let accepted = try #require(Prompt(title: "T", fields: [field]).accepted(by: 0, in: .english))
    #expect(accepted.hasPrefix("Enter a date and time"))
  }

  private func messages(_ inputs: Inputs, _ prompt: Prompt) -> [String] {
    (Judge().judge(inputs, of: prompt.edition()).verdicts?.entries ?? []).compactMap(\.verdict.message)
  }
}

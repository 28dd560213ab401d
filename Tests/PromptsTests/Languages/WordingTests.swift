import Foundation
import StrictJSON
import Testing

@testable import Prompts

/// What holds in every built-in language; each is complete because it compiles.
@Suite struct `Every language` {
  static let others = Languages.all.filter { !$0.isEnglish }.map(\.language)

  /// Each sentence with the names of its properties, and of a plural each form.
  private struct Sentence {
    let path: String
    let category: PluralCategory?
    let text: String

    var places: Set<String> { Set(text.matches(of: #/\{(\w*)\}/#).map { String($0.output.1) }) }
  }

  private func sentences(in language: Language) throws -> [Sentence] {
    let words = try #require(Languages.all.first { $0.language == language })
    return sentences(words, path: "")
  }

  private func sentences(_ value: Any, path: String) -> [Sentence] {
    switch value {
    case let text as String: [Sentence(path: path, category: nil, text: text)]
    case let plural as any PluralForms:
      plural.forms.map { Sentence(path: path, category: $0.category, text: $0.sentence) }
    default:
      Mirror(reflecting: value).children.flatMap { sentences($0.value, path: path + "." + ($0.label ?? "")) }
    }
  }

  @Test func `has a tag of its own`() {
    #expect(Set(Languages.offered).count == 16)
    #expect(Languages.all.allSatisfy { ($0.language == .english) == $0.isEnglish })
  }

  @Test(arguments: others) func `keeps the places for values`(language: Language) throws {
    let english = Dictionary(grouping: try sentences(in: .english), by: \.path)
    for sentence in try sentences(in: language) {
      var wanted = try #require(english[sentence.path]?.first).places
      // One, two and none may be words.
      if let category = sentence.category, [.zero, .one, .two].contains(category), !sentence.places.contains("n") {
        wanted.remove("n")
      }
      #expect(sentence.places == wanted, "\(language) \(sentence.path): \(sentence.text)")
    }
  }

  @Test(arguments: others) func `leaves nothing in English`(language: Language) throws {
    let english = Dictionary(try sentences(in: .english).map { ($0.path, $0.text) }) { first, _ in first }
    let shared = ["OK", "Error:", "optional", ", ", ": ", "{n} problem.", "“{value}”"]
    for sentence in try sentences(in: language) where !shared.contains(sentence.text) {
      #expect(sentence.text != english[sentence.path], "\(language) \(sentence.path)")
      #expect(!sentence.text.contains(#/\b(Enter|Choose|Answer|the|this)\b/#), "\(language): \(sentence.text)")
    }
  }

  @Test(arguments: Languages.offered) func `says what to do, without a full stop`(language: Language) throws {
    for sentence in try sentences(in: language)
    where !sentence.path.hasPrefix(".page") && ![".or", ".comma", ".colon", ".problems"].contains(sentence.path) {
      #expect(!sentence.text.isEmpty)
      #expect(sentence.text.last.map { ".。।!".contains($0) } == false, "\(language): \(sentence.text)")
    }
  }

  /// `plurals.json` is held against Babel.
  @Test(arguments: Languages.offered) func `has the plural forms of CLDR`(language: Language) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "plurals.json")
    let json = try JSON(parsing: Array(try Data(contentsOf: file)), limits: .file)
    guard case .object(let categories)? = json[language.tag] else {
      Issue.record("plurals.json has no \(language)")
      return
    }
    for counted in Sentences.Counted.allCases {
      let forms = Sentences(in: language).forms(of: counted).map(\.category.rawValue)
      #expect(forms.sorted() == categories.map(\.key).sorted())
    }
    let words = try #require(Languages.all.first { $0.language == language })
    let type = type(of: words.plural(of: .problems))
    for member in categories {
      guard case .array(let numbers) = member.value else { continue }
      for case .number(let number) in numbers {
        #expect(type.category(of: try #require(Int(number))).rawValue == member.key, "\(language): \(number)")
      }
    }
  }
}

@Suite struct `A sentence in another language` {
  private func said(_ sentence: Prompts.Sentence, _ tag: String) -> String { Sentences(in: Language(tag)!)(sentence) }

  @Test(arguments: [
    (Prompts.Sentence.length(8, nil), "de", "Geben Sie mindestens 8 Zeichen ein"),
    (.count(1, nil), "de", "Wählen Sie mindestens 1 Möglichkeit aus"),
    (.length(nil, 3), "pl", "Wpisz najwyżej 3 znaki"), (.length(nil, 5), "pl", "Wpisz najwyżej 5 znaków"),
    (.length(nil, 22), "pl", "Wpisz najwyżej 22 znaki"), (.tooLong(by: "21"), "uk", "Скоротіть цей текст на 21 символ"),
    (.length(2, nil), "ar", "أدخل حرفين على الأقل"),
    (.length(nil, 1_000_000), "fr", "Saisissez au plus 1000000 de caractères"),
    (.oneOf(["a", "b"]), "ja", "次のいずれかを入力してください：a、b"),
    (.email, "fr", "Saisissez une adresse e-mail, par exemple name@example.com"),
    (.any(["A", "B"]), "de", "A. Oder: B"),
    (.sameAs("Pass{min}wort"), "de", "Geben Sie dasselbe ein wie bei „Pass{min}wort“"),
  ])
  func `has its own forms and lists`(sentence: Prompts.Sentence, tag: String, text: String) {
    #expect(said(sentence, tag) == text)
  }

  @Test func `keeps values apart where it runs from right to left`() {
    #expect(said(.range(.date, "2025-01-01", nil), "he") == "יש להזין תאריך שאינו לפני \u{2068}2025-01-01\u{2069}")
    #expect(said(.oneOf(["a", "b"]), "ar") == "أدخل إحدى هذه القيم: \u{2068}a\u{2069}، \u{2068}b\u{2069}")
  }

  @Test func `is that of the closest language, or English`() {
    #expect(said(.nonEmpty, "de-AT") == said(.nonEmpty, "de"))
    #expect(said(.nonEmpty, "pt-PT") == said(.nonEmpty, "pt-BR"))
    #expect(said(.nonEmpty, "sv") == "Enter a value")
  }
}

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
          "by": .init(options: ["train": "Zug"]),
        ])
    ],
    fields: [
      Field(
        "name", label: "Name", help: "As in your passport", allow: [Rule.length(max: 5).saying("Letters only")],
        rules: [Rule.nonEmpty.saying("Enter your name"), .length(max: 30)]),
      Field("start", kind: .date),
      Field("end", kind: .date, rules: [.compare(.greater, "start")]),
      Field("by", kind: .choice, options: [.init("train", title: "Train"), .init("bus", title: "Bus")]),
      Field("mail", rules: [Rule.all([.email, Rule.length(max: 9).saying("Short")]).saying("A mail")]),
    ])

  private func messages(_ edition: Edition, _ inputs: Inputs) -> [String] {
    guard case .decided(let verdicts) = Judge().judge(inputs, of: edition.prompt, in: edition.sentences) else {
      return []
    }
    return verdicts.entries.compactMap(\.verdict.message)
  }

  @Test func `has every text and message in its language`() {
    let german = prompt.edition(in: Language("de"))
    #expect(german.prompt.title == "Reise")
    #expect(german.prompt.buttons.map(\.title) == ["Abbrechen", "Buchen"])
    #expect(german.prompt.fields.map(\.label) == ["Name", "Abreise", "End", "By", "Mail"])
    #expect(german.prompt.fields[0].help == "Wie im Ausweis")
    #expect(german.prompt.fields[3].options.map(\.title) == ["Zug", "Bus"])
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

  @Test func `in its own language is what was written`() {
    let own = prompt.edition()
    #expect(own.languages.map(\.tag) == ["en", "de"])
    #expect(prompt.edition(in: Language("fr")).language == .english)
    #expect(own.prompt.buttons.map(\.title) == ["Cancel", "OK"])
    #expect(messages(own, Inputs([("by", .text("bus"))])).first == "Enter your name")
  }

  @Test func `is made of what an ask keeps`() throws {
    var json = JSONWriter()
    prompt.writeDefinition(to: &json)
    var reading = Reading(isKept: true)
    let kept = try #require(Prompt(Node(try JSON(parsing: json.bytes, limits: .file)), &reading))
    #expect(reading.faults.map(\.description) == [])
    for language in prompt.languages {
      var (one, other) = (JSONWriter(), JSONWriter())
      prompt.edition(in: language).writeRules(to: &one, name: nil, version: "1")
      kept.edition(in: language).writeRules(to: &other, name: nil, version: "1")
      #expect(one.text == other.text)
      #expect(
        prompt.edition(in: language).prompt.buttons.map(\.title)
          == kept.edition(in: language).prompt.buttons.map(\.title))
    }
  }
}

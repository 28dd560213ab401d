import Foundation
import ServedFields
import TestSupport
import Testing

@testable import Prompts

/// What holds in every file of `Sources/Prompts/Languages`. English is the one that the others are compared with.
@Suite struct `The file of a language` {
  static let folder = Repository.root.appending(path: "Sources/Prompts/Languages")

  /// The tags, by the files in the folder.
  static let tags = try! FileManager.default.contentsOfDirectory(atPath: folder.path)
    .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()

  static func file(_ tag: String) throws -> LanguageFile {
    let language = try #require(Language(tag))
    return try LanguageFile(language, Array(try Data(contentsOf: folder.appending(path: "\(tag).json"))))
  }

  @Test func `is inside the executable: name one that is new in Sources/CResources/resources.c`() {
    #expect(Languages.offered.map(\.tag) == Self.tags)
  }

  @Test(arguments: tags) func `has every sentence, with its places and plural forms`(tag: String) throws {
    #expect(try Self.faults(in: Self.file(tag)) == [])
  }

  @Test(arguments: [
    (#""nonEmpty": "Enter a value","#, "", "`nonEmpty` is missing"),
    (#""nonEmpty": "#, #""nonempty": "#, "`nonEmpty` is missing; `nonempty` is not a key"),
    ("like {example}", "like {exampel}", "`email` must have {example}, not {exampel}"),
    (
      #""one": "Enter exactly {n} character","#, "",
      "`length.exactly` must have the forms one, other, not other"
    ),
    (
      #""one": "i = 1 and v = 0""#, #""one": "i is 1""#,
      "`plurals` must hold CLDR's rules, like `\"one\": \"i = 1 and v = 0\"`"
    ),
    (#""nonEmpty": "Enter a value""#, #""nonEmpty": 1"#, "`nonEmpty` must be a string, not a number"),
    (#""nonEmpty": "Enter a value","#, #""nonEmpty": "","#, "`nonEmpty` is empty"),
    (#""name": "English","#, #""name": "English""#, "is not valid JSON: found"),
  ])
  func `is refused by its name and the key`(old: String, new: String, said: String) throws {
    let text = try String(contentsOf: Self.folder.appending(path: "en.json"), encoding: .utf8)
    let first = try #require(text.range(of: old))
    let bytes = Array(text.replacingCharacters(in: first, with: new).utf8)
    do {
      let file = try LanguageFile(.english, bytes)
      #expect(Self.faults(in: file).joined(separator: "; ") == "Languages/en.json: " + said)
    } catch {
      #expect("\(error)".hasPrefix("Languages/en.json: " + said), "\(error)")
    }
  }

  @Test(arguments: tags.filter { $0 != "en" }) func `leaves nothing in English`(tag: String) throws {
    let english = try Self.file("en").texts.mapValues(\.whole)
    let shared = ["OK", "No", "Error:", "optional", ", ", ": ", ".", "{n} problem.", "“{value}”"]
    for (key, text) in try Self.file(tag).texts.mapValues(\.whole) where !shared.contains(text) {
      #expect(text != english[key], "\(tag).json: \(key)")
      #expect(!text.contains(#/\b(Enter|Choose|Answer|the|this)\b/#), "\(tag).json: \(key)")
    }
  }

  @Test(arguments: tags) func `says what to do, without a full stop`(tag: String) throws {
    let withStop = ["page.", "problems.", "or", "comma", "name", "decimal"]
    for (key, text) in try Self.file(tag).texts.mapValues(\.whole) where !withStop.contains(where: key.hasPrefix) {
      #expect(text.last.map { ".。।!".contains($0) } == false, "\(tag).json: \(key)")
    }
  }

  @Test(arguments: tags) func `tells nobody how to type into a picker`(tag: String) throws {
    let sentences = Sentences(in: try #require(Language(tag)))
    for form in [Quantity.Form.date, .time, .dateTime] {
      let (typed, picked) = (sentences(.typed(form)), sentences(.picked(form)))
      #expect(!picked.isEmpty && typed.hasPrefix(picked) && !picked.contains(/[\d\[\]]/), "\(picked)")
      #expect(typed.contains(Sentence.examples[form.rawValue] ?? "?") && !typed.contains(/[\[\]]/), "\(typed)")
    }
  }

  @Test(arguments: tags) func `writes characters that nobody sees as escapes`(tag: String) throws {
    let text = try String(contentsOf: Self.folder.appending(path: "\(tag).json"), encoding: .utf8)
    let hidden = text.unicodeScalars.filter { scalar in
      scalar != " " && [.format, .spaceSeparator].contains(scalar.properties.generalCategory)
    }
    #expect(hidden.isEmpty, "\(tag).json: \(hidden.map { "U+\(String($0.value, radix: 16))" })")
  }

  @Test func `has the keys of everything that is said`() throws {
    var keys = Set(PageText.allCases.map { "page.\($0.rawValue)" })
    keys.formUnion(PageNote.allCases.flatMap { ["page.\($0.rawValue).heading", "page.\($0.rawValue).sentence"] })
    keys.formUnion(Sentences.Counted.allCases.map(\.rawValue))
    keys.formUnion(Self.sentences.map(\.key) + Rule.Format.allCases.map(\.sentence.key))
    let ofLists: [Prompts.Sentence] = [
      .lines(1, 1), .lines(1, 2), .lines(1, nil), .lines(nil, 1), .linesOnce(nil, 1), .noLineTwice, .noOptionTwice,
      .onLine,
    ]
    keys.formUnion(ofLists.map(\.key))
    let person = Person(id: "")
    for (program, whom) in [("", nil), (nil, person), ("", person)] as [(String?, Person?)] {
      keys.formUnion([Prompts.Sentence.asked(by: program, for: whom)].compactMap(\.?.key))
    }
    keys.formUnion(["name", "comma", "quote", "lastOr", "decimal"])
    #expect(Self.entries(of: try Self.file("en")).keys.sorted() == keys.sorted())
  }

  /// One of each key.
  private static let sentences: [Prompts.Sentence] =
    [
      .nonEmpty, "notBlank", .chooseOption, .turnOn, .turnOff, .pattern, .predicate, .unchecked, .email, .url, .integer,
      "number",
      "date",
      "time", .dateTime, .skippedTime("", ""), .otherOffset(""), .unknownZone, .step(of: "1", from: nil),
      .step(of: "2", from: nil), .step(of: "2", from: "1"), .oneOf(["a"]), .oneOf(["a", "b"]), .oneOf([]),
      .oneOf(Array(repeating: "a", count: 6)), .sameAs(""), .countOnce(nil, 1), .any([]), .not, .text, .line, .boolean,
      .tooLong(by: "1"),
      .tooLongTogether(by: "1"), .onlyIf("", []), .onlyIfChosen("", []), .onlyIfOn(""), .onlyIfOff(""),
      .onlyIfFilled(""),
      .yes, .no, .allow, .deny, .ownWords, .whatIsAllowed, .onlyThisTime,
      .grouped("", ""), .readAs(""), .width, .beyond("", isLower: true), .beyond("", isLower: false),
      .shownFields(""), .hiddenFields(""), .showField(""), .hideField(""), .timeZone(""), .until(""), .reminder(of: ""),
      .open,
      .shownLines(1, 2, of: 3), .matching(1, of: 2),
    ]
    + ["session", "localSettings", "projectSettings", "userSettings"].map { .allowed(in: $0) }
    + [(1, 1), (1, 2), (1, nil), (nil, 1)].flatMap { [.length($0, $1), .count($0, $1)] }
    + [Quantity.Form.number, .date, .time, .dateTime].flatMap { form in
      [.range(form, "1", "2"), .range(form, "1", nil), .range(form, nil, "2")]
        + Rule.Order.allCases.map { .compare($0, "", form) }
    }

  // MARK: What is wrong with a file

  private static func faults(in file: LanguageFile) -> [String] {
    guard let english = try? entries(of: Self.file("en")) else { return ["en.json cannot be read"] }
    let entries = entries(of: file)
    var faults = Set(english.keys).subtracting(entries.keys).sorted().map { "`\($0)` is missing" }
    faults += Set(entries.keys).subtracting(english.keys).sorted().map { "`\($0)` is not a key" }
    let numbers = Array(0...215) + [1_000, 10_000, 100_000, 1_000_000, 1_000_001, 2_000_000]
    let needed = Set(numbers.map { file.plurals.category(of: $0) })
    for (key, forms) in entries.sorted(by: { $0.key < $1.key }) {
      guard let model = english[key] else { continue }
      let wanted = model.keys.contains(nil) ? [nil] : Set(needed.map(Optional.some))
      if Set(forms.keys) != wanted {
        faults.append("`\(key)` must have the forms \(list(wanted)), not \(list(Set(forms.keys)))")
      }
      for (form, text) in forms {
        if text.isEmpty { faults.append("`\(key)` is empty") }
        let places = places(in: text)
        var expected = model.values.map(Self.places).reduce(Set()) { $0.union($1) }
        // One, two and none may be words.
        if let form, [.zero, .one, .two].contains(form), !places.contains("{n}") { expected.remove("{n}") }
        if places != expected {
          faults.append(
            "`\(key)` must have \(expected.sorted().joined(separator: ", ")), not \(places.sorted().joined(separator: ", "))"
          )
        }
      }
    }
    return faults.isEmpty ? [] : ["Languages/\(file.language).json: \(faults.joined(separator: "; "))"]
  }

  private static func list(_ forms: Set<PluralCategory?>) -> String {
    forms.map { $0?.rawValue ?? "of a plain text" }.sorted().joined(separator: ", ")
  }

  private static func places(in text: String) -> Set<String> {
    Set(text.matches(of: #/\{\w*\}/#).map { String($0.output) })
  }

  /// Each sentence by its key, and by its plural forms, or `nil` if it has none.
  private static func entries(of file: LanguageFile) -> [String: [PluralCategory?: String]] {
    file.texts.mapValues(\.whole).reduce(into: [:]) { entries, text in
      let parts = text.key.split(separator: ".")
      let form = parts.last.flatMap { PluralCategory(rawValue: String($0)) }
      entries[(form == nil ? parts : parts.dropLast()).joined(separator: "."), default: [:]][form] = text.value
    }
  }
}

@Suite struct `A plural rule` {
  /// `plurals.json` says, by languages that have different rules, which numbers CLDR puts into each category.
  @Test func `puts whole numbers into the categories of CLDR`() throws {
    let bytes = try Repository.bytes("Tests/PromptsTests/Languages/plurals.json")
    let languages = try JSON(parsing: bytes, limits: .file).members
    #expect(!languages.isEmpty)
    for language in languages where language.key != "$comment" {
      let rules = try `The file of a language`.file(language.key).plurals
      for member in language.value.members {
        for case .number(let number) in member.value.elements {
          #expect(rules.category(of: try #require(Int(number))).rawValue == member.key, "\(language.key): \(number)")
        }
      }
    }
  }

  @Test(arguments: [
    "", "i", "i =", "i = a", "i 1", "i is 1", "x = 1", "i = 1 and", "i = 1 or", "i % = 1", "i % 0 = 1", "i = 3..1",
    "i = 1 @integer 1", "i=1",
  ])
  func `in another form is refused`(rule: String) { #expect(PluralRules([.one: rule]) == nil) }
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
    (.count(nil, 1), "da", "Vælg højst 1 mulighed"), (.count(2, nil), "nb", "Velg minst 2 alternativer"),
    (.length(1, nil), "fi", "Anna vähintään 1 merkki"), (.length(2, 4), "fi", "Anna 2–4 merkkiä"),
    (.length(2, 4), "cs", "Zadejte 2 až 4 znaky"), (.tooLong(by: "22"), "cs", "Zkraťte text o 22 znaků"),
    (.sameAs("Lösenord"), "sv", "Ange samma som i ”Lösenord”"),
    (.length(2, 5), "tr", "2–5 karakter girin"),
    (.range(.time, "01:00", nil), "es", "Introduzca 01:00 o una hora posterior"),
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
    #expect(said(.nonEmpty, "nn-NO") == said(.nonEmpty, "nb"))
    #expect(said(.nonEmpty, "is") == "Enter a value")
  }
}

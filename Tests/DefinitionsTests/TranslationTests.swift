import ServedFields
import TestSupport
import Testing

@testable import Prompts

/// `email.de.yaml` beside `email.yaml`.
@Suite struct `Translations` {
  private static let email = """
    title: Your Email
    message: Hello {name}
    language: en
    fields:
      - name: email
        label: Email
        placeholder: name@example.com
        rules:
          - nonEmpty: true
            message: Enter your email
          - any: [{email: true, message: One}, {oneOf: [x], message: Two}]
      - {section: Measures, help: As a tailor takes them}
      - name: size
        kind: choice
        options: [{value: s, title: Small}, {value: l, title: Large}]
    buttons:
      - {title: Later, role: action, name: later}
      - {role: cancel}
      - {role: ok}
    """

  private func read(_ files: [String: String]) throws -> [NamedPrompt] {
    let folder = try TemporaryDirectory(files)
    return try withExtendedLifetime(folder) { try NamedPrompt.read(folder: folder.path) }
  }

  /// What is said of the files, without their folder.
  private func faults(_ files: [String: String]) throws -> [String] {
    let folder = try TemporaryDirectory(files)
    let lines: [String]
    do throws(DefinitionFaults) {
      lines = try DefinitionFile(path: folder.file("email.yaml")).warnings.map(\.asWarning)
    } catch { lines = error.faults.map(\.description) }
    return lines.map { $0.replacing(folder.path + "/", with: "") }
  }

  @Test func `hold the texts, and nothing else changes`() throws {
    let german = """
      title: Ihre E-Mail
      message: Hallo {name}
      buttons: {later: Später}
      fields:
        email:
          label: E-Mail
          placeholder: name@beispiel.de
          messages: [Geben Sie Ihre E-Mail ein, [Eins, Zwei]]
        size: {label: Größe, section: Maße, sectionHelp: Wie beim Schneider, options: {s: Klein, l: Groß}}
      """
    #expect(try faults(["email.yaml": Self.email, "email.de.yaml": german]) == [])
    let prompts = try read([
      "email.yaml": Self.email, "email.de.yaml": german, "email.fr.json": #"{"title": "Votre e-mail"}"#,
    ])
    #expect(prompts.map(\.name) == ["email"])
    #expect(prompts[0].prompt.languages.map(\.tag) == ["en", "de", "fr"])
    let edition = prompts[0].prompt.edition(in: Language("de"))
    #expect(edition.prompt.buttons.map(\.title) == ["Später", "Abbrechen", "OK"])
    #expect(edition.prompt.fields[1].options.map(\.title) == ["Klein", "Groß"])
    #expect(edition.prompt.fields[1].section == "Maße")
    #expect(edition.prompt.fields[1].sectionHelp == "Wie beim Schneider")
    let verdicts = Judge().judge(Inputs([("email", .text("?"))]), of: edition).verdicts
    #expect(verdicts?["email"]?.message == "Eins. Oder: Zwei")
  }

  @Test func `count only the rules that are written`() throws {
    let original = "title: T\nfields: [{name: a, required: true, rules: [{length: {max: 1}, message: Short}]}]"
    let german = "title: T\nfields: {a: {label: A, messages: [Kurz]}}"
    #expect(try faults(["email.yaml": original, "email.de.yaml": german]) == [])
    let prompt = try read(["email.yaml": original, "email.de.yaml": german])[0].prompt
    let rules = prompt.edition(in: Language("de")).prompt.fields[0].rules
    #expect(rules.map(\.name) == ["notBlank", "length"])
    #expect(rules.map(\.message) == [nil, "Kurz"])
  }

  @Test(arguments: [
    ("[Kurz]", "1:34: there is 1 message for 2 rules"), ("[]", "1:34: there are 0 messages for 2 rules"),
    ("[~, Lang, Mehr]", "1:44: warning: there are 3 messages for 2 rules"), ("[null, Lang]", nil),
  ])
  func `have a message for each rule that has one`(messages: String, found: String?) throws {
    let original = "title: T\nfields: [{name: a, rules: [{length: {max: 9}}, {length: {min: 1}, message: Long}]}]"
    let german = "fields: {a: {label: A, messages: \(messages)}}\ntitle: T"
    let said = try faults(["email.yaml": original, "email.de.yaml": german])
    let found = found.map { [$0] } ?? []
    #expect(said.map { $0.dropFirst("email.de.yaml:".count).split(separator: ";")[0] } == found.map { Substring($0) })
  }

  @Test(
    arguments: cases(
      #"""
      # nothing⏎ → email.de.yaml:2:1: this file is empty; write the texts that it translates, or remove it
      title: [a] → email.de.yaml:1:8: `title` must be a string, not a list; write it like `title: "..."`
      titel: A → email.de.yaml:1:1: a translation has no key `titel`; did you mean `title`?
      title: A⏎okWhenInvalid: disabled
        → email.de.yaml:2:1: a translation cannot change `okWhenInvalid`; remove it, because a translation only changes texts
      fields: {email: {kind: text}}
        → email.de.yaml:1:18: the translation of a field cannot change `kind`; remove it, because a translation only changes texts
      fields: [email]
        → email.de.yaml:1:9: `fields` of a translation must be a map, not a list; write each field's texts under its name, like `fields: {email: {label: ...}}`
      """#)
  )
  func `say where a fault is`(text: String, fault: String) throws {
    #expect(try faults(["email.yaml": Self.email, "email.de.yaml": text]).contains(fault))
  }

  @Test func `that lack a text, translate nothing or lose a placeholder are warned of`() throws {
    let german = """
      title: ""
      message: Hallo
      buttons: {spaeter: Später}
      fields:
        email: {label: E-Mail, help: Hilfe, messages: ['A {x}', null]}
        colour: {label: Farbe}
        size: {label: Größe, options: {s: Klein, m: Mittel}}
      """
    let said = try faults(["email.yaml": Self.email, "email.de.yaml": german])
    #expect(
      said == [
        "email.de.yaml:1:1: warning: the button `later` is not translated; add it to `buttons`",
        "email.de.yaml:1:8: warning: `title` is not translated; add the text",
        "email.de.yaml:2:10: warning: `message` lacks `{name}`; put it where the translation needs it",
        "email.de.yaml:3:11: warning: the definition has no button `spaeter`; use one of `later`, `cancel`, `ok`",
        "email.de.yaml:5:10: warning: `placeholder` is not translated; add the text",
        "email.de.yaml:5:32: warning: `help` translates nothing: the definition has no such text; remove it",
        "email.de.yaml:5:50: warning: `message` has `{x}`, which the definition does not have; remove it",
        "email.de.yaml:5:59: warning: `message` is not translated; add the text",
        "email.de.yaml:6:3: warning: the definition has no field `colour`; use one of `email`, `size`",
        "email.de.yaml:7:9: warning: `section` is not translated; add the text",
        "email.de.yaml:7:9: warning: `sectionHelp` is not translated; add the text",
        "email.de.yaml:7:33: warning: the option `l` is not translated; add it to `options`",
        "email.de.yaml:7:44: warning: the field `size` has no option `m`; did you mean `s`?",
      ])
  }

  private static let parcel = """
    title: Parcel
    language: en
    fields:
      - {name: weight, label: Weight, kind: number, unit: kg}
      - name: speed
        label: Speed
        kind: choice
        options: [{value: a, title: Slow, help: Cheap}, {value: b, title: "2", help: Fast}, {value: c, title: Mine}]
    """

  @Test func `of an option are its title, or its title and its help`() throws {
    let german = """
      title: Paket
      fields:
        weight: {label: Gewicht, unit: Kilo}
        speed: {label: Tempo, options: {a: {title: Langsam, help: Billig}, b: {help: Schnell}, c: Selbst}}
      """
    #expect(try faults(["email.yaml": Self.parcel, "email.de.yaml": german]) == [])
    let prompt = try read(["email.yaml": Self.parcel, "email.de.yaml": german])[0].prompt
    var reading = Reading()
    let again = try #require(Prompt(Node(try JSON(parsing: Array(prompt.definition.utf8))), &reading))
    #expect(prompt.definition == again.definition)
    for prompt in [prompt, again] {
      let fields = prompt.edition(in: Language("de")).prompt.fields
      #expect(fields[0].unit == "Kilo")
      #expect(fields[1].options.map(\.title) == ["Langsam", "2", "Selbst"])
      #expect(fields[1].options.map(\.help) == ["Billig", "Schnell", nil])
      #expect(prompt.edition().prompt.fields[1].options.map(\.help) == ["Cheap", "Fast", nil])
    }
  }

  @Test func `of options that lack a help, or change a value, are named; units may stay`() throws {
    let german = """
      title: Paket
      fields:
        weight: {label: Gewicht}
        speed: {label: Tempo, options: {a: Langsam, c: {help: Ich}}}
      """
    #expect(
      try faults(["email.yaml": Self.parcel, "email.de.yaml": german]) == [
        "email.de.yaml:4:34: warning: the option `b` is not translated; add it to `options`",
        "email.de.yaml:4:38: warning: `help` is not translated; write `a: {title: ..., help: ...}`",
        "email.de.yaml:4:50: warning: `title` is not translated; add the text",
        "email.de.yaml:4:57: warning: `help` translates nothing: the definition has no such text; remove it",
      ])
    #expect(
      try faults(["email.yaml": Self.parcel, "email.de.yaml": "fields: {speed: {options: {a: {value: x}}}}"]).contains(
        "email.de.yaml:1:32: the translation of an option cannot change `value`; remove it, "
          + "because a translation only changes texts"))
  }

  @Test func `without a prompt, in no language or in its own are faults`() throws {
    #expect(
      try faults(["email.yaml": Self.email, "email.german.yaml": "title: A", "email.d.yaml": "title: A"]) == [
        "email.d.yaml:1:1: the file's name has no language in `d`; rename it, like `email.de.yaml`"
      ])
    #expect(
      try faults(["email.yaml": Self.email, "email.en.yaml": "title: A"]) == [
        "email.en.yaml:1:1: `en` is the prompt's own language; remove the file, or name another `language` in the definition"
      ])
    #expect(
      try faults(["email.yaml": Self.email, "email.de.yaml": "title: A", "email.de.json": "{}"]) == [
        "email.de.yaml:1:1: there is another translation into `de`; keep one of them"
      ])
    #expect(throws: DefinitionFaults.self) { try read(["other.de.yaml": "title: A"]) }
  }

  @Test func `stand in the definition too`() throws {
    let inline = """
      title: T
      language: en
      translations:
        de: {title: D}
        xx-: {title: X}
        en: {title: E}
      """
    #expect(
      try faults(["email.yaml": inline]) == [
        "email.yaml:5:3: `xx-` is not a language tag; write a tag like `de` or `pt-BR`",
        "email.yaml:6:3: `en` is the prompt's own language; remove the translation, or name another `language`",
      ])
  }
}

/// A message for a person. It holds the facts; the language files hold the words.
package struct Sentence: Sendable, ExpressibleByStringLiteral {
  enum Value {
    case text(String)
    case list([String])
    /// “A”, “B” or “C”
    case alternatives([String])
    case sentence(Sentence)
  }

  /// Its key in the files.
  let key: String
  /// The values for the places that the sentence names in braces.
  let values: KeyValuePairs<String, Value>
  /// Sentences that this one stands between.
  let parts: [String]

  private init(_ key: String, _ values: KeyValuePairs<String, Value> = [:], between parts: [String] = []) {
    self.key = key
    self.values = values
    self.parts = parts
  }

  /// The number whose plural form the sentence takes: its `{n}`, or `nil` if it has none.
  fileprivate var number: Int? { if case .text(let n)? = values["n"] { Int(n) ?? .max } else { nil } }

  /// A sentence without values.
  package init(stringLiteral key: String) { self.init(key) }

  /// The values for `{example}` in sentences that ask for something.
  static let examples = [
    "email": "name@example.com", "url": "https://example.com", "uuid": "123e4567-e89b-12d3-a456-426614174000",
    "ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "hostname": "www.example.com", "duration": "P1DT12H",
    "uri-reference": "/path?query", "json-pointer": "/name/0", "regex": "[a-z]+",
    "integer": "42", "number": "3.5", "date": "2025-01-31",
    "time": "09:30", "dateTime": "2025-01-31T09:30", "unknownZone": "2025-01-31T09:30+01:00",
  ]

  /// A sentence about how many there may be. Its plural form goes with `{n}`, which is the larger of two bounds.
  private static func bounds(_ key: String, _ min: Int?, _ max: Int?) -> Sentence {
    // Without bounds it never fails.
    let (bound, number) =
      switch (min, max) {
      case (let min?, let max?): (min == max ? "exactly" : "between", max)
      case (let min?, nil): ("atLeast", min)
      case (nil, let max): ("atMost", max ?? .max)
      }
    return Sentence("\(key).\(bound)", ["n": .text(String(number)), "min": .text(min.map(String.init) ?? "")])
  }
}

// MARK: Of rules

package extension Sentence {
  static let nonEmpty: Sentence = "nonEmpty"
  static let chooseOption: Sentence = "chooseOption"
  static let turnOn: Sentence = "turnOn"
  /// The options of a boolean that may be left open.
  static let yes: Sentence = "yes"
  static let no: Sentence = "no"
  /// The buttons that let a program do something, or not.
  static let allow: Sentence = "allow"
  static let deny: Sentence = "deny"
  static let turnOff: Sentence = "turnOff"
  static func length(_ min: Int?, _ max: Int?) -> Sentence { .bounds("length", min, max) }
  static let pattern: Sentence = "pattern"
  static let predicate: Sentence = "predicate"
  static let unchecked: Sentence = "unchecked"
  static let email: Sentence = "email"
  static let url: Sentence = "url"
  static let integer: Sentence = "integer"
  /// A comma could be a decimal mark or group thousands: both ways to write the number.
  static func grouped(_ whole: String, _ decimal: String) -> Sentence {
    Sentence("grouped", ["whole": .text(whole), "decimal": .text(decimal)])
  }
  static let dateTime: Sentence = "dateTime"
  /// A local time that clocks skip, from one to another.
  static func skippedTime(_ from: String, _ to: String) -> Sentence {
    Sentence("skippedTime", ["from": .text(from), "to": .text(to)])
  }
  /// The offset from UTC that is in use at a local time, other than the one given.
  static func otherOffset(_ offset: String) -> Sentence { Sentence("otherOffset", ["offset": .text(offset)]) }
  static let unknownZone: Sentence = "unknownZone"
  /// The sentence of the rule `date`, `time` or `dateTime`, and the same for a picker: nobody types there in the form
  /// of the example.
  static func typed(_ form: Quantity.Form) -> Sentence { Sentence(form.rawValue) }
  static func picked(_ form: Quantity.Form) -> Sentence { Sentence("\(form.rawValue).picked") }
  static func range(_ form: Quantity.Form, _ min: String?, _ max: String?) -> Sentence {
    let bounds = min == nil ? "atMost" : max == nil ? "atLeast" : "between"
    return Sentence("\(form.rawValue)Range.\(bounds)", ["min": .text(min ?? ""), "max": .text(max ?? "")])
  }
  /// A number on one side of another, which is not allowed itself.
  static func beyond(_ bound: String, isLower: Bool) -> Sentence {
    Sentence("numberRange.\(isLower ? "above" : "below")", ["min": .text(bound), "max": .text(bound)])
  }
  static func step(of step: String, from start: String?) -> Sentence {
    if let start { return Sentence("multipleFrom", ["step": .text(step), "from": .text(start)]) }
    return step == "1" ? "wholeNumber" : Sentence("multiple", ["step": .text(step)])
  }
  static func oneOf(_ values: [String]) -> Sentence {
    switch values.count {
    case 1: Sentence("onlyValue", ["value": .text(values[0])])
    case ...5: Sentence("oneOfValues", ["values": .list(values)])
    default: "acceptedValue"
    }
  }
  static func count(_ min: Int?, _ max: Int?) -> Sentence { .bounds("count", min, max) }
  /// The same, and none of them twice.
  static func countOnce(_ min: Int?, _ max: Int?) -> Sentence {
    Sentence("eachOnce", ["sentence": .sentence(.count(min, max))])
  }
  /// A number of a list's items, one a line.
  static func lines(_ min: Int?, _ max: Int?) -> Sentence { .bounds("lines", min, max) }
  static func linesOnce(_ min: Int?, _ max: Int?) -> Sentence {
    Sentence("eachLineOnce", ["sentence": .sentence(.lines(min, max))])
  }
  static let noLineTwice: Sentence = "noLineTwice"
  /// A message with the number of the line that it is about; a browser puts both in their places.
  static let onLine = Sentence("onLine", ["line": .text("{line}"), "sentence": .text("{sentence}")])
  static func sameAs(_ field: String) -> Sentence { Sentence("sameAs", ["field": .text(field)]) }
  static func compare(_ order: Rule.Order, _ field: String, _ form: Quantity.Form) -> Sentence {
    Sentence("\(form.rawValue)Order.\(order.rawValue)", ["field": .text(field)])
  }
  /// The sentence for several rules of which one must be met.
  static func any(_ sentences: [String]) -> Sentence { Sentence("or", between: sentences) }
  static let not: Sentence = "not"
  static let text: Sentence = "text"
  static let line: Sentence = "line"
  static let boolean: Sentence = "boolean"
  /// By how many characters: a number.
  static func tooLong(by surplus: String) -> Sentence { Sentence("tooLong", ["n": .text(surplus)]) }
  /// The same of all texts of a prompt together.
  static func tooLongTogether(by surplus: String) -> Sentence { Sentence("tooLongTogether", ["n": .text(surplus)]) }
}

// MARK: Of fields

package extension Sentence {
  /// When a field applies: only if another has one of these values.
  static func onlyIf(_ field: String, _ values: [String]) -> Sentence {
    Sentence("onlyIf", ["field": .text(field), "values": .alternatives(values)])
  }
  /// Or if one of these options is chosen in it.
  static func onlyIfChosen(_ field: String, _ values: [String]) -> Sentence {
    Sentence("onlyIfChosen", ["field": .text(field), "values": .alternatives(values)])
  }
  /// The same of a switch.
  static func onlyIfOn(_ field: String) -> Sentence { Sentence("onlyIfOn", ["field": .text(field)]) }
  static func onlyIfOff(_ field: String) -> Sentence { Sentence("onlyIfOff", ["field": .text(field)]) }
  /// Fields that apply from now on, or no longer: their labels.
  static func shownFields(_ fields: String) -> Sentence { Sentence("shownFields", ["fields": .text(fields)]) }
  static func hiddenFields(_ fields: String) -> Sentence { Sentence("hiddenFields", ["fields": .text(fields)]) }
  /// The name that a screen reader reads for the button that shows or hides the password of this field.
  static func showField(_ field: String) -> Sentence { Sentence("page.showField", ["field": .text(field)]) }
  static func hideField(_ field: String) -> Sentence { Sentence("page.hideField", ["field": .text(field)]) }
  /// The program that asks, and the person for whom it does; `nil` if neither is known.
  static func asked(by program: String?, for person: Person?) -> Sentence? {
    let whom = person.map { person in person.name.map { "\($0) (\(person.id))" } ?? person.id }
    switch (program, whom) {
    case (nil, nil): return nil
    case (let program?, nil): return Sentence("page.askedBy", ["name": .text(program)])
    case (nil, let whom?): return Sentence("page.askedFor", ["person": .text(whom)])
    case (let program?, let whom?):
      return Sentence("page.askedByFor", ["name": .text(program), "person": .text(whom)])
    }
  }
  /// Which time zone a field is in.
  static func timeZone(_ zone: String) -> Sentence { Sentence("page.timeZone", ["zone": .text(zone)]) }
  /// Until when there can be an answer.
  static func until(_ time: String) -> Sentence { Sentence("page.until", ["time": .text(time)]) }
}

/// The sentences for people, in the language of a prompt or the closest to it that is built in.
package final class Sentences: Sendable {
  /// The language of the prompt: `de-AT`, though the sentences may be those of `de`.
  package let language: Language
  package let isEnglish: Bool
  private let file: LanguageFile

  /// English if none of the built-in languages is close.
  package init(in language: Language) {
    self.language = language
    file = Languages.closest(to: language) ?? Languages.english
    isEnglish = file.language == .english
  }

  package static let english = Sentences(in: .english)

  /// True if these are sentences of the prompt's own language.
  package var areInLanguage: Bool { !isEnglish || language.lookup(in: [.english]) != nil }

  package func callAsFunction(_ sentence: Sentence) -> String {
    sentence.parts.isEmpty ? written(.sentence(sentence)) : sentence.parts.joined(separator: file[sentence.key])
  }

  /// A message about a line of a list, which names it.
  package func onLine(_ line: Int, _ message: String) -> String {
    self(.onLine).replacing("{line}", with: String(line)).replacing("{sentence}", with: message)
  }

  package subscript(_ text: PageText) -> String { file["page.\(text.rawValue)"] }

  package subscript(_ note: PageNote) -> (heading: String, sentence: String) {
    (file["page.\(note.rawValue).heading"], file["page.\(note.rawValue).sentence"])
  }

  /// Sentences about a number that only the browser knows: the number stands as `{n}`.
  package enum Counted: String, Sendable, CaseIterable {
    case tooLong, tooLongTogether, problems
  }

  /// Each plural category that the language has for whole numbers, with its sentence.
  package func forms(of counted: Counted) -> [(category: PluralCategory, sentence: String)] {
    PluralCategory.allCases.compactMap { category in
      file.texts["\(counted.rawValue).\(category.rawValue)"].map { (category, filled($0, ["n": .text("{n}")])) }
    }
  }

  /// A text with the values that its places name.
  private func filled(_ text: LanguageFile.Text, _ values: KeyValuePairs<String, Sentence.Value>) -> String {
    if text.parts.count == 1 { return text.whole }
    return text.parts.reduce(into: "") { filled, part in
      filled += part.text
      if let place = part.place, let value = values[place] { filled += written(value) }
    }
  }

  private func written(_ value: Sentence.Value) -> String {
    switch value {
    case .text(let text): return file.isolated(text.revealed)
    case .sentence(let sentence):
      let form = sentence.number.map { ".\(file.plurals.category(of: $0).rawValue)" } ?? ""
      return filled(file.text(sentence.key + form), sentence.values)
    case .list(let texts): return texts.map { written(.text($0)) }.joined(separator: file["comma"])
    case .alternatives(let texts):
      let quoted = texts.map { filled(file.text("quote"), ["value": .text($0)]) }
      let head = quoted.dropLast().joined(separator: file["comma"])
      return ((head.isEmpty ? [] : [head]) + quoted.suffix(1)).joined(separator: file["lastOr"])
    }
  }
}

extension KeyValuePairs<String, Sentence.Value> {
  fileprivate subscript(key: String) -> Sentence.Value? { first { $0.key == key }?.value }
}

/// A text on pages that is the same whatever they show. Templates know it by its name: `text.optional`.
package enum PageText: String, Sendable, CaseIterable {
  /// Between a field's name and what is said of it.
  case colon
  /// Before the names of what cannot be seen in a field's text.
  case hidden
  /// The buttons of a prompt that names none.
  case ok, cancel
  /// Behind the label of a field that may stay empty.
  case optional
  /// The first line of a menu; the radio button for no answer.
  case choose, none
  /// The button beside a password.
  case showPassword, hidePassword
  /// The label of the field that asks why Cancel was pressed.
  case reason
  /// While the server judges.
  case checking
  /// Over a text that goes on below.
  case readOn
  /// The input of a field was too long to be sent back with the others.
  case enterAgain
  /// A page's own check gave no message.
  case refused
  /// The server does not respond; it did not take the answer; the question is another one than the page showed.
  case unreachable, failed, changed
  /// Before the title of a page with errors, and above the list of them.
  case errorPrefix, problem
  /// The name that a screen reader reads for the links to a page's other languages.
  case languages
  /// The last line of the page after an answer, and its link.
  case close, again
  /// The link of a page for people who have to sign in.
  case signIn
  /// The list of prompts, and that it is empty.
  case prompts, noPrompts
}

/// A heading and the sentence under it, which are all that a page says.
package enum PageNote: String, Sendable, CaseIterable {
  /// After OK, Cancel and an action.
  case accepted, cancelled, done
  /// The question has ended before this person answered.
  case expired, withdrawn, answered
  /// Problems. `notFound` is for a missing question, `noPage` for any other missing page.
  case notFound, noPage, notPossible, tooLarge, serverFault
  /// The question is for some people only: the visitor has no name, or is somebody else.
  case signInFirst, notForYou
}

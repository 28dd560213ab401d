/// What a person can be told. Facts here, words in the files of languages.
package enum Sentence: Sendable {
  case nonEmpty, notBlank, chooseOption
  case length(Int?, Int?)
  case pattern, predicate, unchecked
  case email, url, integer, number, date, time, dateTime
  /// A local time that clocks skip, from one to another.
  case skippedTime(String, String)
  /// The offset from UTC that is in use at a local time, other than the one given.
  case otherOffset(String)
  case unknownZone
  case range(Quantity.Form, String?, String?)
  case step(of: String, from: String?)
  case oneOf([String])
  case count(Int?, Int?)
  /// The same, and none of them twice.
  case countOnce(Int?, Int?)
  case sameAs(String)
  case compare(Rule.Order, String, Quantity.Form)
  /// What several rules say of which one must be met.
  case any([String])
  case not
  case text, line, boolean
  /// By how many characters: a number.
  case tooLong(by: String)
  /// The same of all texts of a prompt together.
  case tooLongTogether(by: String)
  /// When a field applies: only if another has one of these values, or one of these options is chosen in it.
  case onlyIf(String, [String]), onlyIfChosen(String, [String])
  /// The same of a switch.
  case onlyIfOn(String), onlyIfOff(String)
  /// Fields that apply from now on, or no longer: their labels.
  case shownFields(String), hiddenFields(String)
  /// What a screen reader calls the button that shows or hides the password of this field.
  case showField(String), hideField(String)
  /// Which time zone a field is in.
  case timeZone(String)
}

/// A sentence as the files of languages have it: its key there, and what takes the places that it names in braces.
struct Phrase: ExpressibleByStringLiteral {
  enum Value: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    case text(String)
    case list([String])
    /// “A”, “B” or “C”
    case alternatives([String])
    case phrase(Phrase)

    init(stringLiteral text: String) { self = .text(text) }
  }

  let key: String
  var values: [String: Value] = [:]
  /// The number whose plural form the sentence takes, or `nil` if it has none.
  var number: Int?

  init(_ key: String, _ values: [String: Value] = [:], number: Int? = nil) {
    (self.key, self.values, self.number) = (key, values, number)
  }

  init(stringLiteral key: String) { self.init(key) }

  /// By how many there may be: the form goes with `{n}`, which of two bounds is the larger one.
  fileprivate static func bounds(_ key: String, _ min: Int?, _ max: Int?) -> Phrase {
    // Without bounds it never fails.
    let (bound, number) =
      switch (min, max) {
      case (let min?, let max?): (min == max ? "exactly" : "between", max)
      case (let min?, nil): ("atLeast", min)
      case (nil, let max): ("atMost", max ?? .max)
      }
    return Phrase("\(key).\(bound)", ["n": "\(number)", "min": .text(min.map(String.init) ?? "")], number: number)
  }

  fileprivate static func counted(_ key: String, _ number: String) -> Phrase {
    Phrase(key, ["n": .text(number)], number: Int(number) ?? .max)
  }
}

extension Sentence {
  var phrase: Phrase {
    switch self {
    case .nonEmpty: "nonEmpty"
    case .notBlank: "notBlank"
    case .chooseOption: "chooseOption"
    case .length(let min, let max): .bounds("length", min, max)
    case .pattern: "pattern"
    case .predicate: "predicate"
    case .unchecked: "unchecked"
    case .email: Phrase("email", ["example": "name@example.com"])
    case .url: Phrase("url", ["example": "https://example.com"])
    case .integer: Phrase("integer", ["example": "42"])
    case .number: Phrase("number", ["example": "3.5"])
    case .date: Phrase("date", ["example": "2025-01-31"])
    case .time: Phrase("time", ["example": "09:30"])
    case .dateTime: Phrase("dateTime", ["example": "2025-01-31T09:30"])
    case .skippedTime(let from, let to): Phrase("skippedTime", ["from": .text(from), "to": .text(to)])
    case .otherOffset(let offset): Phrase("otherOffset", ["offset": .text(offset)])
    case .unknownZone: Phrase("unknownZone", ["example": "2025-01-31T09:30+01:00"])
    case .range(let form, let min, let max):
      Phrase(
        "\(form.rawValue)Range.\(min == nil ? "atMost" : max == nil ? "atLeast" : "between")",
        ["min": .text(min ?? ""), "max": .text(max ?? "")])
    case .step("1", nil): "wholeNumber"
    case .step(let step, nil): Phrase("multiple", ["step": .text(step)])
    case .step(let step, let from?): Phrase("multipleFrom", ["step": .text(step), "from": .text(from)])
    case .oneOf(let values) where values.count == 1: Phrase("onlyValue", ["value": .text(values[0])])
    case .oneOf(let values) where values.count <= 5: Phrase("oneOfValues", ["values": .list(values)])
    case .oneOf: "acceptedValue"
    case .count(let min, let max): .bounds("count", min, max)
    case .countOnce(let min, let max): Phrase("eachOnce", ["sentence": .phrase(.bounds("count", min, max))])
    case .sameAs(let field): Phrase("sameAs", ["field": .text(field)])
    case .compare(let order, let field, let form):
      Phrase("\(form.rawValue)Order.\(order.rawValue)", ["field": .text(field)])
    // What stands between the sentences.
    case .any: "or"
    case .not: "not"
    case .text: "text"
    case .line: "line"
    case .boolean: "boolean"
    case .tooLong(let surplus): .counted("tooLong", surplus)
    case .tooLongTogether(let surplus): .counted("tooLongTogether", surplus)
    case .onlyIf(let field, let values): Phrase("onlyIf", ["field": .text(field), "values": .alternatives(values)])
    case .onlyIfChosen(let field, let values):
      Phrase("onlyIfChosen", ["field": .text(field), "values": .alternatives(values)])
    case .onlyIfOn(let field): Phrase("onlyIfOn", ["field": .text(field)])
    case .onlyIfOff(let field): Phrase("onlyIfOff", ["field": .text(field)])
    case .shownFields(let fields): Phrase("shownFields", ["fields": .text(fields)])
    case .hiddenFields(let fields): Phrase("hiddenFields", ["fields": .text(fields)])
    case .showField(let field): Phrase("page.showField", ["field": .text(field)])
    case .hideField(let field): Phrase("page.hideField", ["field": .text(field)])
    case .timeZone(let zone): Phrase("page.timeZone", ["zone": .text(zone)])
    }
  }
}

/// A text on pages that is the same whatever they show. Templates know it by its name: `text.optional`.
package enum PageText: String, Sendable, CaseIterable {
  /// Between a field's name and what is said of it.
  case colon
  /// The buttons of a prompt that names none.
  case ok, cancel
  /// Behind the label of a field that may stay empty.
  case optional
  /// The first line of a menu; the radio button for no answer.
  case choose, none
  /// The button beside a password.
  case showPassword, hidePassword
  /// While the server judges.
  case checking
  /// What was entered in a field was too long to be sent back with the others.
  case enterAgain
  /// A page's own check gave no message.
  case refused
  /// The server does not respond; it did not take the answer.
  case unreachable, failed
  /// Before the title of a page with errors, and above the list of them.
  case errorPrefix, problem
  /// What a screen reader calls the links to a page's other languages.
  case languages
  /// The last line of the page after an answer, and its link.
  case close, again
  /// The list of prompts, and that it is empty.
  case prompts, noPrompts
}

/// A heading and the sentence under it, which are all that a page says.
package enum PageNote: String, Sendable, CaseIterable {
  /// After OK, Cancel and an action.
  case accepted, cancelled, done
  /// The question has ended before this person answered.
  case expired, withdrawn, answered
  /// Problems.
  case notFound, notPossible, tooLarge, serverFault
}

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
  var number: Int? { if case .text(let n)? = values["n"] { Int(n) ?? .max } else { nil } }

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
  /// The option for an answer that is none of those offered, and its field.
  static let ownWords: Sentence = "ownWords"
  /// The choice of what a program is let do, and its first option.
  static let whatIsAllowed: Sentence = "whatIsAllowed"
  static let onlyThisTime: Sentence = "onlyThisTime"
  /// Where something is allowed without asking, and until when.
  static func allowed(in scope: String) -> Sentence { Sentence("allowed.\(scope)") }
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
  /// The number that was read, if it does not stand in the field like that.
  static func readAs(_ number: String) -> Sentence { Sentence("readAs", ["number": .text(number)]) }
  /// Full-width characters stand where the rule asks for ASCII.
  static let width: Sentence = "width"
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
  static let noOptionTwice: Sentence = "noOptionTwice"
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
  /// Or if a field is not empty.
  static func onlyIfFilled(_ field: String) -> Sentence { Sentence("onlyIfFilled", ["field": .text(field)]) }
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
  /// The part of a long dialog that is shown: its first and last line, of all.
  static func shownLines(_ first: Int, _ last: Int, of all: Int) -> Sentence {
    Sentence("shownLines", ["first": .text("\(first)"), "last": .text("\(last)"), "all": .text("\(all)")])
  }
  /// The number of options that match what was typed.
  static func matching(_ some: Int, of all: Int) -> Sentence {
    Sentence("matching", ["some": .text("\(some)"), "all": .text("\(all)")])
  }
  /// Until when there can be an answer.
  static func until(_ time: String) -> Sentence { Sentence("page.until", ["time": .text(time)]) }
  /// That people were told of this question before.
  static func reminder(of title: String) -> Sentence { Sentence("page.reminder", ["title": .text(title)]) }
  /// Of a link to a question.
  static let open = Sentence("page.open")
}

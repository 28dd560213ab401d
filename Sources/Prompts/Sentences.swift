/// What a person can be told about an input. Facts here, words in `Sentences`.
package enum Sentence: Sendable {
  case nonEmpty, notBlank, chooseOption
  case length(Int?, Int?)
  case pattern, predicate, unchecked
  case email, url, integer, number, date, time, dateTime
  case range(Quantity.Form, String?, String?)
  case step(of: String, from: String?)
  case oneOf([String])
  case count(Int?, Int?)
  case sameAs(String)
  case compare(Rule.Order, String, Quantity.Form)
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
  case came(String), went(String)
}

/// The words of one language. Another language is another value of this type.
package struct Sentences: Sendable {
  /// A language tag (BCP 47); `en` is built in.
  package let language: String
  private let say: @Sendable (Sentence) -> String

  package init(language: String, words: @escaping @Sendable (Sentence) -> String) {
    (self.language, say) = (language, words)
  }

  package func callAsFunction(_ sentence: Sentence) -> String { say(sentence) }

  var isEnglish: Bool { language == "en" }

  /// Every sentence says what to do.
  package static let english = Sentences(language: "en") { sentence in
    switch sentence {
    case .nonEmpty: "Enter a value"
    case .notBlank: "Enter at least one character that is not a space"
    case .chooseOption: "Choose one of the options"
    case .length(let min, let max): "Enter " + english(min, max, "character")
    case .pattern: "Change this to the format asked for"
    case .predicate: "Enter another value; this one was not accepted"
    case .unchecked: "This could not be checked; try again in a moment"
    case .email: "Enter an email address, like name@example.com"
    case .url: "Enter a web address, like https://example.com"
    case .integer: "Enter a whole number, like 42"
    case .number: "Enter a number, like 3.5"
    case .date: "Enter a date, like 2025-01-31"
    case .time: "Enter a time, like 09:30"
    case .dateTime: "Enter a date and time, like 2025-01-31T09:30"
    case .range(let form, let min, let max): "Enter \(noun(form)) " + bounds(min, max, form)
    case .step(let of, nil): of == "1" ? "Enter a whole number" : "Enter a multiple of \(of)"
    case .step(let of, let from?): "Enter \(from), or that plus or minus a multiple of \(of)"
    case .oneOf(let values):
      values.count == 1
        ? "Enter “\(values[0])”"
        : values.count <= 5 ? "Enter one of: " + values.joined(separator: ", ") : "Enter one of the accepted values"
    case .count(let min, let max): "Choose " + english(min, max, "option")
    case .sameAs(let label): "Enter the same as in “\(label)”"
    case .compare(let order, let label, let form): "Enter \(noun(form)) \(relation(order, form)) “\(label)”"
    case .any(let sentences): sentences.joined(separator: ". Or: ")
    case .not: "Enter another value; this one is not allowed"
    case .text: "Remove the control characters from this text"
    case .line: "Write this on one line"
    case .boolean: "Answer true or false"
    case .tooLong(let surplus): "Shorten this by " + characters(surplus)
    case .tooLongTogether(let surplus): "Shorten your answers by \(characters(surplus)) in all"
    case .onlyIf(let label, let values): "Only if “\(label)” is \(either(values))"
    case .onlyIfChosen(let label, let values): "Only if \(either(values)) is chosen in “\(label)”"
    case .onlyIfOn(let label): "Only if “\(label)” is on"
    case .onlyIfOff(let label): "Only if “\(label)” is off"
    case .came(let labels): "Also asked now: \(labels)"
    case .went(let labels): "No longer asked: \(labels)"
    }
  }

  /// “A”, “B” or “C”
  private static func either(_ values: [String]) -> String {
    let quoted = values.map { "“\($0)”" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.joined() }
    return quoted.dropLast().joined(separator: ", ") + " or " + last
  }

  private static func characters(_ count: String) -> String { count == "1" ? "1 character" : "\(count) characters" }

  private static func english(_ min: Int?, _ max: Int?, _ noun: String) -> String {
    func counted(_ count: Int) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
    return switch (min, max) {
    case (let min?, let max?) where min == max: "exactly \(counted(min))"
    case (let min?, let max?): "\(min) to \(counted(max))"
    case (let min?, nil): "at least \(counted(min))"
    case (nil, let max?): "at most \(counted(max))"
    case (nil, nil): "any number of \(noun)s"
    }
  }

  private static func noun(_ form: Quantity.Form) -> String {
    switch form {
    case .number: "a number"
    case .date: "a date"
    case .time: "a time"
    case .dateTime: "a date and time"
    }
  }

  private static func bounds(_ min: String?, _ max: String?, _ form: Quantity.Form) -> String {
    switch (min, max) {
    case (let min?, let max?): "from \(min) to \(max)"
    case (let min?, nil): form == .number ? "of at least \(min)" : "not before \(min)"
    case (nil, let max?): form == .number ? "of at most \(max)" : "not after \(max)"
    case (nil, nil): ""
    }
  }

  private static func relation(_ order: Rule.Order, _ form: Quantity.Form) -> String {
    switch order {
    case .less: form == .number ? "less than the one in" : "before the one in"
    case .lessOrEqual: form == .number ? "of at most the one in" : "not after the one in"
    case .greater: form == .number ? "greater than the one in" : "after the one in"
    case .greaterOrEqual: form == .number ? "of at least the one in" : "not before the one in"
    }
  }
}

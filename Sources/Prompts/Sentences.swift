/// What a person can be told about an input. Facts here, words in `Sentences`.
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

/// What is said to people, in the language of a prompt or the closest to it that is built in.
package final class Sentences: Sendable {
  /// The language of the prompt: `de-AT`, though the sentences may be those of `de`.
  package let language: Language
  private let words: any Words

  /// English if none of the built-in languages is close.
  package init(in language: Language) {
    self.language = language
    words = Languages.closest(to: language) ?? Languages.english
    isEnglish = words.isEnglish
  }

  package static let english = Sentences(in: .english)

  package let isEnglish: Bool

  /// Whether these are sentences of the prompt's own language.
  package var areInLanguage: Bool { Languages.closest(to: language) != nil }

  package func callAsFunction(_ sentence: Sentence) -> String { words.text(of: sentence) }

  package var page: PageWords { words.page }

  /// Between a field's name and what is said of it.
  package var colon: String { words.colon }

  /// What is said about a number that only the browser knows: the number stands as `{n}`.
  package enum Counted: String, Sendable, CaseIterable {
    case tooLong, tooLongTogether, problems
  }

  /// Each plural category that the language has for whole numbers, with its sentence.
  package func forms(of counted: Counted) -> [(category: PluralCategory, sentence: String)] {
    words.plural(of: counted).forms.map { ($0.category, words.text($0.sentence, ["n": "{n}"])) }
  }

  /// Which time zone a field is in.
  package func timeZone(_ name: String) -> String { words.text(words.page.timeZone, ["zone": name]) }

  /// What a screen reader calls the button that shows or hides the password of this field.
  package func toggle(of field: String) -> (show: String, hide: String) {
    (words.text(words.page.showField, ["field": field]), words.text(words.page.hideField, ["field": field]))
  }
}

/// The built-in languages, each in a file of its own.
package enum Languages {
  static let all: [any Words] = [
    english, german, french, spanish, italian, portuguese, dutch, polish, ukrainian, turkish, arabic, hebrew, hindi,
    chinese,
    japanese, korean,
  ]

  /// Their tags.
  package static let offered = all.map(\.language)

  /// The words of a language, or of the one that is closest to it.
  static func closest(to language: Language) -> (any Words)? {
    if language == .english { return english }
    guard let found = language.lookup(in: offered) else { return nil }
    return all.first { $0.language == found }
  }

  /// What a language calls itself; the tag of one that is not built in.
  package static func name(of language: Language) -> String {
    all.first { $0.language == language }?.name ?? language.tag
  }
}

/// A `Wording`, whatever its plural forms.
protocol Words: Sendable {
  var language: Language { get }
  var name: String { get }
  var colon: String { get }
  var isEnglish: Bool { get }
  var page: PageWords { get }
  func text(of sentence: Sentence) -> String
  func text(_ sentence: String, _ values: [String: String]) -> String
  func plural(of counted: Sentences.Counted) -> any PluralForms
}

extension Wording: Words {
  // A file that names no language does not get past its test.
  var language: Language { Language(tag) ?? .english }
  var isEnglish: Bool { tag == Language.english.tag }

  func text(of sentence: Sentence) -> String {
    switch sentence {
    case .nonEmpty: nonEmpty
    case .notBlank: notBlank
    case .chooseOption: chooseOption
    case .length(let min, let max): text(length, min, max)
    case .pattern: pattern
    case .predicate: predicate
    case .unchecked: unchecked
    case .email: text(email, ["example": "name@example.com"])
    case .url: text(url, ["example": "https://example.com"])
    case .integer: text(integer, ["example": "42"])
    case .number: text(number, ["example": "3.5"])
    case .date: text(date, ["example": "2025-01-31"])
    case .time: text(time, ["example": "09:30"])
    case .dateTime: text(dateTime, ["example": "2025-01-31T09:30"])
    case .skippedTime(let from, let to): text(skippedTime, ["from": from, "to": to])
    case .otherOffset(let offset): text(otherOffset, ["offset": offset])
    case .unknownZone: text(unknownZone, ["example": "2025-01-31T09:30+01:00"])
    case .range(.number, let min, let max): text(numberRange, min, max)
    case .range(.date, let min, let max): text(dateRange, min, max)
    case .range(.time, let min, let max): text(timeRange, min, max)
    case .range(.dateTime, let min, let max): text(dateTimeRange, min, max)
    case .step("1", nil): wholeNumber
    case .step(let step, nil): text(multiple, ["step": step])
    case .step(let step, let from?): text(multipleFrom, ["step": step, "from": from])
    case .oneOf(let values) where values.count == 1: text(onlyValue, ["value": values[0]])
    case .oneOf(let values) where values.count <= 5:
      text(oneOfValues, isolated: ["values": values.map(isolated).joined(separator: comma)])
    case .oneOf: acceptedValue
    case .count(let min, let max): text(count, min, max)
    case .sameAs(let field): text(sameAs, ["field": field])
    case .compare(let order, let field, .number): text(numberOrder, order, field)
    case .compare(let order, let field, .date): text(dateOrder, order, field)
    case .compare(let order, let field, .time): text(timeOrder, order, field)
    case .compare(let order, let field, .dateTime): text(dateTimeOrder, order, field)
    case .any(let sentences): sentences.joined(separator: or)
    case .not: not
    case .text: text
    case .line: line
    case .boolean: boolean
    case .onlyIf(let field, let values): text(onlyIf, values: values, of: field)
    case .onlyIfChosen(let field, let values): text(onlyIfChosen, values: values, of: field)
    case .onlyIfOn(let field): text(onlyIfOn, ["field": field])
    case .onlyIfOff(let field): text(onlyIfOff, ["field": field])
    case .came(let fields): text(came, ["fields": fields])
    case .went(let fields): text(went, ["fields": fields])
    case .tooLong(let surplus): text(tooLong, surplus)
    case .tooLongTogether(let surplus): text(tooLongTogether, surplus)
    }
  }

  func plural(of counted: Sentences.Counted) -> any PluralForms {
    switch counted {
    case .tooLong: tooLong
    case .tooLongTogether: tooLongTogether
    case .problems: problems
    }
  }

  // MARK: Values in their places

  /// A sentence with the values that its places name.
  func text(_ sentence: String, _ values: [String: String]) -> String {
    text(sentence, isolated: values.mapValues(isolated))
  }

  /// “A”, “B” or “C”
  private func text(_ sentence: String, values: [String], of field: String) -> String {
    let quoted = values.map { text(quote, ["value": $0]) }
    let head = quoted.dropLast().joined(separator: comma)
    let either = (head.isEmpty ? [] : [head]) + quoted.suffix(1)
    return text(sentence, isolated: ["field": isolated(field), "values": either.joined(separator: lastOr)])
  }

  private func text(_ sentence: String, isolated values: [String: String]) -> String {
    var (text, rest) = ("", Substring(sentence))
    while let start = rest.utf8.firstIndex(of: UInt8(ascii: "{")),
      let end = rest[start...].utf8.firstIndex(of: UInt8(ascii: "}"))
    {
      text += rest[..<start]
      text += values[String(rest[rest.utf8.index(after: start)..<end])] ?? ""
      rest = rest[rest.utf8.index(after: end)...]
    }
    return text + rest
  }

  /// A value that keeps its own direction in a sentence from right to left: 2025-01-31 would otherwise read 31-01-2025
  /// (Unicode, UAX 9, section 2.3).
  private func isolated(_ value: String) -> String { language.isRightToLeft ? "\u{2068}\(value)\u{2069}" : value }

  private func text(_ count: Count, _ min: Int?, _ max: Int?) -> String {
    let (sentence, number) =
      switch (min, max) {
      case (let min?, let max?): (min == max ? count.exactly : count.between, max)
      case (let min?, nil): (count.atLeast, min)
      // Without bounds it never fails.
      case (nil, let max): (count.atMost, max ?? .max)
      }
    return text(sentence.form(for: number), ["n": String(number), "min": min.map(String.init) ?? ""])
  }

  private func text(_ sentence: Plural, _ number: String) -> String {
    text(sentence.form(for: Int(number) ?? .max), ["n": number])
  }

  private func text(_ range: Range, _ min: String?, _ max: String?) -> String {
    let sentence = min == nil ? range.atMost : max == nil ? range.atLeast : range.between
    return text(sentence, ["min": min ?? "", "max": max ?? ""])
  }

  private func text(_ order: Order, _ relation: Rule.Order, _ field: String) -> String {
    let sentence =
      switch relation {
      case .less: order.less
      case .lessOrEqual: order.lessOrEqual
      case .greater: order.greater
      case .greaterOrEqual: order.greaterOrEqual
      }
    return text(sentence, ["field": field])
  }
}

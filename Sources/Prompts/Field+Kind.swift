extension Field {
  /// What sort of value a field asks for.
  public enum Kind: String, Sendable, CaseIterable {
    case text, multiline, email, url, tel, password, search
    case number, integer
    case date, time
    /// A local date and time.
    case dateTime
    case boolean
    /// One of the field's options.
    case choice
    /// Any of the field's options.
    case choices
    /// A number on a scale.
    case slider

    /// For sentences: a `text`, an `email`.
    package var withArticle: String { "\(self == .email || self == .integer ? "an" : "a") `\(rawValue)`" }

    /// What values of this kind are compared as; nil: not at all.
    var quantity: Quantity.Form? {
      switch self {
      case .number, .integer, .slider: .number
      case .date: .date
      case .time: .time
      case .dateTime: .dateTime
      default: nil
      }
    }

    /// A text of this kind as what it is compared as; nil: the text is not of this kind.
    func quantity(_ text: String) -> Quantity? {
      if self == .integer, !IntegerRule().isMet(by: text) { return nil }
      return quantity.flatMap { Quantity(text, form: $0) }
    }

    /// Whether a line feed may stand in the text.
    package var isMultiline: Bool { self == .multiline }

    /// Whether white space at both ends is dropped unless the field says otherwise: a keyboard adds it, and no value of
    /// this kind has it.
    package var trims: Bool {
      switch self {
      case .email, .url, .tel, .number, .integer, .date, .time, .dateTime: true
      case .text, .multiline, .password, .search, .boolean, .choice, .choices, .slider: false
      }
    }

    /// Whether the field offers `options`.
    package var offersOptions: Bool { self == .choice || self == .choices }

    /// What a field of this kind holds when nobody has filled it.
    package var emptyInput: Input {
      switch self {
      case .choices: .choices([])
      case .boolean: .text("false")
      default: .text("")
      }
    }

    /// The rule that every field of this kind has unless it is written out; nil: none.
    func impliedRule(options: [Option], international: Bool) -> Rule? {
      switch self {
      case .email: Rule(EmailRule(international: international))
      case .url: Rule(URLRule())
      case .integer: Rule(IntegerRule())
      case .number, .slider: Rule(NumberRule())
      case .date: Rule(DateRule())
      case .time: Rule(TimeRule())
      case .dateTime: Rule(DateTimeRule())
      case .choice, .choices: Rule(OneOf(values: options.map(\.value)))
      case .text, .multiline, .tel, .password, .search, .boolean: nil
      }
    }
  }
}

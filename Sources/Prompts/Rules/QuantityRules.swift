internal import StrictJSON

/// `integer`: `-?[0-9]+`, at most 34 digits.
struct IntegerRule: PlainCondition, ByteCondition {
  static let name = "integer"

  var step: Step { .integer }
  func isMet(by bytes: UnsafeBufferPointer<UInt8>) -> Bool { NumberReader.isInteger(bytes) }
  /// A sign and 34 digits.
  func narrow(_ premise: inout Premise) { premise.limit(to: 35) }

  func sentence(for reader: Audience) -> Sentence { .integer }
  func schema(of texts: SentTexts) -> JSON? { texts.matching("-?[0-9]{1,34}") }
}

/// `number`: a decimal number (see `ExactNumber` for the grammar).
struct NumberRule: PlainCondition, TextCondition {
  static let name = "number"

  func isMet(by text: String) -> Bool { ExactNumber(text) != nil }
  func sentence(for reader: Audience) -> Sentence { .number }

  func schema(of texts: SentTexts) -> JSON? {
    let number = texts.matching(
      #"-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?0*(?:[0-9]{1,2}|[12][0-9]{2}|30[0-8]))?"#)
    // It begins with a digit too many.
    return .all([number, texts.notBeginning(with: #"-?(?:\.?[0-9]){35}"#)])
  }
}

/// `date`: HTML's valid date string, `2025-01-31`, years 0001 to 9999.
struct DateRule: PlainCondition, TextCondition {
  static let name = "date"

  func isMet(by text: String) -> Bool { Quantity(text, form: .date) != nil }
  func narrow(_ premise: inout Premise) { premise.limit(to: "2025-01-31".utf8.count) }
  func sentence(for reader: Audience) -> Sentence { .date }
  func schema(of texts: SentTexts) -> JSON? { texts.matching(DatePattern.date) }
}

/// `time`: HTML's valid time string, `09:30`, `09:30:15` or `09:30:15.250`.
struct TimeRule: PlainCondition, TextCondition {
  static let name = "time"

  func isMet(by text: String) -> Bool { Quantity(text, form: .time) != nil }
  func narrow(_ premise: inout Premise) { premise.limit(to: "09:30:15.250".utf8.count) }
  func sentence(for reader: Audience) -> Sentence { .time }
  func schema(of texts: SentTexts) -> JSON? { texts.matching(DatePattern.time) }
}

/// `dateTime`: HTML's valid local date and time string, `2025-01-31T09:30`.
struct DateTimeRule: PlainCondition, TextCondition {
  static let name = "dateTime"

  func isMet(by text: String) -> Bool { Quantity(text, form: .dateTime) != nil }
  func narrow(_ premise: inout Premise) { premise.limit(to: "2025-01-31T09:30:15.250".utf8.count) }
  func sentence(for reader: Audience) -> Sentence { .dateTime }
  func schema(of texts: SentTexts) -> JSON? { texts.matching("\(DatePattern.date)[T ]\(DatePattern.time)") }
}

/// HTML’s formats as patterns, the Gregorian calendar included.
private enum DatePattern {
  static let date: String = {
    let year = "(?:[0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)"
    let days =
      "(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))"
    let fourth = "(?:0[48]|[2468][048]|[13579][26])"
    return "(?:\(year)-\(days)|(?:[0-9]{2}\(fourth)|\(fourth)00)-02-29)"
  }()

  static let time = #"(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,3})?)?"#
}

/// `range`: within two bounds, compared exactly or by calendar. The bounds' form says what is compared.
struct RangeRule: TextCondition {
  static let name = "range"
  static var keys: [String] { ["min", "max"] }

  let min: Quantity?
  let max: Quantity?

  init(min: Quantity?, max: Quantity?) { (self.min, self.max) = (min, max) }

  init?(_ arguments: Mapping, _ reading: inout Reading) {
    let (low, high) = (arguments["min"], arguments["max"])
    if low == nil, high == nil {
      reading.report(
        "`range` needs `min`, `max` or both", "write it like `range: {min: 0, max: 10}`", at: arguments.place)
      return nil
    }
    let (min, max) = (Self.bound(low, "min", &reading), Self.bound(high, "max", &reading))
    if low != nil && min == nil || high != nil && max == nil { return nil }
    if let min, let max, min.form != max.form {
      reading.report(
        "`min` \(min.text) and `max` \(max.text) cannot be compared",
        "make both numbers, both dates, both times or both dates with times", at: arguments.place)
      return nil
    }
    if let min, let max, min.compared(to: max) > 0 {
      reading.report("`min` \(min.text) is greater than `max` \(max.text)", "swap them", at: arguments.place)
      return nil
    }
    (self.min, self.max) = (min, max)
  }

  private static func bound(_ node: Node?, _ key: String, _ reading: inout Reading) -> Quantity? {
    guard let node, let text = reading.string(node, key, orLiteral: true) else { return nil }
    if let quantity = Quantity(text) { return quantity }
    reading.report(
      "`\(key)` `\(text)` is neither a number nor a date nor a time",
      "write it like 10, 2025-01-31, 09:30 or 2025-01-31T09:30", at: node.place)
    return nil
  }

  var form: Quantity.Form { min?.form ?? max?.form ?? .number }

  var step: Step {
    let (low, high) = (min.map(\.integer) ?? Int.min, max.map(\.integer) ?? Int.max)
    guard form == .number, let low, let high else { return .condition }
    return .range(low, high)
  }

  func isMet(by text: String) -> Bool {
    guard let value = Quantity(text, form: form) else { return false }
    if let min, value.compared(to: min) < 0 { return false }
    if let max, value.compared(to: max) > 0 { return false }
    return true
  }

  func write(to json: inout JSONWriter, for reader: Audience) {
    json.member("min", ifPresent: min?.text)
    json.member("max", ifPresent: max?.text)
  }

  func sentence(for reader: Audience) -> Sentence { .range(form, min?.text, max?.text) }

  func fault(in field: Field, of fields: [Field]) -> (what: String, remedy: String)? {
    guard let own = field.kind.quantity, own != form else { return nil }
    return (
      "the bounds of `range` are no `\(field.kind.rawValue)`",
      "write bounds that \(field.kind.withArticle) field can hold"
    )
  }
}

/// `step`: a whole number of steps from a start, exactly: 0.3 is a step of 0.1.
struct StepRule: TextCondition {
  static let name = "step"
  static var keys: [String] { ["of", "from"] }
  static var shorthand: String? { "of" }

  let of: ExactNumber
  /// Where steps are counted from, or `nil` for 0.
  let from: ExactNumber?

  init(of: ExactNumber, from: ExactNumber?) { (self.of, self.from) = (of, from) }

  init?(_ arguments: Mapping, _ reading: inout Reading) {
    guard let node = arguments["of"] else {
      reading.report("`step` needs `of`", "write it like `step: {of: 0.5}`", at: arguments.place)
      return nil
    }
    let (of, from) = (Self.number(node, "of", &reading), Self.number(arguments["from"], "from", &reading))
    if of == nil || arguments["from"] != nil && from == nil { return nil }
    guard let of, of.sign > 0 else {
      reading.report("a step must be greater than 0", "write it like `step: {of: 0.5}`", at: node.place)
      return nil
    }
    (self.of, self.from) = (of, from)
  }

  private static func number(_ node: Node?, _ key: String, _ reading: inout Reading) -> ExactNumber? {
    guard let node, let text = reading.string(node, key, orLiteral: true) else { return nil }
    if let number = ExactNumber(text) { return number }
    reading.report("`\(key)` `\(text)` is not a number", "write it like 1, 0.5 or 1e3", at: node.place)
    return nil
  }

  func isMet(by text: String) -> Bool {
    guard let value = ExactNumber(text) else { return false }
    return value.isWholeNumber(of: of, from: from ?? .zero)
  }

  func write(to json: inout JSONWriter, for reader: Audience) {
    json.member("of", of.text)
    json.member("from", ifPresent: from?.text)
  }

  func sentence(for reader: Audience) -> Sentence {
    .step(of: of.text, from: from.flatMap { $0.sign == 0 ? nil : $0.text })
  }
}

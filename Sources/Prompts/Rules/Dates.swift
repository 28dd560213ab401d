internal import StrictJSON

/// `date`: HTML's valid date string, `2025-01-31`, years 0001 to 9999.
struct DateRule: TextCondition {
  static let name = "date"

  init() {}
  init?(_ arguments: Mapping, _ reading: inout Reading) {}

  func isMet(by text: String) -> Bool { Quantity(text, form: .date) != nil }
  func narrow(_ premise: inout Premise) { premise.limit(to: "2025-01-31".utf8.count) }
  func sentence(for reader: Audience) -> Sentence { .date }
  func schema(of texts: SentTexts) -> JSON? { texts.matching(DatePattern.date) }
}

/// `time`: HTML's valid time string, `09:30`, `09:30:15` or `09:30:15.250`.
struct TimeRule: TextCondition {
  static let name = "time"

  init() {}
  init?(_ arguments: Mapping, _ reading: inout Reading) {}

  func isMet(by text: String) -> Bool { Quantity(text, form: .time) != nil }
  func narrow(_ premise: inout Premise) { premise.limit(to: "09:30:15.250".utf8.count) }
  func sentence(for reader: Audience) -> Sentence { .time }
  func schema(of texts: SentTexts) -> JSON? { texts.matching(DatePattern.time) }
}

/// `dateTime`: HTML's valid local date and time string, `2025-01-31T09:30`.
struct DateTimeRule: TextCondition {
  static let name = "dateTime"

  init() {}
  init?(_ arguments: Mapping, _ reading: inout Reading) {}

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

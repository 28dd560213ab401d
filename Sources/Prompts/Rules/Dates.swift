/// `date`: HTML's valid date string, `2025-01-31`, years 0001 to 9999.
struct DateRule: TextCondition {
  static let name = "date"

  init() {}
  init?(_ arguments: Mapping, _ reading: inout Reading) {}

  func isMet(by text: String) -> Bool { Quantity(text, form: .date) != nil }
  func sentence(for reader: Audience) -> Sentence { .date }
}

/// `time`: HTML's valid time string, `09:30`, `09:30:15` or `09:30:15.250`.
struct TimeRule: TextCondition {
  static let name = "time"

  init() {}
  init?(_ arguments: Mapping, _ reading: inout Reading) {}

  func isMet(by text: String) -> Bool { Quantity(text, form: .time) != nil }
  func sentence(for reader: Audience) -> Sentence { .time }
}

/// `dateTime`: HTML's valid local date and time string, `2025-01-31T09:30`.
struct DateTimeRule: TextCondition {
  static let name = "dateTime"

  init() {}
  init?(_ arguments: Mapping, _ reading: inout Reading) {}

  func isMet(by text: String) -> Bool { Quantity(text, form: .dateTime) != nil }
  func sentence(for reader: Audience) -> Sentence { .dateTime }
}

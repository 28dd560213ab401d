/// `time`: HTML's valid time string, `09:30`, `09:30:15` or `09:30:15.250`.
struct TimeRule: TextCondition {
  static let name = "time"

  func isMet(by text: String) -> Bool { Quantity(text, form: .time) != nil }
  /// `09:30` to `09:30:15.250`
  var limits: Limits { Limits(lengths: (5, 12)) }
  func schema(of texts: RawTextContext) -> JSON? { texts.matching(Calendar.time) }
}

internal import Pattern
internal import StrictJSON

/// `time`: HTML's valid time string, `09:30`, `09:30:15` or `09:30:15.250`.
struct TimeRule: TextCondition {
  static let name = "time"

  func isMet(by text: String) -> Bool { Quantity(text, form: .time) != nil }
  func narrow(_ premise: inout Premise) { premise.limit(to: "09:30:15.250".utf8.count) }
  var lengths: (min: Int, max: Int) { (5, 12) }
  var shape: PatternSyntax? { Calendar.shape(of: .time, isZoned: false) }
  var core: PatternSyntax? { shape }
  func schema(of texts: RawTextContext) -> JSON? { texts.matching(Calendar.time) }
}

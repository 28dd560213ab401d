internal import StrictJSON

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

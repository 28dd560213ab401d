internal import StrictJSON

/// `count`: a number of chosen options within bounds; for `choices` fields.
struct Count: Condition {
  static let name = "count"
  static var keys: [String] { ["min", "max"] }
  static var judgesChoices: Bool { true }

  let min: Int?
  let max: Int?

  init(min: Int?, max: Int?) { (self.min, self.max) = (min, max) }

  init?(_ arguments: Mapping, _ reading: inout Reading) {
    guard let bounds = reading.bounds(of: Self.name, arguments) else { return nil }
    (min, max) = bounds
  }

  func judge(_ input: Input, in context: Context) -> Finding {
    guard case .choices(let texts) = input else { return .unmet(nil) }
    return texts.count >= min ?? 0 && texts.count <= max ?? .max ? .met : .unmet(nil)
  }

  func write(to json: inout JSONWriter, for reader: Audience) {
    json.member("min", ifPresent: min)
    json.member("max", ifPresent: max)
  }

  func sentence(for reader: Audience) -> Sentence { .count(min, max) }

  func schema(of texts: SentTexts) -> JSON? {
    var members: [JSON.Member] = []
    if let min { members.append(.init("minItems", RuleSchema.integer(min))) }
    if let max { members.append(.init("maxItems", RuleSchema.integer(max))) }
    return .object(members)
  }

  func fault(in field: Field, of fields: [Field]) -> (what: String, remedy: String)? {
    field.kind == .choices
      ? nil
      : (
        "`count` counts chosen options, but this field is \(field.kind.withArticle)",
        "use `length`, or make the field's kind `choices`"
      )
  }
}

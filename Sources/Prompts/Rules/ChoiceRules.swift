internal import StrictJSON

/// `oneOf`: one of a list, code point by code point; of choices, each chosen one.
struct OneOf: Condition {
  static let name = "oneOf"
  static var keys: [String] { ["values"] }
  static var shorthand: String? { "values" }
  static var judgesChoices: Bool { true }

  let values: [String]
  private let accepted: TextSet

  init(values: [String]) { (self.values, accepted) = (values, TextSet(values)) }

  init?(_ arguments: Mapping, _ reading: inout Reading) {
    guard let node = arguments["values"] else {
      reading.report("`oneOf` needs a list", "write it like `oneOf: [red, green]`", at: arguments.place)
      return nil
    }
    guard let values = reading.strings(node, "values") else { return nil }
    if values.isEmpty {
      reading.report("`oneOf` has nothing to choose from", "list at least one text", at: node.place)
      return nil
    }
    guard reading.spend(TextSet.work(of: values.count)) else { return nil }
    self.init(values: values)
  }

  func judge(_ input: Input, of rule: Rule, in context: Context) -> Finding {
    switch input {
    case .text(let text): accepted.contains(text) ? .met : .unmet(rule)
    case .choices(let texts):
      (context.isCondition ? texts.contains(where: accepted.contains) : texts.allSatisfy(accepted.contains))
        ? .met : .unmet(rule)
    case .illFormed: .unmet(rule)
    }
  }

  func work(on size: InputSize) -> Int {
    // Each comparison looks at the text's length and at most at all its bytes.
    2_000 + accepted.mostComparisons * (15 * size.texts + size.bytes / 4) + 20 * size.bytes
  }
  func narrow(_ premise: inout Premise) { premise.limit(to: values.map(\.unicodeScalars.count).max()) }

  func write(to json: inout JSONWriter, for reader: Audience) {
    json.member("values") { $0.array(values) }
  }

  var dependsOnField: Bool { true }
  func sentence(for reader: Audience) -> Sentence {
    reader.field?.kind.offersOptions == true ? .chooseOption : .oneOf(values)
  }

  /// Values that no text of this field can be, since it is normalised and meets the rule `text` first.
  func fault(in field: Field, of fields: [Field]) -> (what: String, remedy: String)? {
    for value in values {
      let input = Input.text(value)
      let fault: String? =
        if value.utf8.contains(0x0D) {
          "a carriage return, which becomes a line feed"
        } else if case .text(let trimmed) = input.normalized(trim: field.trim), !isSame(trimmed, value) {
          "white space at an end, which `trim` drops"
        } else {
          switch TextRule.fault(in: input, kind: field.kind.isMultiline ? .multiline : .text) {
          case .line?: "a line feed, and \(field.kind.withArticle) field has one line"
          case .tooLong?: "more than \(TextRule.limit) bytes"
          case nil: nil
          default: "a control character"
          }
        }
      guard let fault else { continue }
      let shown = value.unicodeScalars.prefix(40).map { $0.value < 0x20 ? "�" : String($0) }.joined()
      return ("no text is equal to the value “\(shown)” of `oneOf`: it has \(fault)", "mend the value, or remove it")
    }
    return nil
  }

  func schema(of texts: SentTexts) -> JSON? {
    // A line feed may have been CRLF when it was sent.
    if values.contains(where: { $0.utf8.contains(0x0A) }) { return nil }
    let one: JSON = texts.trim ? texts.matching(alternatives) : .keyword("enum", .array(values.map(JSON.string)))
    return texts.kind == .choices ? .keyword(texts.isCondition ? "contains" : "items", one) : one
  }

  /// The values as a pattern, without those that no trimmed text is; or `nil` if there are none.
  private var alternatives: String? {
    let values = values.filter { value in
      let scalars = value.unicodeScalars
      return scalars.first?.isWhiteSpace != true && scalars.last?.isWhiteSpace != true
    }
    let choices = values.map { value in
      PatternSyntax.sequence(value.unicodeScalars.map { .codePoint(CodePointSet($0.value)) })
    }
    return values.isEmpty ? nil : PortablePattern.print(.choice(choices))
  }
}

/// `count`: a number of chosen options within bounds; for `choices` fields.
///
/// A person cannot choose an option twice, but a program can send it twice.
struct Count: Condition {
  static let name = "count"
  static var keys: [String] { ["min", "max", "unique"] }
  static var judgesChoices: Bool { true }

  let min: Int?
  let max: Int?
  /// Whether no option may be chosen twice.
  let unique: Bool

  init(min: Int?, max: Int?, unique: Bool = false) { (self.min, self.max, self.unique) = (min, max, unique) }

  init?(_ arguments: Mapping, _ reading: inout Reading) {
    let unique = reading.bool(arguments["unique"], "unique")
    guard let bounds = reading.bounds(of: Self.name, arguments) else { return nil }
    (min, max, self.unique) = (bounds.min, bounds.max, unique ?? false)
  }

  func judge(_ input: Input, of rule: Rule, in context: Context) -> Finding {
    guard case .choices(let texts) = input else { return .unmet(rule) }
    guard texts.count >= min ?? 0, texts.count <= max ?? .max else { return .unmet(rule) }
    return unique && TextSet(texts).count < texts.count ? .unmet(rule) : .met
  }

  func work(on size: InputSize) -> Int { 2_000 + (unique ? TextSet.work(of: size.texts) + 20 * size.bytes : 0) }

  func write(to json: inout JSONWriter, for reader: Audience) {
    json.bounds(min, max)
    if unique { json.member("unique", true) }
  }

  func sentence(for reader: Audience) -> Sentence { unique ? .countOnce(min, max) : .count(min, max) }
  func schema(of texts: SentTexts) -> JSON? {
    let bounds = JSON.bounds("Items", min, max)
    return unique ? .all([bounds, .keyword("uniqueItems", .bool(true))]) : bounds
  }

  func fault(in field: Field, of fields: [Field]) -> (what: String, remedy: String)? {
    if field.kind == .choices { return nil }
    return (
      "`count` counts chosen options, but this field is \(field.kind.withArticle)",
      "use `length`, or make the field's kind `choices`"
    )
  }
}

extension Field {
  /// Whether more options are chosen than there are, some of them twice: then none is read.
  func hasTooMany(_ choices: Int) -> Bool { !options.isEmpty && choices > options.count }

  /// What such an input fails.
  var choosingEachOnce: Rule { Rule(Count(min: nil, max: options.count, unique: true)) }
}

/// `oneOf`: one of a list, code point by code point; of choices, each chosen one.
struct OneOf: Condition {
  static let name = "oneOf"
  static let arguments = [
    Argument<Self>(
      name: "values", needs: ("a list", FaultRow("write-one-of")), isShorthand: true,
      read: { rule, arguments, reading in
        guard let node = arguments["values"], let values = reading.strings(node, "values") else { return false }
        if values.isEmpty { reading.report("nothing-to-choose", at: node.place) }
        guard !values.isEmpty, reading.spend(TextSet.work(of: values.count)) else { return false }
        rule.values = values
        return true
      }, write: { rule, json, _ in json.member("values") { $0.array(rule.values) } })
  ]

  var values: [String] = [] { didSet { accepted = TextSet(values) } }
  private var accepted = TextSet([])

  init() {}
  init(values: [String]) {
    self.values = values
    accepted = TextSet(values)
  }

  func judge(_ input: Input, of rule: Rule, in context: JudgingContext) -> Finding {
    switch input {
    case .text(let text): accepted.contains(text) ? .met : .unmet(rule)
    case .choices(let texts) where context.isCondition: texts.contains(where: accepted.contains) ? .met : .unmet(rule)
    case .choices(let texts):
      // If more are chosen than there are, some are chosen twice. Only programs can do that.
      if !texts.allSatisfy(accepted.contains) {
        .unmet(rule)
      } else if context.index.map({ context.fields[$0].kind }) == .choices, texts.count > values.count {
        .unmet(rule, saying: context.sentences(.noOptionTwice))
      } else {
        .met
      }
    case .illFormed: .unmet(rule)
    }
  }

  func work(on size: InputSize) -> Int { 2_000 + TextSet.workOfLookup(size) }

  var limits: Limits { Limits(lengths: (0, values.map(\.unicodeScalars.count).max() ?? .max), texts: values) }

  func sentence(for reader: Audience) -> Sentence {
    if reader.kind == .boolean, values == ["true"] || values == ["false"] {
      return values == ["true"] ? .turnOn : .turnOff
    }
    return reader.kind?.offersOptions == true ? .chooseOption : .oneOf(values)
  }

  /// Values that no text of this field can be, since it is normalised and meets the rule `text` first.
  func fault(in field: Field, of fields: [Field]) -> FaultRow? {
    for value in values {
      let kind: Field.Kind = field.kind.isMultiline ? .multiline : .text
      // A control character would not be seen in it.
      let shown = value.unicodeScalars.prefix(40).map { $0.value < 0x20 ? "�" : String($0) }.joined()
      if value.utf8.contains(0x0D) {
        return FaultRow("impossible-value.return", ["value": shown, "key": Self.name])
      }
      if let trimmed = Input.text(value).normalized(trim: field.trim, readsNumbers: false).text, !isSame(trimmed, value)
      {
        return FaultRow("impossible-value.space", ["value": shown, "key": Self.name])
      }
      if field.readsNumbers, !isSame(Numeral.plain(value), value) {
        return FaultRow(
          "impossible-value.numeral", ["value": shown, "key": Self.name, "plain": Numeral.plain(value)])
      }
      switch TextRule.fault(in: .text(value), kind: kind)?.key {
      case nil: continue
      case Sentence.text.key: return FaultRow("impossible-value.control", ["value": shown, "key": Self.name])
      case Sentence.line.key:
        return FaultRow(
          "impossible-value.line-feed", ["value": shown, "key": Self.name, "kind": field.kind.withArticle])
      default:
        return FaultRow("impossible-value.bytes", ["value": shown, "key": Self.name, "limit": TextRule.limit])
      }
    }
    return nil
  }

  func schema(of texts: RawTextContext) -> JSON? {
    // A line feed may have been CRLF when it was sent.
    if values.contains(where: { $0.utf8.contains(0x0A) }) { return nil }
    let one: JSON = texts.trim ? texts.matching(alternatives) : .keyword("enum", .array(values.map(JSON.string)))
    return texts.kind.isList ? .keyword(texts.isCondition ? "contains" : "items", one) : one
  }

  /// The values as a pattern, without those that no trimmed text is; or `nil` if there are none.
  private var alternatives: String? {
    let values = values.filter { value in
      let scalars = value.unicodeScalars
      return scalars.first?.isWhiteSpace != true && scalars.last?.isWhiteSpace != true
    }
    let pattern = PatternSyntax.choice(
      values.map { .sequence($0.unicodeScalars.map { .codePoint(CodePointSet($0.value)) }) })
    return values.isEmpty ? nil : PatternPrinter().print(pattern)
  }
}

/// Texts, each once, code point by code point.
package struct TextSet: Sendable {
  /// As UTF-8: strings are equal if they only look the same.
  private let texts: Set<[UInt8]>

  package init(_ texts: [String]) { self.texts = Set(texts.map { Array($0.utf8) }) }

  package var count: Int { texts.count }

  package func contains(_ text: String) -> Bool { texts.contains(Array(text.utf8)) }

  /// At most what it costs to make a set of so many texts; see `WorkBudget`.
  static func work(of count: Int) -> Int { 300 * count }

  /// At most what it costs to look for these texts.
  static func workOfLookup(_ size: InputSize) -> Int { 100 * size.texts + 20 * size.bytes }
}

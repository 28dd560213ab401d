/// `count`: a number of chosen options, or of a list's items, within bounds.
///
/// A person cannot choose an option twice, but a program can send it twice.
struct Count: BoundedCondition {
  static let name = "count"
  static let arguments = [
    Argument("min", \Self.min), Argument("max", \Self.max), Argument("unique", \Self.unique),
  ]

  var min, max: Int?
  /// True if no option may be chosen twice, and no item written twice.
  var unique = false

  var limits: Limits { Limits(counts: (min ?? 0, max ?? .max)) }

  var faultOfArguments: FaultRow? { isUnbounded && unique ? nil : faultOfBounds }
  private var isUnbounded: Bool { min == nil && max == nil }

  func judge(_ input: Input, of rule: Rule, in context: JudgingContext) -> Finding {
    guard case .choices(let texts) = input, contains(texts.count) else { return .unmet(rule) }
    guard unique else { return .met }
    let field = context.field, areNumbers = field.map { $0.kind == .list && $0.readsNumbers } ?? false
    let hasOneTwice = { (texts: [String]) in
      (areNumbers ? Self.different(texts) : TextSet(texts).count) < texts.count
    }
    guard hasOneTwice(texts) else { return .met }
    guard let field, field.kind == .list else { return .unmet(rule) }
    // The first item that stands before it too is the last of the shortest beginning with one twice.
    let beginning = Array(1...texts.count).partitioningIndex { hasOneTwice(Array(texts.prefix($0))) }
    return .unmetOnLine((context.inputs[field.name] ?? input).line(ofItem: beginning), .unmet(rule))
  }

  /// The number of different ones among numbers: what rounds to one double is the same to most programs.
  private static func different(_ texts: [String]) -> Int {
    let numbers = texts.map { text in
      text.utf8.contains(where: ASCII.isDigit)
        && text.utf8.allSatisfy { ASCII.isDigit($0) || ".eE+-".utf8.contains($0) }
    }
    let doubles = zip(texts, numbers).compactMap { $1 ? $0 : nil }.map { Double($0) }
    return Set(doubles).count + TextSet(zip(texts, numbers).compactMap { $1 ? nil : $0 }).count
  }

  func work(on size: InputSize) -> Int {
    2_000 + (unique && size.texts <= max ?? .max ? 2_000 * size.texts + 200 * size.bytes : 0)
  }

  func sentence(for reader: Audience) -> Sentence {
    if isUnbounded { return reader.kind == .list ? .noLineTwice : .noOptionTwice }
    if reader.kind == .list { return unique ? .linesOnce(min, max) : .lines(min, max) }
    return unique ? .countOnce(min, max) : .count(min, max)
  }

  func schema(of texts: RawTextContext) -> JSON? {
    // As entered, items that differ may be one: with white space around, or written in another way.
    if unique, !texts.areAnswers, texts.trim || texts.readsNumbers { return nil }
    let bounds = JSON.bounds("Items", min, max)
    return unique ? .all([bounds, .keyword("uniqueItems", .bool(true))]) : bounds
  }

  func fault(in field: Field, of fields: [Field]) -> FaultRow? {
    field.kind.isList ? nil : FaultRow("count-of-texts", ["kind": field.kind.withArticle])
  }
}

/// Turns schemas of numbers into fields.
extension SchemaReader {
  mutating func expressNumber(_ property: inout Property) {
    let isInteger = property.type == "integer"
    expressKind(&property, isInteger ? [.integer, .slider] : [.number, .slider])
    expressRuleOfKind(by: property.typeStatement, &property)
    if isInteger, property.kind == .slider {
      property.rules.append(Node(.keyword("integer", .bool(true)), standingFor: property.place))
    }
    expressBounds(&property)
  }

  /// Says which numbers of the type there may be.
  mutating func expressBounds(_ property: inout Property) {
    let isInteger = property.type == "integer"
    for format in property.takeAll("format") {
      let word = format.value.scalarText ?? ""
      if let ends = Self.integerFormats[word] {
        if !isInteger { property.addRule(.keyword("integer", .bool(true)), for: format) }
        property.addRule(Self.rule("range", ends), for: format)
      } else if word != "float", word != "double" {
        warn("unknown-format", ["word": word], at: format.value.place)
      }
    }
    var bounds: [End] = []
    for (key, end, isExclusive) in [
      ("minimum", "min", false), ("exclusiveMinimum", "min", true), ("maximum", "max", false),
      ("exclusiveMaximum", "max", true),
    ] {
      for statement in property.takeAll(key) {
        guard let number = number(statement) else { continue }
        let bound = number.bound(isLower: end == "min", isExclusive: isExclusive, ofIntegers: isInteger)
        if isInteger, number.exceedsIntegers(isLower: end == "min") {
          reading.report(
            "too-many-digits", ["digits": ExactNumber.maximumDigits, "bound": number.text], at: statement.value.place)
        } else if let bound {
          bounds.append((end, bound.text, statement, bound.isAlone))
        } else {
          report("nothing-left", at: statement.value.place)
        }
      }
    }
    keepApart(bounds, ofType: property.type)
    say(bounds, by: "range", &property)
    var digits: Int?
    for statement in property.takeAll("multipleOf") {
      guard let step = number(statement) else { continue }
      guard step.sign > 0 else {
        report("step-not-positive.schema", at: statement.value.place)
        continue
      }
      property.addRule(.keyword("step", .string(step.exactLiteral)), for: statement)
      // With more digits, a double is a multiple of something else.
      digits = min(digits ?? 15, 15 + min(0, step.exponent))
      if !step.isBinary { warn("decimal-step", ["step": step.text], at: statement.value.place) }
    }
    if let digits, let limit = ExactNumber("1e\(max(digits, -308))") {
      for (end, text, statement, _) in bounds {
        guard let bound = ExactNumber(text), bound.sign == (end == "min" ? 1 : -1), bound.isBeyond(limit) else {
          continue
        }
        report("beyond-steps", ["limit": limit.exactLiteral, "keyword": statement.key], at: statement.value.place)
      }
    }
    // A slider's ends and options are bounds already.
    let isOpen = !isInteger && property.options == nil && property.extra("kind")?.scalarText != "slider"
    guard let limit = digits.map({ "1e\(max($0, -308))" }) ?? (isOpen ? "1.7976931348623157e308" : nil) else { return }
    for (end, text) in [("min", "-" + limit), ("max", limit)]
    where digits != nil || !bounds.contains(where: { $0.end == end }) {
      property.rules.append(Node(Self.rule("range", [(end, text)]), standingFor: property.place))
    }
  }

  /// The formats of OpenAPI: how many bits an integer has, which a validator may check or not.
  private static let integerFormats = [
    "int32": [("min", String(Int32.min)), ("max", String(Int32.max))],
    "int64": [("min", String(Int64.min)), ("max", String(Int64.max))],
  ]

  private mutating func number(_ statement: Statement) -> ExactNumber? {
    if case .number(let literal) = statement.value.content, let number = ExactNumber(literal),
      let double = Double(literal), double.isFinite, (double == 0) == (number.sign == 0)
    {
      return number
    }
    return refuse("not-a-number.schema", ["keyword": statement.key], at: statement.value.place)
  }

  // MARK: Bounds

  /// Reports bounds that leave no number.
  private mutating func keepApart(_ bounds: [End], ofType type: String) {
    for low in bounds where low.end == "min" {
      for high in bounds where high.end == "max" {
        guard let least = ExactNumber(low.text), let most = ExactNumber(high.text), most < least else { continue }
        let words = [low, high].map { "`\($0.statement.key)` \(number($0.statement)?.text ?? $0.text)" }
        return report(
          "crossed-bounds", ["type": type, "min": words[0], "max": words[1]], at: low.statement.value.place)
      }
    }
  }

  /// A bound that a keyword sets: `min` or `max`, its number, the keyword, and whether it is a rule of its own.
  typealias End = (end: String, text: String, statement: Statement, isAlone: Bool)

  private static func rule(_ name: String, _ ends: [(String, String)]) -> JSON {
    .keyword(name, .object(ends.map { .init($0, .number($1)) }))
  }

  /// Adds rules for bounds: one for a minimum and a maximum without messages of their own, otherwise one for each.
  mutating func say(_ ends: [End], by rule: String, _ property: inout Property) {
    func json(_ ends: [End]) -> JSON {
      let isNonEmpty = rule != "range" && ends.count == 1 && ends[0].end == "min" && ends[0].text == "1"
      return isNonEmpty ? .keyword("nonEmpty", .bool(true)) : Self.rule(rule, ends.map { ($0.end, $0.text) })
    }
    let numbers = ends.compactMap { ExactNumber($0.text) }
    if ends.map(\.end) == ["min", "max"], numbers.count == 2, !(numbers[1] < numbers[0]),
      property.extra("messages") == nil, !ends.contains(where: \.isAlone), rule == "range" || ends[0].text != "1"
    {
      property.addRule(json(ends), for: ends[0].statement)
    } else {
      for one in ends { property.addRule(json([one]), for: one.statement) }
    }
  }

  /// Reads how many code points or items there must be at least or at most.
  mutating func counts(_ keyword: String, _ end: String, _ property: inout Property) -> [End] {
    property.takeAll(keyword).compactMap { statement in
      guard let count = reading.count(statement.value, keyword), end == "max" || count > 0 else { return nil }
      return (end, String(count), statement, false)
    }
  }
}

extension ExactNumber {
  /// The bound as an inclusive one: of an exclusive one of integers the next integer, of any other the next double. That
  /// stands alone, since people read the number that it excludes.
  ///
  /// - Returns: `nil` if there is no number within it.
  fileprivate func bound(isLower: Bool, isExclusive: Bool, ofIntegers: Bool) -> (text: String, isAlone: Bool)? {
    if ofIntegers, let whole = integer, case (let next, false) = whole.addingReportingOverflow(isLower ? 1 : -1) {
      return (String(isExclusive ? next : whole), false)
    }
    guard isExclusive, let double = Double(text) else { return (exactLiteral, false) }
    return ExactNumber(shortest: isLower ? double.nextUp : double.nextDown).map {
      ($0.exactLiteral, $0.excluded(isLower: isLower) != nil)
    }
  }

  /// The shorter number that this bound excludes: the double next to it. `nil` if the bound names what counts, as it does
  /// next to large numbers, where the skipped values may be whole numbers.
  func excluded(isLower: Bool) -> ExactNumber? {
    guard let double = Double(text), double.magnitude < 9_007_199_254_740_992,
      let next = ExactNumber(shortest: isLower ? double.nextDown : double.nextUp)
    else { return nil }
    return next.exactLiteral.utf8.count + 6 < exactLiteral.utf8.count || next.sign == 0 && sign != 0 ? next : nil
  }

  /// True if doubles hold this number exactly, unless it has too many digits.
  fileprivate var isBinary: Bool {
    var rest = magnitude
    for _ in stride(from: exponent, to: 0, by: 1) {
      guard rest.isMultiple(of: 5) else { return false }
      rest /= 5
    }
    return true
  }
}

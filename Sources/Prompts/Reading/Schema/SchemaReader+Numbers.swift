internal import StrictJSON

/// Turns schemas of numbers into fields.
extension SchemaReader {
  mutating func sayNumber(_ property: inout Property) {
    let isInteger = property.type == "integer"
    sayKind(&property, isInteger ? [.integer, .slider] : [.number, .slider])
    sayRuleOfKind(by: property.typeStatement, &property)
    if isInteger, property.kind == .slider {
      property.rules.append(Node(.keyword("integer", .bool(true)), standingFor: property.place))
    }
    sayBounds(&property)
  }

  /// Says which numbers of the type there may be.
  mutating func sayBounds(_ property: inout Property) {
    let isInteger = property.type == "integer"
    for format in property.takeAll("format") {
      let word = format.value.scalarText ?? ""
      if isInteger, let ends = Self.integerFormats[word] {
        property.addRule(Self.rule("range", ends), for: format)
      } else if word != "float", word != "double" {
        warn(.unknownFormat(word), at: format.value.place)
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
          reading.report(Unanswerable.tooManyDigits(number.text), at: statement.value.place)
        } else if let bound {
          bounds.append((end, bound.text, statement, bound.isAlone))
        } else {
          report(.nothingLeft, at: statement.value.place)
        }
      }
    }
    keepApart(&bounds, ofType: property.type)
    say(bounds, by: "range", &property)
    var digits: Int?
    for statement in property.takeAll("multipleOf") {
      guard let step = number(statement) else { continue }
      guard step.sign > 0 else {
        report(.stepNotPositive, at: statement.value.place)
        continue
      }
      property.addRule(.keyword("step", .string(step.exactLiteral)), for: statement)
      // With more digits, a double is a multiple of something else.
      digits = min(digits ?? 15, 15 + min(0, step.exponent))
      if !step.isBinary { warn(.decimalStep(step.text), at: statement.value.place) }
    }
    if let digits, let limit = ExactNumber("1e\(max(digits, -308))") {
      for (end, text, statement, _) in bounds {
        guard let bound = ExactNumber(text), bound.sign == (end == "min" ? 1 : -1), bound.isBeyond(limit) else {
          continue
        }
        report(.beyondSteps(statement.key, limit: limit.exactLiteral), at: statement.value.place)
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
    return refuse(.notANumber(statement.key), at: statement.value.place)
  }

  // MARK: Bounds

  /// Reports bounds that leave no number. Bounds that only leave numbers which no double holds stay as they are written.
  private mutating func keepApart(_ bounds: inout [End], ofType type: String) {
    for low in bounds.indices where bounds[low].end == "min" {
      for high in bounds.indices where bounds[high].end == "max" {
        let ends = [bounds[low], bounds[high]]
        let (narrow, written) = (ends.compactMap { ExactNumber($0.text) }, ends.compactMap { number($0.statement) })
        guard narrow.count == 2, written.count == 2, narrow[1] < narrow[0] else { continue }
        let isInclusive = ends.allSatisfy { ["minimum", "maximum"].contains($0.statement.key) }
        if isInclusive, !(written[1] < written[0]) {
          (bounds[low].text, bounds[high].text) = (written[0].exactLiteral, written[1].exactLiteral)
        } else {
          let words = zip(ends, written).map { "`\($0.statement.key)` \($1.text)" }
          return report(.crossedBounds(words[0], words[1], type: type), at: ends[0].statement.value.place)
        }
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
  /// A bound that every number within it still meets when rounded to a double, as most programs read JSON. It stands
  /// alone if people read another number, `excluded`.
  ///
  /// - Returns: `nil` if there is no number within it.
  fileprivate func bound(isLower: Bool, isExclusive: Bool, ofIntegers: Bool) -> (text: String, isAlone: Bool)? {
    let far = 9_007_199_254_740_992
    if ofIntegers, let whole = integer, whole.magnitude < far.magnitude {
      return (String(isExclusive ? whole + (isLower ? 1 : -1) : whole), false)
    }
    let double = Double(text) ?? 0
    // Rounding keeps the order, so only exclusive bounds and bounds that no double holds need care.
    let rounded = ExactNumber(whole: double), isNear = double.magnitude < Double(far)
    let isExact = isNear || rounded.map { $0 == self } == true || double.magnitude == .greatestFiniteMagnitude
    if !isExclusive, isExact { return (exactLiteral, false) }
    // The nearest double within the bound. For a large inclusive bound, that may be the double that it rounds to.
    if !isExclusive, let rounded, isLower ? self < rounded : rounded < self { return (rounded.exactLiteral, false) }
    guard let inner = ExactNumber(shortest: isLower ? double.nextUp : double.nextDown) else { return nil }
    return (inner.exactLiteral, isNear)
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

  /// The exact value of a large double, or `nil` if it has a fraction or more than 34 digits.
  fileprivate init?(whole double: Double) {
    guard let magnitude = UInt128(exactly: double.magnitude) else { return nil }
    self.init((double < 0 ? "-" : "") + String(magnitude))
  }
}

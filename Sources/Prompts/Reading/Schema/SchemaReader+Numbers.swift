internal import StrictJSON

/// How numbers are asked for.
extension SchemaReader {
  mutating func sayNumber(_ property: inout Property) {
    let isInteger = property.type == "integer"
    sayKind(&property, isInteger ? [.integer, .slider] : [.number, .slider])
    sayRule(of: property.kind, by: property.typeStatement, &property)
    if isInteger, property.kind == .slider {
      property.rules.append(Node(.keyword("integer", .bool(true)), standingFor: property.place))
    }
    sayBounds(&property)
  }

  /// Says which numbers of the type there may be.
  mutating func sayBounds(_ property: inout Property) {
    let isInteger = property.type == "integer"
    for format in property.takeAll("format") { sayWidth(format, isInteger, &property) }
    var bounds: [(end: String, bound: NumberBound, statement: Statement)] = []
    for (key, end, isExclusive) in [
      ("minimum", "min", false), ("exclusiveMinimum", "min", true), ("maximum", "max", false),
      ("exclusiveMaximum", "max", true),
    ] {
      for statement in property.takeAll(key) {
        guard let number = number(statement) else { continue }
        let bound = NumberBound(number, isLower: end == "min", isExclusive: isExclusive, ofIntegers: isInteger)
        bounds.append((end, bound, statement))
      }
    }
    if bounds.count == 2, bounds[0].end == "min", bounds[1].end == "max", property.extra("messages") == nil,
      bounds.allSatisfy({ $0.bound.message == nil }), bounds[0].bound <= bounds[1].bound
    {
      let range = JSON.keyword("range", .object(bounds.map { .init($0.end, .string($0.bound.text)) }))
      property.addRule(range, for: bounds[0].statement)
    } else {
      for (end, bound, statement) in bounds {
        property.addRule(.keyword("range", .keyword(end, .string(bound.text))), for: statement, or: bound.message)
      }
    }
    var digits: Int?
    for statement in property.takeAll("multipleOf") {
      guard let step = number(statement) else { continue }
      property.addRule(.keyword("step", .string(step.exactLiteral)), for: statement)
      // With more digits, a double is a multiple of something else.
      digits = min(digits ?? 15, 15 + min(0, step.exponent))
      if !step.isBinary {
        warn(.decimalStep(step.text), at: statement.value.place)
      }
    }
    // A slider's ends and options are bounds already.
    let isOpen = !isInteger && property.options == nil && property.extra("kind")?.scalarText != "slider"
    if let limit = digits.map({ "1e\($0)" }) ?? (isOpen ? "1.7976931348623157e308" : nil) {
      let ends = [("min", "-" + limit), ("max", limit)].filter { end, _ in
        digits != nil || !bounds.contains { $0.end == end }
      }
      for (end, text) in ends {
        property.rules.append(Node(.keyword("range", .keyword(end, .string(text))), standingFor: property.place))
      }
    }
  }

  private mutating func number(_ statement: Statement) -> ExactNumber? {
    if case .number(let literal) = statement.value.content, let number = ExactNumber(literal),
      Double(literal)?.isFinite == true
    {
      return number
    }
    report(.notANumber(statement.key), at: statement.value.place)
    return nil
  }

  /// The formats of OpenAPI: how many bits an integer has, which a validator may check or not.
  mutating func sayWidth(_ format: Statement, _ isInteger: Bool, _ property: inout Property) {
    let bounds: [String: (String, String)] = [
      "int32": ("-2147483648", "2147483647"), "int64": ("-9223372036854775808", "9223372036854775807"),
    ]
    switch format.value.scalarText {
    case let word? where isInteger && bounds[word] != nil:
      guard let (min, max) = bounds[word] else { return }
      let range = JSON.object([.init("min", .string(min)), .init("max", .string(max))])
      property.addRule(.keyword("range", range), for: format)
    case "float"?, "double"?: break
    default:
      report(.noFormatOfNumbers, at: format.value.place)
    }
  }
}

/// A bound of numbers such that what is within it exactly is within it in doubles too, as most programs read JSON.
private struct NumberBound {
  let text: String
  /// What to say of numbers beyond it if its text is not what the schema says, otherwise `nil`.
  let message: String?

  static func <= (one: NumberBound, other: NumberBound) -> Bool {
    guard let one = ExactNumber(one.text), let other = ExactNumber(other.text) else { return false }
    return !(other < one)
  }

  init(_ number: ExactNumber, isLower: Bool, isExclusive: Bool, ofIntegers: Bool) {
    let far = 9_007_199_254_740_992
    if ofIntegers, let whole = number.integer, abs(whole) < far {
      (text, message) = (String(isExclusive ? whole + (isLower ? 1 : -1) : whole), nil)
      return
    }
    let double = Double(number.text) ?? 0
    // Rounding keeps the order, so that only what is excluded, or what no double is, needs care.
    if !isExclusive, abs(double) < Double(far) || ExactNumber(whole: double).map({ $0 == number }) == true {
      (text, message) = (number.exactLiteral, nil)
      return
    }
    // The nearest double within the bound, which of a large inclusive one may be the one that it rounds to.
    if !isExclusive, let rounded = ExactNumber(whole: double), isLower ? number < rounded : rounded < number {
      (text, message) = (rounded.exactLiteral, nil)
      return
    }
    let inner = "\(isLower ? double.nextUp : double.nextDown)"
    text = ExactNumber(inner)?.exactLiteral ?? (isLower ? "1e-300" : "-1e-300")
    // Of a large number, what is left out may be whole numbers: then the bound that counts is the one to name.
    message =
      abs(double) < Double(far) ? "Enter a number \(isLower ? "greater" : "less") than \(number.exactLiteral)" : nil
  }
}

extension ExactNumber {
  /// Whether doubles hold this number exactly, unless it has too many digits.
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

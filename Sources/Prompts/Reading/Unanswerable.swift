extension Field {
  /// Splits a pattern in JavaScript's own notation: between slashes, with flags after the second one.
  ///
  /// - Parameter source: it, or what a JSON Schema's pattern becomes, which may match anywhere.
  static func literal(_ source: String) -> (pattern: String, flags: String)? {
    let (start, rest) = (SchemaReader.anything + "(?:", ")" + SchemaReader.anything)
    if source.hasPrefix(start), source.hasSuffix(rest) {
      return literal(String(source.dropFirst(start.count).dropLast(rest.count)))
    }
    guard source.hasPrefix("/"), let end = source.lastIndex(of: "/"), end > source.startIndex else { return nil }
    let (pattern, flags) = (source[source.index(after: source.startIndex)..<end], source[source.index(after: end)...])
    return pattern.isEmpty || !flags.allSatisfy("dgimsuvy".contains) ? nil : (String(pattern), String(flags))
  }

  /// The reason no input meets the field's rules, and the rule that shows it; or `nil` if that cannot be seen. It makes
  /// no difference if the field is optional.
  func unanswerable(_ reading: inout Reading) -> (why: FaultRow, rule: Rule?)? {
    let rules = rules.flatMap(\.conjuncts).filter(\.isClosed)
    if !kind.isList {
      for case (let rule, let pattern?) in rules.map({ ($0, $0.condition.limits.pattern) }) {
        guard pattern.syntax.mayMatchNothing(of: alphabet), reading.spend(500_000),
          pattern.syntax.matchesNothing(of: alphabet)
        else { continue }
        let isOfOthers = !pattern.syntax.matchesNothing(of: CodePointSet([0...0x10_FFFF]))
        if isOfOthers {
          return kind.isMultiline
            ? (FaultRow("other-characters.multiline"), rule)
            : (FaultRow("other-characters", ["kind": kind.withArticle]), rule)
        }
        let isKeyword = reading.namesKeywords
        return (
          pattern.syntax.hasAssertion ? Self.matchingNothing(pattern.source, isKeyword) : FaultRow("empty-class"), rule
        )
      }
      if let found = unmetBound(rules) ?? unmetLength(rules) { return (found, nil) }
    }
    return unmetByAll(rules, &reading).map { ($0, nil) }
  }

  /// - Parameter isKeyword: whether it is the pattern of a JSON Schema, which has no flags.
  private static func matchingNothing(_ source: String, _ isKeyword: Bool) -> FaultRow {
    guard let (pattern, flags) = literal(source) else { return FaultRow("nothing-matches") }
    if !flags.contains("i") { return FaultRow("nothing-matches.slashes", ["pattern": pattern]) }
    return isKeyword
      ? FaultRow("nothing-matches.keyword", ["pattern": pattern])
      : FaultRow("nothing-matches.flags", ["pattern": pattern])
  }

  /// The code points of texts that meet the rule `text`.
  private var alphabet: CodePointSet {
    CodePointSet([0x09...0x09, 0x20...0xD7FF, 0xE000...0x10_FFFF] + (kind.isMultiline ? [0x0A...0x0A] : []))
  }

  private func unmetLength(_ rules: [Rule]) -> FaultRow? {
    func narrowed(_ rules: [Rule], from bounds: (min: Int, max: Int)) -> (min: Int, max: Int) {
      // Listed texts are all tried.
      rules.map(\.condition.limits).filter { $0.texts == nil }
        .reduce(bounds) { (max($0.min, $1.lengths.min), min($0.max, $1.lengths.max)) }
    }
    var lengths = narrowed(rules, from: (0, TextRule.limit))
    if rules.contains(where: { $0.name == IntegerRule.name }) {
      for range in rules.compactMap(\.condition.limits.range) {
        let least = range.min.flatMap { ExactNumber($0.text) }, most = range.max.flatMap { ExactNumber($0.text) }
        if let least, least.sign > 0 { lengths.min = max(lengths.min, least.point) }
        if let most, most.sign < 0 { lengths.min = max(lengths.min, most.point + 1) }
      }
    }
    // The filter judges every text but the empty one.
    if lengths.min > 0 { lengths = narrowed(allow.flatMap(\.conjuncts), from: lengths) }
    return lengths.min > lengths.max ? FaultRow("lengths", ["min": lengths.min, "max": lengths.max]) : nil
  }

  private func unmetBound(_ rules: [Rule]) -> FaultRow? {
    let ranges = rules.compactMap(\.condition.limits.range)
    for min in ranges.compactMap(\.min) {
      for max in ranges.compactMap(\.max) where min.form == max.form && min.compared(to: max) > 0 {
        return FaultRow("bounds", ["min": min.text, "max": max.text])
      }
    }
    let least = ranges.compactMap { $0.min.flatMap { ExactNumber($0.text) } }.max { $0 < $1 }
    let most = ranges.compactMap { $0.max.flatMap { ExactNumber($0.text) } }.min { $0 < $1 }
    if rules.contains(where: { $0.name == IntegerRule.name }) {
      if let least, least.exceedsIntegers(isLower: true) {
        return FaultRow("too-many-digits", ["digits": ExactNumber.maximumDigits, "bound": least.text])
      }
      if let most, most.exceedsIntegers(isLower: false) {
        return FaultRow("too-many-digits", ["digits": ExactNumber.maximumDigits, "bound": most.text])
      }
    }
    guard let least, let most else { return nil }
    for rule in rules {
      let step = rule.condition.limits.step ?? (rule.name == IntegerRule.name ? StepRule(of: ExactNumber(1)) : nil)
      guard let step, !step.isMet(between: least, most) else { continue }
      return FaultRow(
        "steps", ["step": step.of.text, "start": step.from?.text ?? "0", "min": least.text, "max": most.text])
    }
    return nil
  }

  /// Tries all inputs, if there are few: true and false, options, the values of a `oneOf`.
  private func unmetByAll(_ rules: [Rule], _ reading: inout Reading) -> FaultRow? {
    var inputs: [Input]
    switch kind {
    case .boolean: inputs = ["true", "false"]
    case .choice: inputs = options.map { .text($0.value) } + [""]
    case .choices, .list:
      let counts = rules.map(\.condition.limits.counts)
      let needed = counts.map(\.min).max() ?? 0
      let most = (counts.map(\.max) + [kind == .list ? Self.itemLimit : options.count]).min() ?? 0
      if needed > most { return FaultRow("count", ["min": needed, "max": most]) }
      guard kind == .choices, options.count <= 6 else { return nil }
      inputs = (0..<1 << options.count).reversed().flatMap { chosen in
        let texts = options.indices.filter { chosen >> $0 & 1 == 1 }.map { options[$0].value }
        guard let last = texts.last else { return [Input.choices([])] }
        return (0...options.count - texts.count).map { .choices(texts + Array(repeating: last, count: $0)) }
      }
    default:
      guard let values = rules.lazy.compactMap(\.condition.limits.texts).first else { return nil }
      inputs = values.map(Input.text)
    }
    for input in inputs {
      if mayMeet(rules, input.normalized(for: self), &reading) { return nil }
    }
    return kind == .boolean ? FaultRow("options.boolean") : FaultRow("options")
  }

  /// True if an input, as rules see it, meets these rules, which look at nothing but the text; also if that would cost too
  /// much to find out.
  private func mayMeet(_ rules: [Rule], _ input: Input, _ reading: inout Reading) -> Bool {
    guard reading.spend(Judge.cost(of: input, by: rules).work) else { return true }
    let context = JudgingContext(
      sentences: .english, now: .zero, predicates: .builtInOnly, fields: [self], index: 0)
    if case .met = rules.judge(input, in: context) { return true }
    return false
  }

  // MARK: Typing

  /// True if `allow` refuses every text of one code point, so that nothing can be typed into the empty field.
  func refusesTyping(_ reading: inout Reading) -> Bool {
    let filter = allow.flatMap(\.conjuncts).filter(\.isClosed)
    guard kind.isTyped, !filter.isEmpty, value.isEmpty else { return false }
    // Of each stretch of code points that all patterns read alike, one; and all that other rules tell apart.
    let patterns = filter.flatMap(\.flattened).compactMap(\.condition.limits.pattern)
    let stretches = patterns.flatMap(\.syntax.classes).flatMap(\.ranges)
    let values = filter.flatMap(\.flattened).compactMap(\.condition.limits.texts).flatMap(\.self)
    let candidates =
      Array(0x20...0x7E) + [0x0A, 0xE9, 0x1F600] + stretches.flatMap { [$0.lowerBound, $0.upperBound + 1] }
    let texts = candidates.compactMap(Unicode.Scalar.init).map { String($0) }
    for text in texts + values where text.unicodeScalars.count == 1 {
      let input = Input.text(text).normalized(for: self)
      if input.isEmpty || TextRule.fault(in: input, kind: kind) != nil { continue }
      if mayMeet(filter, input, &reading) { return false }
    }
    return true
  }
}

extension Rule {
  /// The rules that must all be met for this one to be.
  fileprivate var conjuncts: [Rule] { name == AllRule.name ? inner.flatMap(\.conjuncts) : [self] }

  /// True if it looks at nothing but the text.
  fileprivate var isClosed: Bool {
    flattened.allSatisfy { $0.condition.dependency == nil && $0.timeZone == nil }
  }
}

extension StepRule {
  /// True if a step is within two bounds, or if decimals of 38 digits cannot tell.
  fileprivate func isMet(between least: ExactNumber, _ most: ExactNumber) -> Bool {
    let start = from ?? .zero
    let last = [of, start, least, most].filter { $0.sign != 0 }.map(\.exponent).min() ?? 0
    guard let of = of.units(of: last), let start = start.units(of: last), let least = least.units(of: last),
      let most = most.units(of: last)
    else { return true }
    func steps(to end: Int128) -> Int128? {
      let (distance, isOver) = end.subtractingReportingOverflow(start)
      if isOver { return nil }
      return distance / of - (distance % of < 0 ? 1 : 0)
    }
    guard let lower = steps(to: least - 1), let upper = steps(to: most) else { return true }
    return upper > lower
  }
}

extension ExactNumber {
  /// True if every integer is too small for this lower bound, or too large for this upper one.
  func exceedsIntegers(isLower: Bool) -> Bool {
    let largest = String(repeating: "9", count: Self.maximumDigits)
    return ExactNumber((isLower ? "" : "-") + largest).map { isLower ? $0 < self : self < $0 } ?? false
  }

  /// This number in units of a power of ten that is none of its parts' greater, or `nil` if that is too large.
  fileprivate func units(of power: Int) -> Int128? {
    guard sign != 0 else { return 0 }
    var units = Int128(magnitude) * Int128(sign)
    guard exponent - power < 40 else { return nil }
    for _ in power..<Swift.max(power, exponent) {
      let (product, isOver) = units.multipliedReportingOverflow(by: 10)
      if isOver { return nil }
      units = product
    }
    return Swift.max(units.magnitude, 1) > UInt128(Int128.max / 4) ? nil : units
  }
}

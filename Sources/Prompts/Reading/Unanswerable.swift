internal import Base
internal import Pattern
internal import StrictJSON

/// The reason nobody can ever answer a field, as far as its rules show it.
enum Unanswerable: FaultCase {
  case nothingMatches(String), lengths(min: Int, max: Int), bounds(min: String, max: String)
  case steps(of: String, from: String, min: String, max: String), options(Field.Kind), count(Int, of: Int)
  case nothingToType, literalPattern(String), emptyClass, otherCharacters(Field.Kind), tooManyDigits(String)
  case contradiction(String), nothingTogether, noAlternative

  var sentence: FaultSentence {
    switch self {
    case .nothingMatches(let source) where Self.literal(source) != nil: Self.slashes("nothing-matches", source)
    case .nothingMatches:
      .init(
        "nothing-matches", "no text matches this pattern",
        #"`^` only matches at the start and `$` at the end: remove the other, or write `\^` or `\$`"#)
    case .emptyClass: .init("empty-class", "this pattern has a class with nothing in it, like `[]`", "remove it")
    case .otherCharacters(let kind) where kind.isMultiline:
      .init("other-characters", "this pattern wants a control character, and no text may have one", "remove it")
    case .otherCharacters(let kind):
      .init(
        "other-characters",
        "this pattern wants a line break or another control character, and \(kind.withArticle) field has none",
        "remove it, or make the kind `multiline`")
    case .tooManyDigits(let bound):
      .init(
        "too-many-digits",
        "an integer has at most \(ExactNumber.maximumDigits) digits, so none is within the bound \(bound)",
        "change the bound")
    case .contradiction(let rule):
      .init("contradiction", "this rule and `\(rule)` rule each other out", "remove one of them")
    case .nothingTogether:
      .init("nothing-together", "no text meets this rule and those before it", "change one of them")
    case .noAlternative:
      .init("no-alternative", "no text meets one of these rules and all other rules of the field", "change one of them")
    case .literalPattern(let source): Self.slashes("literal-pattern", source)
    case .lengths(let min, let max):
      .init(
        "lengths", "no text has at least \(min) and at most \(max) characters, and these rules want both",
        "change one of them")
    case .bounds(let min, let max):
      .init(
        "bounds", "nothing is at least \(min) and at most \(max), and these rules want both", "change one of the bounds"
      )
    case .steps(let step, let start, let min, let max):
      .init("steps", "no step of \(step) from \(start) is within \(min) and \(max)", "change the bounds or the step")
    case .options(.boolean): .init("options", "neither true nor false meets these rules", "remove one of them")
    case .options: .init("options", "no option meets all of these rules", "change one of them, or add an option")
    case .count(let min, let max): .init("count", "nobody can give \(min) of at most \(max) values", "ask for less")
    case .nothingToType:
      .init(
        "nothing-to-type", "`allow` refuses every first character, so nothing can be typed",
        "let it accept a value that is only half typed, like `[0-9]{0,4}`, or move the rule to `rules`")
    }
  }

  private static func slashes(_ id: String, _ source: String) -> FaultSentence {
    let (pattern, flags) = literal(source) ?? ("", "")
    return FaultSentence(
      id, "a pattern has no slashes around it and no flags behind it",
      "write `\(pattern)`" + (flags.contains("i") ? " and `ignoreCase: true`" : ""))
  }

  /// Splits a pattern in JavaScript's own notation: between slashes, with flags after the second one.
  static func literal(_ source: String) -> (pattern: String, flags: String)? {
    guard source.hasPrefix("/"), let end = source.lastIndex(of: "/"), end > source.startIndex else { return nil }
    let (pattern, flags) = (source[source.index(after: source.startIndex)..<end], source[source.index(after: end)...])
    return pattern.isEmpty || !flags.allSatisfy("dgimsuvy".contains) ? nil : (String(pattern), String(flags))
  }
}

extension Field {
  /// The reason no input meets the field's rules, and the rule that shows it; or `nil` if that cannot be seen. It makes
  /// no difference if the field is optional.
  func unanswerable(_ reading: inout Reading) -> (why: Unanswerable, rule: Rule?)? {
    unanswerable(by: rules.flatMap(\.conjuncts), &reading)
  }

  private func unanswerable(by all: [Rule], _ reading: inout Reading) -> (why: Unanswerable, rule: Rule?)? {
    let rules = all.filter(\.isClosed)
    if !kind.isList {
      for case (let rule, let pattern) in rules.map({ ($0, $0.condition.ownPattern) }) {
        guard let pattern, pattern.syntax.mayMatchNothing(of: alphabet), reading.spend(500_000) else { continue }
        guard pattern.syntax.matchesNothing(of: alphabet) else { continue }
        let isOfOthers = !pattern.syntax.matchesNothing(of: CodePointSet([0...0x10_FFFF]))
        if isOfOthers { return (.otherCharacters(kind), rule) }
        return (pattern.syntax.hasAssertion ? .nothingMatches(pattern.source) : .emptyClass, rule)
      }
      if let found = unmetBound(rules) ?? unmetLength(rules) { return (found, nil) }
    }
    if let found = unmetByAll(rules, &reading) { return (found, nil) }
    for rule in all where rule.condition is NotRule && reading.spend(10_000 * all.count) {
      for inner in rule.refused {
        let open = Set(inner.filter { !($0.condition is NoneRule) }.map(\.key))
        let isMet =
          open.isSubset(of: all.map(\.key))
          || rule.isClosed && rules.contains { inner.count == 1 && $0.isWithin(inner[0]) }
        if isMet { return (.contradiction((inner.first ?? rule).name), rule) }
      }
    }
    if !kind.offersOptions, kind != .list, let found = unmetTogether(all, &reading) { return found }
    let others = all.filter { !($0.condition is AnyRule) }
    for rule in rules where rule.condition is AnyRule {
      let isUnmet = rule.condition.inner.allSatisfy { unanswerable(by: others + $0.conjuncts, &reading) != nil }
      if isUnmet { return (.noAlternative, rule) }
    }
    return nil
  }

  /// The code points of texts that meet the rule `text`.
  private var alphabet: CodePointSet {
    CodePointSet([0x09...0x09, 0x20...0xD7FF, 0xE000...0x10_FFFF] + (kind.isMultiline ? [0x0A...0x0A] : []))
  }

  private func unmetLength(_ rules: [Rule]) -> Unanswerable? {
    func narrowed(_ rules: [Rule], from bounds: (min: Int, max: Int)) -> (min: Int, max: Int) {
      rules.reduce(bounds) { (max($0.min, $1.condition.lengths.min), min($0.max, $1.condition.lengths.max)) }
    }
    var lengths = narrowed(rules, from: (0, TextRule.limit))
    if rules.contains(where: { $0.condition is IntegerRule }) {
      for range in rules.compactMap(\.condition.range) {
        let least = range.min.flatMap { ExactNumber($0.text) }, most = range.max.flatMap { ExactNumber($0.text) }
        if let least, least.sign > 0 { lengths.min = max(lengths.min, least.point) }
        if let most, most.sign < 0 { lengths.min = max(lengths.min, most.point + 1) }
      }
    }
    // The filter judges every text but the empty one.
    if lengths.min > 0 { lengths = narrowed(allow.flatMap(\.conjuncts), from: lengths) }
    return lengths.min > lengths.max ? .lengths(min: lengths.min, max: lengths.max) : nil
  }

  private func unmetBound(_ rules: [Rule]) -> Unanswerable? {
    let ranges = rules.compactMap(\.condition.range)
    for min in ranges.compactMap(\.min) {
      for max in ranges.compactMap(\.max) where min.form == max.form && min.compared(to: max) > 0 {
        return .bounds(min: min.text, max: max.text)
      }
    }
    let least = ranges.compactMap { $0.min.flatMap { ExactNumber($0.text) } }.max { $0 < $1 }
    let most = ranges.compactMap { $0.max.flatMap { ExactNumber($0.text) } }.min { $0 < $1 }
    if rules.contains(where: { $0.condition is IntegerRule }) {
      if let least, least.exceedsIntegers(isLower: true) { return .tooManyDigits(least.text) }
      if let most, most.exceedsIntegers(isLower: false) { return .tooManyDigits(most.text) }
    }
    guard let least, let most else { return nil }
    for rule in rules {
      let step = rule.condition.step ?? (rule.condition is IntegerRule ? StepRule(of: 1) : nil)
      guard let step, !step.isMet(between: least, most) else { continue }
      return .steps(of: step.of.text, from: step.from?.text ?? "0", min: least.text, max: most.text)
    }
    return nil
  }

  /// The first rule that no text meets together with those before it, as far as their shapes show it.
  private func unmetTogether(_ rules: [Rule], _ reading: inout Reading) -> (Unanswerable, Rule)? {
    let met = rules.contains { $0.condition is NotRule } ? Set(rules.map(\.key)) : []
    let rules = rules.filter { $0.condition.shape != nil || !$0.refused.isEmpty }
    func areUnmet(_ rules: [Rule], _ reading: inout Reading) -> Bool {
      guard reading.spend(500_000) else { return false }
      // What the field wants anyway says nothing of what it refuses.
      let refused = rules.flatMap(\.refused).map { $0.filter { !met.contains($0.key) }.map(\.condition.core) }
      return rules.compactMap(\.condition.shape)
        .haveNoText(without: refused.compactMap { $0.contains(nil) ? nil : $0.compactMap { $0 } }, of: alphabet)
    }
    guard rules.count > 1 || rules.first?.refused.isEmpty == false, !isMetByExample(rules, &reading),
      areUnmet(rules, &reading),
      let rule = rules.indices.first(where: { areUnmet(Array(rules[...$0]), &reading) })
    else { return nil }
    let other = rules[..<rule].first { areUnmet([$0, rules[rule]], &reading) }
    return (other.map { .contradiction($0.name) } ?? .nothingTogether, rules[rule])
  }

  /// True if the field's initial value or its placeholder may meet these rules. Comparing the shapes of rules takes a third
  /// of the time that reading a small prompt takes.
  private func isMetByExample(_ rules: [Rule], _ reading: inout Reading) -> Bool {
    guard rules.allSatisfy(\.isClosed) else { return false }
    for example in [value, .text(placeholder ?? "")] where !example.isEmpty && example.byteCount <= 100 {
      let input = example.normalized(for: self)
      if TextRule.fault(in: input, kind: kind) == nil, mayMeet(rules, input, &reading) { return true }
    }
    return false
  }

  /// Tries all inputs, if there are few: true and false, options, the values of a `oneOf`.
  private func unmetByAll(_ rules: [Rule], _ reading: inout Reading) -> Unanswerable? {
    var inputs: [Input]
    switch kind {
    case .boolean: inputs = ["true", "false"]
    case .choice: inputs = options.map { .text($0.value) } + [""]
    case .choices, .list:
      let counts = rules.map(\.condition.counts)
      let needed = counts.map(\.min).max() ?? 0
      let most = (counts.map(\.max) + [kind == .list ? Self.itemLimit : options.count]).min() ?? 0
      if needed > most { return .count(needed, of: most) }
      guard kind == .choices, options.count <= 6 else { return nil }
      inputs = (0..<1 << options.count).reversed().flatMap { chosen in
        let texts = options.indices.filter { chosen >> $0 & 1 == 1 }.map { options[$0].value }
        guard let last = texts.last else { return [Input.choices([])] }
        return (0...options.count - texts.count).map { .choices(texts + Array(repeating: last, count: $0)) }
      }
    default:
      guard let values = rules.lazy.compactMap(\.condition.listedTexts).first else { return nil }
      inputs = values.map(Input.text)
    }
    for input in inputs {
      if mayMeet(rules, input.normalized(for: self), &reading) { return nil }
    }
    return .options(kind)
  }

  /// True if an input, as rules see it, meets these rules, which look at nothing but the text; also if that would cost too
  /// much to find out.
  private func mayMeet(_ rules: [Rule], _ input: Input, _ reading: inout Reading) -> Bool {
    guard reading.spend(Judge.cost(of: input, by: rules).work) else { return true }
    if case .met = rules.judge(input, in: closedContext) { return true }
    return false
  }

  /// For rules that look at nothing but the text.
  private var closedContext: JudgingContext {
    JudgingContext(sentences: .english, now: .zero, predicates: .builtInOnly, fields: [self], index: 0)
  }

  // MARK: Typing

  /// True if `allow` refuses every text of one code point, so that nothing can be typed into the empty field.
  func refusesTyping(_ reading: inout Reading) -> Bool {
    let filter = allow.flatMap(\.conjuncts).filter(\.isClosed)
    guard kind.isTyped, !filter.isEmpty, value.isEmpty else { return false }
    // Of each stretch of code points that all patterns read alike, one; and all that other rules tell apart.
    let patterns = filter.flatMap(\.flattened).compactMap(\.condition.ownPattern)
    let stretches = patterns.flatMap(\.syntax.classes).flatMap(\.ranges)
    let values = filter.flatMap(\.flattened).compactMap(\.condition.listedTexts).flatMap(\.self)
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
  fileprivate var conjuncts: [Rule] {
    if condition is NotRule, condition.inner.count == 1, let not = condition.inner[0].condition as? NotRule {
      return not.rules.flatMap(\.conjuncts)
    }
    return (condition as? AllRule)?.rules.flatMap(\.conjuncts) ?? [self]
  }

  /// Lists of rules, of each of which an input that meets this rule fails at least one.
  fileprivate var refused: [[Rule]] {
    guard condition is NotRule else { return [] }
    let inner = condition.inner.flatMap(\.conjuncts), any = inner.first?.condition as? AnyRule
    return inner.count == 1 ? any?.rules.map(\.conjuncts) ?? [inner] : [inner]
  }

  /// True if this range is within another one.
  fileprivate func isWithin(_ other: Rule) -> Bool {
    guard let own = condition.range, let other = other.condition.range else { return false }
    func reaches(_ bound: Quantity?, _ end: Quantity?, _ sign: Int) -> Bool {
      guard let end else { return true }
      return bound.map { $0.form == end.form && $0.compared(to: end) * sign <= 0 } ?? false
    }
    return reaches(own.min, other.min, -1) && reaches(own.max, other.max, 1)
  }

  /// The rule and its arguments as JSON, without its message.
  fileprivate var key: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("rule", name)
      condition.write(to: &json, for: Audience(sentences: .english, isAuthor: true))
    }
    return json.bytes
  }

  /// True if it looks at nothing but the text.
  fileprivate var isClosed: Bool {
    flattened.allSatisfy { $0.condition.dependency == nil && $0.condition.timeZone == nil }
  }
}

extension StepRule {
  fileprivate init(of step: ExactNumber) { of = step }

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
    return isLower ? ExactNumber(stringLiteral: largest) < self : self < ExactNumber(stringLiteral: "-" + largest)
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

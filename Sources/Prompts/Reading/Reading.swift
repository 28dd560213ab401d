/// Reads nodes as what they should be and collects every fault.
///
/// Each method returns `nil` if it reported a fault, so that reading goes on after it.
package struct Reading: FaultReporter, Sendable {
  /// The most rules that a request may have.
  private static let ruleLimit = 200
  /// The most faults of a request that are kept; more are counted.
  private static let faultLimit = 50
  /// The most warnings that a request gets one by one.
  private static let warningLimit = 10

  package private(set) var faults: [Fault] = []
  /// The warnings so far; of a request the first ones, and how many more there are.
  package var warnings: [Fault] {
    omittedWarningCount == 0
      ? told : told + [Fault(FaultRow("more-warnings", ["count": omittedWarningCount]), at: .none)]
  }
  private var (told, omittedWarningCount) = ([Fault](), 0)
  /// The number of faults beyond those in `faults`.
  private(set) var omittedFaultCount = 0
  /// True if reading ended because it would have cost too much.
  package private(set) var isOverBudget = false
  private var rules = 0
  /// The work that is left to spend, also on judging by the rules that were read; `nil` for what the operator wrote,
  /// which has no limits.
  package private(set) var budget: WorkBudget?

  /// True if the definition was checked when it was stored. What has become a fault since then is not reported.
  let isKept: Bool
  /// True if `required` is short for `nonEmpty` in every kind, as in the first asks that were stored.
  var requiredTakesBlanks = false

  /// The predicates that rules may ask: others are faults. If it is `nil`, those that are not built in are warnings.
  private let predicates: [String]?

  /// True if it is JSON, so that faults give their examples in it. What comes in a request always is.
  var isJSON: Bool

  /// True if faults name the keywords of a JSON Schema, and not the keys of the definition that is made of it.
  var namesKeywords = false

  /// The language of a definition that names none, or `nil` if it is not known.
  let language: Language?

  /// The time zone of moments for which a JSON Schema names none, or `nil` to refuse them.
  let timeZone: Field.TimeZone?

  package init(
    budget: WorkBudget? = nil, isKept: Bool = false, predicates: [String]? = nil, language: Language? = nil,
    timeZone: Field.TimeZone? = nil
  ) {
    self.budget = budget
    self.isKept = isKept
    self.predicates = predicates
    self.language = language
    self.timeZone = timeZone
    isJSON = budget != nil
  }

  /// Pays for work.
  ///
  /// - Returns: false if the work exceeds the budget, and from then on for any work.
  mutating func spend(_ work: Int) -> Bool {
    guard budget != nil else { return true }
    if budget?.spend(work) != true { isOverBudget = true }
    return !isOverBudget
  }

  /// Compiles a pattern, which the budget pays for.
  mutating func pattern(_ source: String, ignoreCase: Bool) throws(PatternFault) -> Pattern {
    if budget == nil { return try Pattern.shared(source, ignoreCase: ignoreCase) }
    return try paying { (budget) throws(PatternFault) in
      try Pattern(source, ignoreCase: ignoreCase, budget: &budget)
    }
  }

  /// A pattern that may match anywhere, or `nil` after a report of all its faults. The budget pays for it.
  mutating func searchPattern(_ source: String, at place: Node.Place) -> PatternParser.Result? {
    do throws(PatternFault) {
      return try paying { (budget) throws(PatternFault) in
        try PatternParser.parse(source, ignoreCase: false, isSearch: true, budget: &budget)
      }
    } catch {
      report(error, at: place)
      return nil
    }
  }

  private mutating func paying<Value>(
    _ work: (inout WorkBudget) throws(PatternFault) -> Value
  ) throws(PatternFault) -> Value {
    var left = budget ?? .unlimited
    defer { if budget != nil { budget = left } }
    do throws(PatternFault) {
      // Once over budget, not even a cheaper pattern is read.
      guard !isOverBudget else { throw .tooCostly }
      return try work(&left)
    } catch {
      if error == .tooCostly { isOverBudget = true }
      throw error
    }
  }

  /// Reports all that a pattern has wrong.
  mutating func report(_ fault: PatternFault, at place: Node.Place) {
    for each in [fault] + fault.otherFaults { report(each.row, at: place) }
  }

  /// True if one more rule may be read; the first that may not is a fault.
  mutating func takesRule(at place: Node.Place) -> Bool {
    rules += 1
    if budget == nil { return true }
    if rules == Self.ruleLimit + 1 { report("too-many-rules", ["limit": Self.ruleLimit], at: place) }
    return rules <= Self.ruleLimit && spend(2_000)
  }

  /// Checks that a predicate is built in or registered.
  mutating func check(predicate: String, at place: Node.Place) {
    let known = Array(Predicates.builtIn.keys) + (predicates ?? [])
    guard !isKept, !known.contains(where: { isSame($0, predicate) }) else { return }
    let fault = Predicate.unregistered(predicate, among: known)
    if predicates == nil { warn(fault, at: place) } else { report(fault, at: place) }
  }

  package mutating func report(_ fault: FaultRow, at place: Node.Place) {
    let (named, inJSON) = (namesKeywords ? fault.naming(keywordAt: place.pointer) : fault, isJSON)
    add(Fault(named, at: place, inJSON: inJSON))
  }

  mutating func add(_ fault: @autoclosure () -> Fault) {
    if budget != nil, faults.count >= Self.faultLimit {
      omittedFaultCount += 1
    } else {
      // Sentences quote the request, which may be long.
      let fault = isJSON ? fault().inJSON : fault()
      faults.append(budget == nil ? fault : fault.shortened)
      _ = spend(50_000)
    }
  }

  /// Warns; in a request, of the first few things.
  mutating func warn(_ fault: @autoclosure () -> Fault) {
    guard budget == nil || told.count < Self.warningLimit else { return omittedWarningCount += 1 }
    let fault = isJSON ? fault().inJSON : fault()
    told.append(budget == nil ? fault : fault.shortened)
  }

  package mutating func warn(_ fault: FaultRow, at place: Node.Place) {
    let inJSON = isJSON
    warn(Fault(fault, at: place, inJSON: inJSON))
  }

  /// A map with no other keys than these, each at most once.
  ///
  /// - Parameters:
  ///   - what: the thing in words, like `a field`.
  ///   - fixed: keys that a definition has and a translation cannot change.
  ///   - remedy: what to do if it is not a map.
  package mutating func mapping(
    _ node: Node, as what: String, keys: [String], untranslatable fixed: [String] = [], remedy: FaultRow
  ) -> Mapping? {
    guard let entries = entries(node, as: what, remedy: remedy) else { return nil }
    var mapping = Mapping(place: node.place, entries: [])
    for entry in entries {
      if mapping[entry.key] != nil {
        report("repeated-key", ["key": entry.key], at: entry.keyPlace)
      } else if !keys.contains(where: { isSame($0, entry.key) }) {
        report(
          fixed.contains(entry.key)
            ? FaultRow("untranslatable", ["what": what, "key": entry.key])
            : Self.noSuchKey(entry.key, of: what, among: keys),
          at: entry.keyPlace)
      } else {
        mapping.entries.append(entry)
      }
    }
    return mapping
  }

  private static func noSuchKey(_ key: String, of what: String, among keys: [String]) -> FaultRow {
    if what == "a field", let fault = FieldKey.fault(of: key) { return fault }
    if keys.contains("definition"), Prompt.keys.contains(key) {
      return FaultRow("no-such-key.definition", ["key": key, "what": what])
    }
    return FaultRow("no-such-key", ["key": key, "what": what, "nearest": Nearest(to: key, among: keys)])
  }

  /// The entries of a map, whatever its keys are.
  package mutating func entries(_ node: Node, as what: String, remedy: FaultRow) -> [Node.Entry]? {
    node.entries
      ?? refuse("not-a-map", ["what": what, "found": node.kindInWords, "remedy": remedy], at: node.place)
  }

  /// A text.
  ///
  /// - Parameters:
  ///   - orLiteral: whether a number, true or false counts as the text that it is written with.
  ///   - remedy: what to write if it is no text; `nil` if any text will do.
  package mutating func string(
    _ node: Node?, _ key: String, orLiteral: Bool = false, remedy: FaultRow? = nil
  ) -> String? {
    guard let node else { return nil }
    if case .string(let text) = node.content { return text }
    if orLiteral, let text = node.scalarText { return text }
    return refuse(Self.notAText(node, key, remedy), at: node.place)
  }

  private static func notAText(_ node: Node, _ key: String, _ remedy: SentenceTable.Fact?) -> FaultRow {
    if let remedy {
      return node.isNull
        ? FaultRow("not-a-text.no-word", ["key": key, "nearest": remedy])
        : FaultRow("not-a-text.word", ["key": key, "found": node.kindInWords, "nearest": remedy])
    }
    if node.isNull { return FaultRow("not-a-text.empty", ["key": key]) }
    guard let literal = node.scalarText else {
      return FaultRow("not-a-text", ["key": key, "found": node.kindInWords])
    }
    return FaultRow("not-a-text.literal", ["key": key, "found": node.kindInWords, "literal": literal])
  }

  package mutating func bool(_ node: Node?, _ key: String) -> Bool? {
    guard let node else { return nil }
    if case .bool(let bool) = node.content { return bool }
    return refuse("not-a-boolean", ["key": key, "found": node.kindInWords], at: node.place)
  }

  /// A whole number, at most 2⁵³ − 1, which browsers hold exactly too. 3.0 is one.
  package mutating func count(
    _ node: Node?, _ key: String, in range: ClosedRange<Int> = 0...9_007_199_254_740_991
  ) -> Int? {
    guard let node else { return nil }
    if case .number(let literal) = node.content, let number = ExactNumber(literal)?.integer, range.contains(number) {
      return number
    }
    let found = node.scalarText.map { "`\($0)`" } ?? node.kindInWords
    let (min, max) = (range.lowerBound, range.upperBound)
    return refuse(
      node.isNumber
        ? FaultRow("not-a-count", ["key": key, "found": found, "min": min, "max": max])
        : FaultRow("not-a-count.no-number", ["key": key, "found": found, "min": min, "max": max]), at: node.place)
  }

  mutating func list(_ node: Node?, _ key: String) -> [Node]? {
    guard let node else { return nil }
    if case .sequence(let elements) = node.content { return elements }
    if key == "fields", node.entries != nil { return refuse("not-a-list.fields", at: node.place) }
    return refuse("not-a-list", ["key": key, "found": node.kindInWords], at: node.place)
  }

  mutating func strings(_ node: Node?, _ key: String) -> [String]? {
    guard let elements = list(node, key) else { return nil }
    let texts = elements.compactMap { string($0, key, orLiteral: true) }
    return texts.count == elements.count ? texts : nil
  }

  /// One of the words of an enumeration.
  mutating func word<Word: RawRepresentable<String> & CaseIterable>(_ node: Node?, _ key: String) -> Word? {
    guard let node else { return nil }
    let words = Word.allCases.map(\.rawValue)
    guard case .string(let text) = node.content else {
      return refuse(Self.notAText(node, key, Nearest(to: "", among: words)), at: node.place)
    }
    return Word(rawValue: text)
      ?? refuse("no-such-word", ["key": key, "word": text, "nearest": Nearest(to: text, among: words)], at: node.place)
  }
}

// MARK: What came in a request

package extension Reading {
  /// The value that `read` finds.
  ///
  /// - Throws: `InlineFaults` if anything is wrong.
  mutating func whole<Value>(_ read: (inout Reading) -> Value?) throws(InlineFaults) -> Value {
    let value = read(&self)
    guard let value, faults.isEmpty, !isOverBudget else { throw InlineFaults(of: self) }
    return value
  }

  /// Reports a key that must be there and is not.
  mutating func require(_ key: String, in map: Mapping, of what: String, remedy: FaultRow) {
    if map[key] == nil { report("missing", ["key": key, "what": what, "remedy": remedy], at: map.place) }
  }

  /// The text of a key that must be there.
  mutating func string(_ key: String, in map: Mapping, of what: String, remedy: FaultRow) -> String? {
    require(key, in: map, of: what, remedy: remedy)
    return string(map[key], key, remedy: remedy)
  }
}

// MARK: Texts that people read

extension Reading {
  /// The form of a text in a definition.
  enum TextForm {
    /// One line with something to read in it.
    case title
    /// One line, or nothing.
    case line
    /// Any number of lines, or nothing.
    case lines
  }

  /// A text that people read, or `nil` if there is none or a fault was reported.
  ///
  /// - Parameter limit: code points.
  mutating func text(_ node: Node?, _ key: String, as form: TextForm, limit: Int) -> String? {
    guard let node, let text = string(node, key), isUsable(text, key, as: form, limit: limit, at: node.place) else {
      return nil
    }
    return text.isEmpty ? nil : text
  }

  /// True if there is nothing to read in a text.
  package static func isBlank(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(\.isBlank) }

  /// True if a text has the form and length. Reports a fault if not.
  mutating func isUsable(
    _ text: String, _ key: String, as form: TextForm, limit: Int, at place: Node.Place
  ) -> Bool {
    let scalars = text.unicodeScalars
    if form == .title, Self.isBlank(text) {
      report("blank", ["key": key], at: place)
    } else if let control = scalars.first(where: { $0.value < 0x20 && $0 != "\t" && $0 != "\n" }) {
      report("control-character", ["key": key, "code": control.code], at: place)
    } else if form != .lines, scalars.contains("\n") {
      report("several-lines", ["key": key], at: place)
    } else if scalars.count > limit {
      report("too-many", ["key": key, "count": scalars.count, "unit": "characters", "limit": limit], at: place)
    } else {
      return true
    }
    return false
  }
}

extension Unicode.Scalar {
  /// `000B`, of a control character.
  var code: String { (value < 16 ? "000" : "00") + String(value, radix: 16, uppercase: true) }
}

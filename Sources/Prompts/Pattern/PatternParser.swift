/// Reads an ECMAScript pattern (ECMA-262, 22.2.1, with the `u` flag), as far as RE2 can express it too.
struct PatternParser {
  struct Result {
    let syntax: PatternSyntax
    /// True if it has Unicode properties, or ignores the case of letters, that differ between Unicode versions.
    let isUnsettled: Bool
    /// The pattern without needless backslashes, as `u` mode takes it.
    let source: String
    /// The look-aheads after a leading `^`. Only a pattern that may match anywhere can have them. `syntax` is the part
    /// after them.
    let lookaheads: [Lookahead]
  }

  /// A part that must match from the text's start, or must not.
  struct Lookahead {
    let body: Range<Int>
    let isNegated: Bool
  }

  /// - Parameters:
  ///   - use: what the pattern is for.
  ///   - budget: pays for the work.
  /// - Throws: the first fault, with all others. Its reason is `tooCostly` if the budget does not
  ///   last.
  static func parse(
    _ source: String, ignoreCase: Bool, isSearch: Bool = false, budget: inout WorkBudget
  ) throws(PatternFault) -> Result {
    if source.utf8.count > 1024 {
      // Of the code point that holds the first byte too many.
      let column = String(decoding: source.utf8.prefix(1025), as: UTF8.self).unicodeScalars.count
      throw PatternFault(
        "pattern-too-long", ["bytes": "\(source.utf8.count)", "unit": isSearch ? "in `allOf`" : "rules"], column: column
      )
    }
    let source = Array(source.unicodeScalars)
    var parser = PatternParser(ignoreCase: ignoreCase, isSearch: isSearch, budget: budget)
    defer { budget = parser.budget }
    do throws(PatternFault) { return try parser.parse(source) } catch {
      throw error.withAllOthers(of: source, &parser)
    }
  }

  /// True if it reads a pattern, for a search and within the budget, that `u` mode takes as it is written.
  static func reads(_ source: String, budget: WorkBudget) -> Bool {
    if source.utf8.count > 1024 { return false }
    var parser = PatternParser(ignoreCase: false, isSearch: true, budget: budget)
    return (try? parser.parse(Array(source.unicodeScalars))).map { $0.source.utf8.elementsEqual(source.utf8) } ?? false
  }
  /// Reads a pattern. If it is called again after a fault, it keeps the classes that are known and what is left of the
  /// budget.
  ///
  /// - Throws: the first fault only.
  mutating func parse(_ source: [Unicode.Scalar]) throws(PatternFault) -> Result {
    self = PatternParser(source: source, ignoreCase: ignoreCase, isSearch: isSearch, known: known, budget: budget)
    try budget.pay(Self.workPerByte * source.count)
    let lookaheads = isSearch ? try leadingLookaheads() : []
    let syntax = lookaheads.isEmpty ? try choice() : try sequence()
    if peek() == "|", let first = lookaheads.first { throw lookaroundFault(at: first.body.lowerBound - 3) }
    if peek() == ")" { throw fault("pattern-group-not-opened") }
    let served = source.indices.filter { !needlessBackslashes.contains($0) }.map { source[$0] }
    return Result(
      syntax: syntax, isUnsettled: isUnsettled, source: String(String.UnicodeScalarView(served)), lookaheads: lookaheads
    )
  }

  private(set) var source: [Unicode.Scalar] = []
  let ignoreCase: Bool
  let isSearch: Bool
  var known = KnownClasses()
  var budget: WorkBudget

  var index = 0
  var isUnsettled = false
  var needlessBackslashes: Set<Int> = []
  /// The last class that other engines would not have ended where it ends: `[^]`, or one with a `[` in it.
  var doubtfulClass: String?
  private var groupNames: Set<String> = []
  /// The number of copies that RE2 would make of the most repeated part of the term, the group or the pattern that is
  /// being read.
  private var copies = 1

  /// At most what a byte costs outside a class.
  private static let workPerByte = 300

  // MARK: Reading

  func peek(_ offset: Int = 0) -> Unicode.Scalar? {
    index + offset < source.count ? source[index + offset] : nil
  }

  /// Steps over the text if it comes next.
  mutating func skip(_ text: String) -> Bool {
    let wanted = text.unicodeScalars
    guard source[index...].starts(with: wanted) else { return false }
    index += wanted.count
    return true
  }

  /// Steps over the code points that come next and meet a condition.
  mutating func take(while isMet: (Unicode.Scalar) -> Bool) -> String {
    let start = index
    while let next = peek(), isMet(next) { index += 1 }
    return text(from: start)
  }

  /// - Parameter name: of a row of `faults.txt`. Another row may say what to do if the pattern may match anywhere.
  func fault(
    _ name: String, _ facts: [String: String] = [:], at start: Int? = nil, end: Int? = nil
  ) -> PatternFault {
    let search = "\(name)/search"
    return PatternFault(
      isSearch && FaultRow.has(search) ? search : name, facts, column: (start ?? index) + 1, end: end ?? index)
  }

  func text(from start: Int) -> String { String(String.UnicodeScalarView(source[start..<index])) }

  // MARK: Look-aheads

  private mutating func leadingLookaheads() throws(PatternFault) -> [Lookahead] {
    var found: [Lookahead] = []
    guard skip("^") else { return found }
    var start = index
    while skip("(?=") || skip("(?!") {
      _ = try choice()
      guard skip(")") else { throw fault("pattern-group-not-closed", at: start) }
      if let next = peek(), "*+?{".unicodeScalars.contains(next) { throw lookaroundFault(at: start) }
      found.append(Lookahead(body: start + 3..<index - 1, isNegated: source[start + 2] == "!"))
      start = index
    }
    if found.isEmpty { index = 0 }
    return found
  }

  private func lookaroundFault(at start: Int) -> PatternFault {
    let opening = String(String.UnicodeScalarView(source[start..<start + 3]))
    return fault("pattern-lookaround", ["opening": opening], at: start, end: start + 3)
  }

  // MARK: Choices and sequences

  private mutating func choice() throws(PatternFault) -> PatternSyntax {
    var choices: [PatternSyntax] = []
    repeat { choices.append(try sequence()) } while skip("|")
    return choices.count == 1 ? choices[0] : .choice(choices)
  }

  private mutating func sequence() throws(PatternFault) -> PatternSyntax {
    var parts: [PatternSyntax] = []
    while let next = peek(), next != "|", next != ")" { parts.append(try term()) }
    return parts.isEmpty ? .empty : parts.count == 1 ? parts[0] : .sequence(parts)
  }

  private mutating func term() throws(PatternFault) -> PatternSyntax {
    let start = index
    if let assertion = try assertion() {
      let written = text(from: start)
      let end = index
      if try quantifier() != nil { throw fault("pattern-quantified-assertion", ["assertion": written], at: end) }
      return .assertion(assertion)
    }
    let before = copies
    copies = 1
    defer { copies = max(copies, before) }
    let atom = try atom()
    let quantifierStart = index
    guard let (min, max) = try quantifier() else { return atom }
    copies *= Swift.max(1, max ?? min)
    if copies > 1000 {
      throw fault(
        "pattern-nested-bounds-too-large", ["product": "\(copies)", "length": length], at: quantifierStart)
    }
    let next = index
    if try quantifier() != nil {
      throw fault("pattern-quantifier-on-quantifier", ["quantifier": text(from: next)], at: next)
    }
    return .repetition(atom, min: min, max: max)
  }

  private mutating func assertion() throws(PatternFault) -> PatternSyntax.Assertion? {
    let start = index
    for assertion in [PatternSyntax.Assertion.start, .end, .wordBoundary, .notWordBoundary]
    where skip(assertion.rawValue) {
      if ignoreCase, assertion == .wordBoundary || assertion == .notWordBoundary {
        throw fault("pattern-boundary-ignoring-case", ["boundary": assertion.rawValue], at: start)
      }
      return assertion
    }
    return nil
  }

  // MARK: Quantifiers

  /// The bounds of the quantifier that comes next, or `nil` if there is none.
  private mutating func quantifier() throws(PatternFault) -> (min: Int, max: Int?)? {
    let start = index
    guard let sign = peek(), "*+?{".unicodeScalars.contains(sign) else { return nil }
    index += 1
    var bounds = (min: sign == "+" ? 1 : 0, max: sign == "?" ? 1 : nil)
    if sign == "{" {
      guard let counted = count() else {
        index = start + 1
        let inside = take { ("0"..."9").contains($0) || $0 == "," || $0 == " " }
        if !inside.isEmpty, skip("}") {
          throw fault("pattern-foreign-bounds", ["bounds": text(from: start)], at: start)
        }
        index = start + 1
        throw fault("pattern-unescaped", ["character": "{"], at: start)
      }
      bounds = counted
      if let max = bounds.max, max < bounds.min {
        throw fault("pattern-bounds-out-of-order", ["min": "\(bounds.min)", "max": "\(max)"], at: start)
      }
      if Swift.max(bounds.min, bounds.max ?? 0) > 1000 {
        throw fault("pattern-bound-too-large", ["length": length], at: start)
      }
    }
    // Laziness changes which match is found first, but not whether the whole text matches.
    _ = skip("?")
    return bounds
  }

  /// Reads what follows the opening brace of a quantifier.
  private mutating func count() -> (min: Int, max: Int?)? {
    guard let min = number() else { return nil }
    let max = skip(",") ? number() : min
    return skip("}") ? (min, max) : nil
  }

  private mutating func number() -> Int? {
    let digits = take { ("0"..."9").contains($0) }
    return digits.isEmpty ? nil : min(Int(digits) ?? .max, 1_000_000_000)
  }

  // MARK: Atoms

  /// Where what follows has no length of its own to say.
  private var length: String { isSearch ? "`maxLength`" : "a `length` rule" }

  private func nothingToRepeat(_ sign: Unicode.Scalar, at start: Int) -> PatternFault {
    fault("pattern-nothing-to-repeat", ["quantifier": String(sign)], at: start)
  }

  private func foreignClass(_ written: String) -> PatternFault {
    if ["[]", "[^]"].contains(written) { return fault("pattern-foreign-class.bracket") }
    return written.contains("[:") && written.contains(":]")
      ? fault("pattern-foreign-class.named", ["written": written])
      : fault("pattern-foreign-class", ["written": written])
  }

  private mutating func atom() throws(PatternFault) -> PatternSyntax {
    guard let next = peek() else { preconditionFailure("a term begins with a code point") }
    switch next {
    case "(": return try group()
    case "[": return .codePoint(try bracketedClass())
    case "\\": return .codePoint(try atomEscape())
    case ".":
      index += 1
      return .codePoint(CodePointSet.lineTerminators.complement)
    case "*", "+", "?":
      throw nothingToRepeat(next, at: index)
    case "{":
      let start = index
      _ = try quantifier()
      throw nothingToRepeat(next, at: start)
    case "]", "}":
      if next == "]", let doubtfulClass { throw foreignClass(doubtfulClass) }
      throw fault("pattern-unescaped", ["character": String(next)])
    default:
      index += 1
      return .codePoint(try finished([next.value...next.value], isNegated: false))
    }
  }

  private mutating func group() throws(PatternFault) -> PatternSyntax {
    let start = index
    for opening in ["(?=", "(?!", "(?<=", "(?<!"] where skip(opening) {
      throw fault("pattern-lookaround", ["opening": opening], at: start)
    }
    if skip("(?<") {
      try groupName()
    } else if !skip("(?:"), skip("(?") {
      if skipFlags() { throw fault("pattern-inline-flags", at: start) }
      // Python's groups with names.
      if peek() == "P", peek(1) == "<" { index += 1 }
      throw fault("pattern-unknown-group", at: start)
    } else if index == start {
      index += 1
    }
    let content = try choice()
    guard skip(")") else { throw fault("pattern-group-not-closed", at: start) }
    return content
  }

  /// Steps over flags if they come next, like `i:` or `-i)`.
  private mutating func skipFlags() -> Bool {
    let flags = source[index...].prefix { "imsxUu-".unicodeScalars.contains($0) }
    guard !flags.isEmpty, let end = peek(flags.count), end == ":" || end == ")" else { return false }
    index += flags.count + 1
    return true
  }

  private mutating func groupName() throws(PatternFault) {
    let start = index
    while let next = peek(), isNamePart(next, isFirst: index == start) { index += 1 }
    let name = text(from: start)
    guard !name.isEmpty, skip(">") else { throw fault("pattern-group-name", at: start) }
    guard groupNames.insert(name).inserted else {
      throw fault("pattern-duplicate-group-name", ["name": name], at: start)
    }
  }

  /// ECMA-262's RegExpIdentifierName, with letters that every browser in use knows.
  private func isNamePart(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
    if scalar == "$" || scalar == "_" { return true }
    guard let age = scalar.properties.age, age.major <= 12 else { return false }
    return isFirst
      ? scalar.properties.isIDStart : scalar.properties.isIDContinue || scalar == "\u{200C}" || scalar == "\u{200D}"
  }
}

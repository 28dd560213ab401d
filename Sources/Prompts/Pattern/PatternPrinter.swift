/// Writes a pattern as ECMAScript, Rust, RE2 and Python read it alike: for RE2, and for validators of JSON Schema in any
/// of them.
///
/// No look-around, no class escapes and no `\u`: what is not ASCII stands as itself, and every class is written out.
/// A `$` of Python's also matches before a last line feed, so that a schema must exclude that otherwise.
struct PatternPrinter {
  /// For RE2, the letters of the pattern; `nil` to write code points.
  var alphabet: PatternAlphabet?

  init() { alphabet = nil }
  init(alphabet: PatternAlphabet) { self.alphabet = alphabet }

  /// The 25 code points of `\s`.
  static let whiteSpace = PatternPrinter().print(CodePointSet.whiteSpace) ?? ""
  static let notWhiteSpace = PatternPrinter().print(CodePointSet.whiteSpace.complement) ?? ""
  /// Any code point, also a line feed.
  static let anything = #"(?:[^\x0a]|\x0a)"#

  /// Prints a pattern, or returns `nil` if code points cannot express it: engines disagree about what a word is, and
  /// few have an empty class.
  func print(_ syntax: PatternSyntax) -> String? {
    switch syntax {
    case .empty: "(?:)"
    case .codePoint(let set): print(set)
    case .assertion(.start): "^"
    case .assertion(.end): "$"
    // Word characters are spelled with what RE2 takes for word characters.
    case .assertion(let boundary): alphabet == nil ? nil : boundary.rawValue
    case .choice([]): print(CodePointSet.none)
    case .sequence(let parts): print(parts)?.joined()
    case .choice(let choices): print(choices, orNothing: true)?.joined(separator: "|")
    case .repetition(let body, _, _) where body.lengthOfLongestMatch == 0 && !body.hasAssertion: ""
    case .repetition(.codePoint(let set), let min, let max): print(set).map { $0 + Self.quantifier(min, max) }
    case .repetition(let body, let min, let max): print(body).map { "(?:\($0))" + Self.quantifier(min, max) }
    }
  }

  /// Prints each part; a choice among the parts gets a group.
  private func print(_ parts: [PatternSyntax], orNothing: Bool = false) -> [String]? {
    let printed = parts.compactMap { part -> String? in
      if orNothing, part == .empty { return "" }
      return print(part).map { part.isChoice ? "(?:\($0))" : $0 }
    }
    return printed.count == parts.count ? printed : nil
  }

  private static func quantifier(_ min: Int, _ max: Int?) -> String {
    switch (min, max) {
    case (0, nil): "*"
    case (1, nil): "+"
    case (0, 1): "?"
    case (_, nil): "{\(min),}"
    case (_, let max?): "{\(min),\(max)}"
    }
  }

  private func print(_ set: CodePointSet) -> String? {
    // No text holds a surrogate, and no other engine can spell one.
    let surrogates = CodePointSet([0xD800...0xDFFF]), set = alphabet?.spelling(of: set) ?? set
    let members = set.complement.union(surrogates).complement.ranges
    let rest = set.union(surrogates).complement.ranges
    if members.isEmpty { return alphabet == nil ? nil : #"[^\x00-\x{10FFFF}]"# }
    if rest.isEmpty { return Self.anything }
    if members.count == 1, members[0].count == 1 {
      return Self.print(members[0].lowerBound, escaping: #"\^$.*+?()[]{}|"#)
    }
    // So that few classes end beyond U+FFFF, where JavaScript without `u` goes wrong.
    let isNegated = members.last?.upperBound == 0x10_FFFF
    let ranges = (isNegated ? rest : members).map { range in
      let ends = [range.lowerBound, range.upperBound].prefix(range.count).map { Self.print($0, escaping: #"\^[]-"#) }
      return ends.joined(separator: range.count > 2 ? "-" : "")
    }
    return "[\(isNegated ? "^" : "")\(ranges.joined())]"
  }

  private static func print(_ codePoint: UInt32, escaping syntax: String) -> String {
    guard let scalar = Unicode.Scalar(codePoint) else { preconditionFailure("surrogates were left out") }
    if codePoint < 0x20 || (0x7F...0xFF).contains(codePoint) {
      return #"\x"# + (codePoint < 16 ? "0" : "") + String(codePoint, radix: 16)
    }
    return (syntax.unicodeScalars.contains(scalar) ? #"\"# : "") + String(scalar)
  }
}

extension PatternSyntax {
  fileprivate var isChoice: Bool { if case .choice = self { true } else { false } }

  /// The pattern without a leading `^` and a trailing `$`, which a match of the whole text implies anyway;
  /// or `nil` if there are other assertions.
  var withoutAssertions: PatternSyntax? {
    guard case .sequence(var parts) = self else { return hasAssertion ? nil : self }
    if parts.first == .assertion(.start) { parts.removeFirst() }
    if parts.last == .assertion(.end) { parts.removeLast() }
    return parts.contains(where: \.hasAssertion) ? nil : .sequence(parts)
  }

  /// `withoutAssertions`, or the pattern itself if it has other assertions.
  var withoutEnds: PatternSyntax { withoutAssertions ?? self }

  /// A pattern that matches only those of its texts that have none of these code points at either end, or `nil` if that
  /// pattern would be too large.
  ///
  /// - Precondition: it has no assertions.
  func withNeitherEnd(in set: CodePointSet) -> PatternSyntax? {
    var parts = 0
    return withoutStart(in: set, &parts)?.reversed.withoutStart(in: set, &parts)?.reversed
  }

  private func withoutStart(in set: CodePointSet, _ parts: inout Int) -> PatternSyntax? {
    guard let some = beginning(outside: set, &parts) else { return nil }
    return isNullable ? .either([some, .empty]) : some
  }

  /// A pattern for the non-empty texts that it matches and that do not begin with one of these code points.
  private func beginning(outside set: CodePointSet, _ parts: inout Int) -> PatternSyntax? {
    parts += 1
    guard parts < 100 else { return nil }
    switch self {
    case .empty, .assertion: return .choice([])
    case .codePoint(let all): return .codePoint(all.complement.union(set).complement)
    case .choice(let choices):
      let restricted = choices.compactMap { $0.beginning(outside: set, &parts) }
      return restricted.count == choices.count ? .either(restricted) : nil
    case .repetition(let body, let min, let max):
      guard !body.isNullable, let first = body.beginning(outside: set, &parts) else { return nil }
      if max == 0 { return .choice([]) }
      return .both(first, .repetition(body, min: Swift.max(0, min - 1), max: max.map { $0 - 1 }))
    case .sequence(let list):
      guard let head = list.first else { return .choice([]) }
      let tail = PatternSyntax.sequence(Array(list.dropFirst()))
      guard let first = head.beginning(outside: set, &parts) else { return nil }
      if !head.isNullable { return .both(first, tail) }
      return tail.beginning(outside: set, &parts).map { .either([.both(first, tail), $0]) }
    }
  }

  /// True if it matches no text at all.
  private var isNothing: Bool { self == .choice([]) || self == .codePoint(.none) }

  private static func either(_ choices: [PatternSyntax]) -> PatternSyntax {
    let some = choices.filter { !$0.isNothing }
    return some.count == 1 ? some[0] : .choice(some)
  }

  private static func both(_ first: PatternSyntax, _ second: PatternSyntax) -> PatternSyntax {
    first.isNothing || second.isNothing ? .choice([]) : .sequence([first, second])
  }

  private var isNullable: Bool {
    switch self {
    case .empty, .assertion: true
    case .codePoint: false
    case .sequence(let parts): parts.allSatisfy(\.isNullable)
    case .choice(let choices): choices.contains(where: \.isNullable)
    case .repetition(let body, let min, _): min == 0 || body.isNullable
    }
  }

  private var reversed: PatternSyntax {
    switch self {
    case .empty, .codePoint, .assertion: self
    case .sequence(let parts): .sequence(parts.reversed().map(\.reversed))
    case .choice(let choices): .choice(choices.map(\.reversed))
    case .repetition(let body, let min, let max): .repetition(body.reversed, min: min, max: max)
    }
  }
}

/// A pattern as a tree.
///
/// It holds only what the verdict on a whole text depends on: no captures, names or laziness. `ignoreCase` has already
/// widened the classes.
indirect enum PatternSyntax: Hashable, Sendable {
  /// Matches the empty text.
  case empty
  /// Matches one code point: a literal, a dot, a class escape or a bracketed class.
  case codePoint(CodePointSet)
  /// Matches between two code points, without taking any.
  case assertion(Assertion)
  case sequence([PatternSyntax])
  case choice([PatternSyntax])
  /// Without an upper bound if `max` is `nil`.
  case repetition(PatternSyntax, min: Int, max: Int?)

  enum Assertion: String, Hashable, Sendable {
    case start = "^"
    case end = "$"
    case wordBoundary = #"\b"#
    case notWordBoundary = #"\B"#
  }
}

extension PatternSyntax {
  static let anyText = repetition(.codePoint(.all), min: 0, max: nil)

  /// The length of the longest text that it matches, in code points, or `nil` if there is no longest.
  var lengthOfLongestMatch: Int? { longestMatch < .infinity ? Int(longestMatch) : nil }

  private var longestMatch: Double {
    switch self {
    case .empty, .assertion, .repetition(_, _, max: 0): 0
    case .codePoint: 1
    case .sequence(let parts): parts.reduce(0) { $0 + $1.longestMatch }
    case .choice(let choices): choices.reduce(0) { max($0, $1.longestMatch) }
    case .repetition(let body, _, let max):
      body.longestMatch == 0 ? 0 : body.longestMatch * (max.map(Double.init) ?? .infinity)
    }
  }

  /// True if each alternative has this assertion at its start or end.
  func isAnchored(by assertion: Assertion) -> Bool {
    switch self {
    case .choice(let choices): choices.allSatisfy { $0.isAnchored(by: assertion) }
    case .sequence(let parts): (assertion == .start ? parts.first : parts.last) == .assertion(assertion)
    default: self == .assertion(assertion)
    }
  }

  var hasAssertion: Bool {
    if case .assertion = self { return true }
    return children.contains(where: \.hasAssertion)
  }

  /// The classes in it.
  var classes: Set<CodePointSet> {
    if case .codePoint(let set) = self { return [set] }
    return children.reduce(into: []) { $0.formUnion($1.classes) }
  }

  private var children: [PatternSyntax] {
    switch self {
    case .empty, .codePoint, .assertion: []
    case .sequence(let parts), .choice(let parts): parts
    case .repetition(let body, _, _): [body]
    }
  }
}

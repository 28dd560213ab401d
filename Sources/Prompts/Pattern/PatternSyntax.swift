/// A pattern as a tree.
///
/// Only what the verdict on a whole text depends on is kept: captures, names and laziness are not,
/// and `ignoreCase` has already widened the classes.
indirect enum PatternSyntax: Hashable, Sendable {
  /// Matches the empty text.
  case empty
  /// Matches one code point: a literal, a dot, a class escape or a bracketed class.
  case codePoint(CodePointSet)
  /// Matches between two code points, without taking any.
  case assertion(Assertion)
  case sequence([PatternSyntax])
  case choice([PatternSyntax])
  /// `max` nil is without end.
  case repetition(PatternSyntax, min: Int, max: Int?)

  enum Assertion: String, Hashable, Sendable {
    case start = "^"
    case end = "$"
    case wordBoundary = #"\b"#
    case notWordBoundary = #"\B"#
  }
}

extension PatternSyntax {
  /// The length of the longest text that it matches, in code points, or nil if there is none.
  var lengthOfLongestMatch: Int? {
    switch self {
    case .empty, .assertion: return 0
    case .codePoint: return 1
    case .sequence(let parts):
      return parts.reduce(0) { sum, part in sum.flatMap { sum in part.lengthOfLongestMatch.map { sum + $0 } } }
    case .choice(let choices):
      return choices.reduce(0) { most, part in most.flatMap { most in part.lengthOfLongestMatch.map { max(most, $0) } }
      }
    case .repetition(let body, _, let max):
      guard let length = body.lengthOfLongestMatch else { return nil }
      return length == 0 ? 0 : max.map { $0 * length }
    }
  }
}

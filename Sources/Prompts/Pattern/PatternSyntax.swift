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

/// A pattern as a tree.
///
/// Only what the verdict on a whole text depends on is kept: captures, names and laziness are not,
/// and `ignoreCase` has already widened the classes.
indirect enum PatternSyntax: Hashable, Sendable {
  /// Matches the empty text.
  case empty
  /// Matches one code point.
  case codePoint(CodePointClass)
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

/// A literal, a dot, a class escape or a bracketed class: what one code point may be.
struct CodePointClass: Hashable, Sendable {
  let set: CodePointSet
  /// Properties beside the set, which RE2 looks up in its own tables.
  let properties: [Property]
  /// Whether it is what lies outside the set and the properties. Without properties the set itself is turned around.
  let isNegated: Bool

  struct Property: Hashable, Sendable {
    /// RE2's name of it.
    let name: String
    let isNegated: Bool
  }

  init(_ set: CodePointSet, properties: [Property] = [], isNegated: Bool = false) {
    let turnsSet = isNegated && properties.isEmpty
    self.set = turnsSet ? set.complement : set
    self.properties = properties
    self.isNegated = isNegated && !turnsSet
  }
}

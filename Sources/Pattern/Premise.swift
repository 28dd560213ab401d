/// The facts about a text that a rule can rely on, because the rules before it have been met.
package struct Premise: Sendable {
  /// The most bytes that a text may have.
  package static let byteLimit = 16 * 1024

  /// The most code points that the text may have.
  package private(set) var longestText = byteLimit

  /// A pattern that matches the text, or `nil` if none is known.
  package var shape: PatternSyntax?

  package init() {}

  package mutating func limit(to length: Int?) {
    if let length { longestText = min(longestText, length) }
  }
}

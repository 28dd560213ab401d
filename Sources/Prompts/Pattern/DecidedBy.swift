/// Who gives the verdict on a rule.
package enum DecidedBy: String, Hashable, Sendable {
  /// Browser and server both, with the same verdict on every text.
  case everywhere
  /// Only the server; a browser asks it.
  case server
}

/// What is known of a text when a rule comes to judge it, since the rules before that have been met.
struct Premise: Sendable {
  /// The text has at most so many code points. Without a rule that says so: no text has more than 16,384 bytes.
  private(set) var longestText = TextRule.limit

  /// What matches the text, or `nil` if nothing is known.
  var shape: PatternSyntax?

  mutating func limit(to length: Int?) {
    if let length { longestText = min(longestText, length) }
  }
}

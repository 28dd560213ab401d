/// What is known of every input that meets a condition, without judging one.
struct Limits {
  /// The least and the most code points of a text.
  var lengths = (min: 0, max: Int.max)
  /// The least and the most chosen options, or items of a list.
  var counts = (min: 0, max: Int.max)
  /// The only texts, or `nil` if the condition lists none.
  var texts: [String]?
  /// The pattern that an author wrote, or `nil` if the condition has none.
  var pattern: Pattern?
  /// The condition itself, if it is a `range`.
  var range: RangeRule?
  /// The condition itself, if it is a `step`.
  var step: StepRule?
  /// A pattern that matches all texts, and maybe more, or `nil`.
  var shape: PatternSyntax?
}

extension Premise {
  /// Adds what is known of a text once a rule is met.
  mutating func narrow(to rule: Rule) {
    let limits = rule.condition.limits
    limit(to: limits.lengths.max)
    if let known = limits.shape { shape = known }
  }
}

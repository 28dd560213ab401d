/// The result of judging an input by a rule. The message is composed only for the rule that decides.
enum Finding: Sendable {
  case met
  /// The rule that failed, which may be nested inside the rule that was judged, and its predicate's message, if any.
  case unmet(Rule, saying: String? = nil)
  /// The same of a list's item on this line.
  indirect case unmetOnLine(Int, Finding)
  /// The message of the rule `text`.
  indirect case malformed(Sentence)
  /// A predicate could not be checked: neither met nor unmet, and never valid.
  case unchecked
  /// Undecided until an asynchronous predicate is asked.
  indirect case pending(PredicateQuestion)

  /// The verdict on the input. A finding that is still pending means that the input could not be checked.
  ///
  /// - Parameter message: what a rule says that failed.
  func verdict(in sentences: Sentences, _ message: (Rule) -> String) -> Verdict {
    switch self {
    case .met: .valid
    case .unmet(let rule, let own): .invalid(rule: rule.name, message: own ?? message(rule))
    case .unmetOnLine(let line, let finding):
      switch finding.verdict(in: sentences, message) {
      case .valid: .valid
      case .invalid(let rule, let message): .invalid(rule: rule, message: sentences.onLine(line, message))
      }
    case .malformed(let fault): .invalid(rule: TextRule.name, message: sentences(fault))
    case .unchecked, .pending: .invalid(rule: PredicateRule.name, message: sentences(.unchecked))
    }
  }
}

/// What a rule finds.
enum Finding: Sendable {
  case met
  /// nil: this rule itself, with its own message.
  case unmet(Failure?)
  /// A predicate could not be checked: neither met nor unmet, and never valid.
  case unchecked
  /// Undecided until this question is answered.
  case pending(PredicateQuestion)

  /// The rule inside another that failed, and what to say.
  struct Failure: Sendable {
    let rule: String
    let message: String
  }

  var isMet: Bool { if case .met = self { true } else { false } }
}

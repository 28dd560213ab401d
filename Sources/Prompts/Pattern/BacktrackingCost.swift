/// How long a browser's backtracking engine may take for a pattern.
///
/// A text that does not match makes the engine try every way to read it, so its time is the number of ways to read the
/// text's beginnings. The number of ways grows with the text as the *links* of the automaton do (Weber and Seidl 1991,
/// "On the degree of ambiguity of finite automata"): a link is a pair of places with two different ways from the one to
/// the other on the same text. A link on a cycle doubles the ways again and again, which is exponential; a chain of n
/// links whose ways can be drawn out at will is of the order of the length to the n-th power.
struct BacktrackingCost {
  /// Whether the time is at most of the order of the text's length squared; a second or so at 16 KiB.
  ///
  /// Never true of a pattern that can take exponential time. The square is meant for texts without line terminators,
  /// as forms send them: a final `.+` takes any rest of such a text, so that nothing is tried again after it.
  let isAtMostQuadratic: Bool

  init(of syntax: PatternSyntax) {
    // Most patterns need no copies to be seen to be safe, so that is asked first.
    isAtMostQuadratic = Self.isAtMostQuadratic(syntax, rolls: true) || Self.isAtMostQuadratic(syntax, rolls: false)
  }

  private static func isAtMostQuadratic(_ syntax: PatternSyntax, rolls: Bool) -> Bool {
    guard let automaton = PositionAutomaton(syntax, limit: 1100, rolls: rolls),
      automaton.mostEmptyWays <= 16,
      AmbiguityLinks(in: automaton) != nil
    else { return false }
    let trimmed = syntax.hasInnerAssertion ? automaton : automaton.withoutSureSuccess
    guard let links = AmbiguityLinks(in: trimmed) else { return false }
    // Links that cannot be drawn out multiply the time by a constant: one more is bearable beside a square, four alone.
    return links.longestGrowingChain == 0
      ? links.longestChain <= 4 : links.longestGrowingChain == 1 && links.longestChain <= 2
  }
}

extension PatternSyntax {
  /// Whether there is an assertion other than a `^` that begins the pattern and a `$` that ends it.
  fileprivate var hasInnerAssertion: Bool {
    guard case .sequence(var parts) = self else { return hasAssertion }
    if parts.first == .assertion(.start) { parts.removeFirst() }
    if parts.last == .assertion(.end) { parts.removeLast() }
    return parts.contains(where: \.hasAssertion)
  }

  private var hasAssertion: Bool {
    switch self {
    case .empty, .codePoint: false
    case .assertion: true
    case .sequence(let parts), .choice(let parts): parts.contains(where: \.hasAssertion)
    case .repetition(let body, _, _): body.hasAssertion
    }
  }
}

extension PositionAutomaton {
  /// Without the places from which every text without line terminators matches:
  /// an engine that comes there succeeds and tries nothing else.
  fileprivate var withoutSureSuccess: PositionAutomaton {
    let dot = CodePointSet.lineTerminators.complement
    return removing { position in
      ends[position] != nil && sets[position].isSuperset(of: dot) && edges[position].contains { $0.target == position }
    }
  }
}

extension PatternSyntax {
  /// True if no whole text matches, because an assertion stands where it never holds, or a class where a text has
  /// nothing of it. False if that would take too long to find out.
  ///
  /// - Parameter alphabet: what texts are made of.
  func matchesNothing(of alphabet: CodePointSet) -> Bool {
    var walk = PatternWalk(alphabet: alphabet)
    let ends = walk.positions(after: self, from: [.init(before: .edge)])
    return walk.left > 0 && !ends.contains { $0.next.contains(.edge) }
  }

  /// True if it may match nothing: only with assertions, or a class that has nothing of the alphabet.
  func mayMatchNothing(of alphabet: CodePointSet) -> Bool {
    hasAssertion || classes.contains { $0.intersection(alphabet).isEmpty }
  }

  /// The length of the shortest text that it could match, in code points, whatever its assertions say.
  var lengthOfShortestMatch: Int {
    switch self {
    case .empty, .assertion: 0
    case .codePoint: 1
    case .sequence(let parts): parts.reduce(0) { $0 + $1.lengthOfShortestMatch }
    case .choice(let choices): choices.map(\.lengthOfShortestMatch).min() ?? 0
    case .repetition(let body, let min, _): body.lengthOfShortestMatch * min
    }
  }
}

/// Follows a pattern through all texts at once.
private struct PatternWalk {
  enum Side { case edge, word, other }

  /// A place between two code points: what stands before it, and what may come next.
  struct Position: Hashable {
    var before: Side
    var next: Set<Side> = [.edge, .word, .other]
  }

  let alphabet: CodePointSet
  /// The number of parts that are still looked at.
  var left = 500

  mutating func positions(after syntax: PatternSyntax, from start: Set<Position>) -> Set<Position> {
    left -= 1
    if left <= 0 || start.isEmpty { return start }
    switch syntax {
    case .empty: return start
    case .codePoint(let set):
      let set = set.intersection(alphabet), words = CodePointSet.wordCharacters
      let sides: [Side] =
        (set.intersection(words).isEmpty ? [] : [.word]) + (set.intersection(words.complement).isEmpty ? [] : [.other])
      return Set(sides.filter { side in start.contains { $0.next.contains(side) } }.map { Position(before: $0) })
    case .assertion(let assertion):
      return Set(start.map { narrowed($0, by: assertion) }.filter { !$0.next.isEmpty })
    case .sequence(let parts): return parts.reduce(start) { positions(after: $1, from: $0) }
    case .choice(let choices): return choices.reduce(into: []) { $0.formUnion(positions(after: $1, from: start)) }
    case .repetition(let body, let min, let max):
      var reached = start
      for _ in 0..<min {
        let next = positions(after: body, from: reached)
        if next == reached { break }
        reached = next
      }
      for _ in min..<(max ?? .max) {
        let more = reached.union(positions(after: body, from: reached))
        if more == reached || left <= 0 { break }
        reached = more
      }
      return reached
    }
  }

  private func narrowed(_ position: Position, by assertion: PatternSyntax.Assertion) -> Position {
    let boundary: Set<Side> = position.before == .word ? [.edge, .other] : [.word]
    var narrowed = position
    switch assertion {
    case .start: if position.before != .edge { narrowed.next = [] }
    case .end: narrowed.next.formIntersection([.edge])
    case .wordBoundary: narrowed.next.formIntersection(boundary)
    case .notWordBoundary: narrowed.next.subtract(boundary)
    }
    return narrowed
  }
}

/// ECMA-262's CharacterClass, with the `u` flag.
extension PatternParser {
  /// The class, in either case if the pattern says so. Under `iu` ECMA-262 folds first and negates then.
  mutating func finished(_ members: [CodePointSet.Range], isNegated: Bool) throws(PatternFault) -> CodePointSet {
    // To sort a range, and to look its class up again each time that something is made of the pattern.
    try spend(100 * members.count)
    let set = CodePointSet(members)
    guard ignoreCase else { return isNegated ? set.complement : set }
    let folded: (closure: CodePointSet, isUnsettled: Bool)
    if let known = folds[set] {
      folded = known
    } else {
      try spend(CaseFolding.work(of: set))
      folded = (CaseFolding.closure(of: set), CaseFolding.isUnsettled(set))
      folds[set] = folded
    }
    if folded.isUnsettled { hasUnsettledCase = true }
    return isNegated ? folded.closure.complement : folded.closure
  }

  mutating func bracketedClass() throws(PatternFault) -> CodePointSet {
    let start = index
    index += 1
    let isNegated = skip("^")
    var members: [CodePointSet.Range] = []
    while !skip("]") {
      guard peek() != nil else { throw fault(.classNotClosed, at: start) }
      let itemStart = index
      let first = try classAtom()
      // A hyphen is a range only between two atoms.
      guard peek() == "-", let after = peek(1), after != "]" else {
        try spend(20 * first.members.count)
        members += first.members
        continue
      }
      let firstText = text(from: itemStart)
      index += 1
      let lastStart = index
      let last = try classAtom()
      guard case .codePoint(let low) = first else { throw fault(.classEscapeInRange(firstText), at: itemStart) }
      guard case .codePoint(let high) = last else {
        throw fault(.classEscapeInRange(text(from: lastStart)), at: lastStart)
      }
      guard low <= high else { throw fault(.rangeOutOfOrder(text(from: itemStart)), at: itemStart) }
      members.append(low...high)
    }
    return try finished(members, isNegated: isNegated)
  }

  private mutating func classAtom() throws(PatternFault) -> Escape {
    guard let next = peek() else { preconditionFailure("a class's atom begins with a code point") }
    if next == "\\" { return try escape(inClass: true) }
    index += 1
    return .codePoint(next.value)
  }
}

/// ECMA-262's CharacterClass, with the `u` flag.
extension PatternParser {
  /// What stands between the brackets of a class, gathered.
  struct ClassMembers {
    private(set) var set: [CodePointSet.Range] = []
    private(set) var properties: [CodePointClass.Property] = []

    mutating func insert(_ range: CodePointSet.Range) {
      set.append(range)
    }

    mutating func insert(_ escape: PatternParser.Escape, ignoreCase: Bool) {
      switch escape {
      case .codePoint(let codePoint): set.append(codePoint...codePoint)
      case .set(let escaped): set += escaped.ranges
      case .property(let property, let isNegated):
        // RE2 folds letter case in another order than ECMA-262 where a property is negated, so the members are written out.
        if !ignoreCase, let named = property.named(isNegated: isNegated) {
          properties += named
        } else {
          set += (isNegated ? property.codePoints.complement : property.codePoints).ranges
        }
      }
    }
  }

  /// The class, in either case if the pattern says so. Under `iu` ECMA-262 folds first and negates then.
  mutating func finished(_ members: ClassMembers, isNegated: Bool) -> CodePointClass {
    let set = CodePointSet(members.set)
    guard ignoreCase else { return CodePointClass(set, properties: members.properties, isNegated: isNegated) }
    if CaseFolding.isUnsettled(set) { hasUnsettledCase = true }
    return CodePointClass(CaseFolding.closure(of: set), properties: members.properties, isNegated: isNegated)
  }

  mutating func bracketedClass() throws(PatternFault) -> CodePointClass {
    let start = index
    index += 1
    let isNegated = skip("^")
    var members = ClassMembers()
    while !skip("]") {
      guard peek() != nil else { throw fault(.classNotClosed, at: start) }
      let itemStart = index
      let first = try classAtom()
      // A hyphen is a range only between two atoms.
      guard peek() == "-", let after = peek(1), after != "]" else {
        members.insert(first, ignoreCase: ignoreCase)
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
      members.insert(low...high)
    }
    return finished(members, isNegated: isNegated)
  }

  private mutating func classAtom() throws(PatternFault) -> Escape {
    guard let next = peek() else { preconditionFailure("a class's atom begins with a code point") }
    if next == "\\" { return try escape(inClass: true) }
    index += 1
    return .codePoint(next.value)
  }
}

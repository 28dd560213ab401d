/// Simple case folding, as ECMA-262 uses it under the flags `iu` (Canonicalize, 22.2.2.7.3).
///
/// The sets are expanded here and not left to RE2, whose tables are those of another Unicode version.
enum CaseFolding {
  /// The set and every code point that folds together with one in it.
  static func closure(of set: CodePointSet) -> CodePointSet {
    var added: [CodePointSet.Range] = []
    forEachMember(of: set) { orbit in
      for member in orbit where !set.contains(member) { added.append(member...member) }
    }
    return added.isEmpty ? set : set.union(CodePointSet(added))
  }

  /// The closure of `\w`.
  static let wordCharacters = closure(of: .wordCharacters)

  /// At most what `closure` and `isUnsettled` cost together; see `WorkBudget`.
  static func work(of set: CodePointSet) -> Int {
    30 * set.ranges.reduce(10 * set.ranges.count) { $0 + min($1.count, cased.count) }
  }

  /// Whether browsers of different Unicode versions may expand the set differently.
  static func isUnsettled(_ set: CodePointSet) -> Bool {
    var isUnsettled = false
    forEachMember(of: set) { orbit in
      if unsettled.contains(orbit[0]), !orbit.allSatisfy(set.contains) { isUnsettled = true }
    }
    return isUnsettled
  }

  /// Calls `body` with the orbit of each cased code point of the set: all code points that fold to the same one, sorted.
  private static func forEachMember(of set: CodePointSet, _ body: ([UInt32]) -> Void) {
    for range in set.ranges {
      var low = 0
      var high = cased.count
      while low < high {
        let middle = (low + high) / 2
        if cased[middle].codePoint < range.lowerBound { low = middle + 1 } else { high = middle }
      }
      while low < cased.count, cased[low].codePoint <= range.upperBound {
        body(orbits[cased[low].orbit])
        low += 1
      }
    }
  }

  private static let unsettled = CodePointSet(CaseFoldingTable.unsettled.map { $0.first...$0.last })

  /// Every set of two or more code points that fold together, each sorted.
  static let orbits: [[UInt32]] = {
    var members: [UInt32: [UInt32]] = [:]
    for run in CaseFoldingTable.runs {
      for codePoint in stride(from: run.first, through: run.last, by: Int(run.step)) {
        let smallest = UInt32(Int32(codePoint) + run.distance)
        members[smallest, default: [smallest]].append(codePoint)
      }
    }
    return members.values.map { $0.sorted() }.sorted { $0[0] < $1[0] }
  }()

  /// Every code point of `orbits` in order, with the index of its orbit.
  private static let cased: [(codePoint: UInt32, orbit: Int)] =
    orbits.enumerated()
    .flatMap { index, orbit in orbit.map { (codePoint: $0, orbit: index) } }
    .sorted { $0.codePoint < $1.codePoint }
}

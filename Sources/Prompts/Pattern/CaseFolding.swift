/// Simple case folding, as ECMA-262 uses it under the flags `iu` (Canonicalize, 22.2.2.7.3).
///
/// The sets are expanded here and not by RE2, whose tables have another Unicode version.
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

  /// Calls `body` with the orbit of each cased code point in the set: all code points that fold to the same one, sorted.
  private static func forEachMember(of set: CodePointSet, _ body: ([UInt32]) -> Void) {
    for range in set.ranges {
      var index = cased.partitioningIndex { $0.codePoint >= range.lowerBound }
      while index < cased.count, cased[index].codePoint <= range.upperBound {
        body(orbits[cased[index].orbit])
        index += 1
      }
    }
  }

  /// Those whose folding changed in a Unicode version that some browsers in use do not have.
  private static let unsettled = CodePointSet(
    table.filter { $0[0] == "unsettled" }.compactMap { UnicodeData.range($0[1]) })

  private static var table: [[Substring]] { UnicodeData.lines(of: "case-folding.txt") }

  /// Every set of two or more code points that fold together, each sorted.
  static let orbits: [[UInt32]] = {
    var members: [UInt32: [UInt32]] = [:]
    for line in table where line[0] == "fold" {
      guard let range = UnicodeData.range(line[1]), let step = Int(line[2]), let distance = Int(line[3]) else {
        continue
      }
      for codePoint in stride(from: range.lowerBound, through: range.upperBound, by: step) {
        let smallest = UInt32(Int(codePoint) + distance)
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

/// Simple case folding, as ECMA-262 uses it under the flags `iu` (Canonicalize, 22.2.2.7.3).
///
/// The sets are expanded here and not by RE2, whose tables have another Unicode version.
enum CaseFolding {
  /// What a set becomes if letters match in either case.
  struct Folded {
    /// The set and every code point that folds together with one in it.
    let closure: CodePointSet
    /// Whether browsers of different Unicode versions may expand the set differently.
    let isUnsettled: Bool
  }

  static func fold(_ set: CodePointSet) -> Folded {
    var added: [CodePointSet.Range] = []
    var isUnsettled = false
    for range in set.ranges {
      var index = cased.partitioningIndex { $0.codePoint >= range.lowerBound }
      while index < cased.count, cased[index].codePoint <= range.upperBound {
        let letter = cased[index]
        index += 1
        // In a large range, nearly every letter stands with all that fold together with it.
        if range.contains(letter.first), range.contains(letter.last) { continue }
        for member in orbits[letter.orbit] where !set.contains(member) {
          added.append(member...member)
          isUnsettled = isUnsettled || unsettled.contains(letter.first)
        }
      }
    }
    return Folded(closure: added.isEmpty ? set : set.union(CodePointSet(added)), isUnsettled: isUnsettled)
  }

  /// The closure of `\w`.
  static let wordCharacters = fold(.wordCharacters).closure

  /// At most what `fold` costs; see `WorkBudget`.
  static func work(of set: CodePointSet) -> Int {
    30 * set.ranges.reduce(10 * set.ranges.count) { $0 + min($1.count, cased.count) }
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

  /// Every code point of `orbits` in order, with the index of its orbit and the orbit's ends.
  private static let cased: [(codePoint: UInt32, orbit: Int, first: UInt32, last: UInt32)] =
    orbits.enumerated()
    .flatMap { index, orbit in
      orbit.map { (codePoint: $0, orbit: index, first: orbit[0], last: orbit[orbit.count - 1]) }
    }
    .sorted { $0.codePoint < $1.codePoint }
}

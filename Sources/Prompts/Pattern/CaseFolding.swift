/// Simple case folding, as ECMA-262 uses it under the flags `iu` (Canonicalize, 22.2.2.7.3).
///
/// The sets are expanded here and not by RE2, whose tables have another Unicode version.
enum CaseFolding {
  /// A set in which letters match in either case: with every code point that folds together with one in it, and a flag
  /// that is true if browsers of different Unicode versions may expand it differently.
  typealias Folded = (closure: CodePointSet, isUnsettled: Bool)

  static func fold(_ set: CodePointSet) -> Folded {
    var added: [CodePointSet.Range] = []
    var isUnsettled = false
    for letter in set.intersection(cased).ranges.joined() {
      guard let orbit = orbitOf[letter] else { continue }
      // In a large range, nearly every letter stands with all that fold together with it.
      for member in orbit where !set.contains(member) {
        added.append(member...member)
        isUnsettled = isUnsettled || unsettled.contains(orbit[0])
      }
    }
    return (added.isEmpty ? set : set.union(CodePointSet(added)), isUnsettled)
  }

  /// The closure of `\w`.
  static let wordCharacters = fold(.wordCharacters).closure

  /// At most what `fold` costs; see `WorkBudget`.
  static func work(of set: CodePointSet) -> Int {
    30 * set.ranges.reduce(10 * set.ranges.count) { $0 + min($1.count, orbitOf.count) }
  }

  /// Those whose folding changed in a Unicode version that some browsers in use do not have.
  private static let unsettled = UnicodeData.set("unsettled", in: "case-folding.txt")

  /// Every set of two or more code points that fold together, each sorted.
  static let orbits: [[UInt32]] = {
    var members: [UInt32: [UInt32]] = [:]
    for line in UnicodeData.lines(of: "case-folding.txt") where line[0] == "fold" {
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

  /// Every code point of `orbits`.
  private static let cased = CodePointSet(orbits.joined().map { $0...$0 })

  private static let orbitOf = orbits.reduce(into: [UInt32: [UInt32]]()) { known, orbit in
    for codePoint in orbit { known[codePoint] = orbit }
  }
}

/// A set of Unicode code points, kept as sorted ranges with gaps between them.
struct CodePointSet: Hashable, Sendable {
  typealias Range = ClosedRange<UInt32>

  private(set) var ranges: [Range]

  static let none = CodePointSet([])
  static let all = CodePointSet([0...0x10_FFFF])

  init(_ ranges: [Range]) {
    var merged: [Range] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound &+ 1 {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    self.ranges = merged
  }

  init(_ codePoint: UInt32) {
    ranges = [codePoint...codePoint]
  }

  var isEmpty: Bool { ranges.isEmpty }

  /// Every code point that is not in the set.
  var complement: CodePointSet {
    var gaps: [Range] = []
    var next: UInt32 = 0
    for range in ranges {
      if range.lowerBound > next { gaps.append(next...(range.lowerBound - 1)) }
      next = range.upperBound + 1
    }
    if next <= 0x10_FFFF { gaps.append(next...0x10_FFFF) }
    return CodePointSet(gaps)
  }

  func union(_ other: CodePointSet) -> CodePointSet {
    CodePointSet(ranges + other.ranges)
  }

  func intersection(_ other: CodePointSet) -> CodePointSet {
    var (left, right, common) = (0, 0, [Range]())
    while left < ranges.count, right < other.ranges.count {
      let (one, two) = (ranges[left], other.ranges[right])
      if one.overlaps(two) { common.append(one.clamped(to: two)) }
      if one.upperBound < two.upperBound { left += 1 } else { right += 1 }
    }
    return CodePointSet(common)
  }

  func isSuperset(of other: CodePointSet) -> Bool { intersection(other) == other }

  func contains(_ codePoint: UInt32) -> Bool {
    let index = ranges.partitioningIndex { $0.upperBound >= codePoint }
    return index < ranges.count && ranges[index].lowerBound <= codePoint
  }
}

/// The meaning of the class escapes and the dot in ECMAScript.
extension CodePointSet {
  /// `\d`
  static let digits = CodePointSet([0x30...0x39])

  /// `\w`, without `ignoreCase`
  static let wordCharacters = CodePointSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])

  /// `\s`: the 25 code points of ECMA-262's WhiteSpace and LineTerminator.
  static let whiteSpace = CodePointSet([
    0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
    0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
  ])

  /// The code points that `.` does not match: ECMA-262's LineTerminator.
  static let lineTerminators = CodePointSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029])
}

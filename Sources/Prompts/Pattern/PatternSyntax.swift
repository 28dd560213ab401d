/// A pattern as a tree.
///
/// It holds only what the verdict on a whole text depends on: no captures, names or laziness. `ignoreCase` has already
/// widened the classes.
indirect enum PatternSyntax: Hashable, Sendable {
  /// Matches the empty text.
  case empty
  /// Matches one code point: a literal, a dot, a class escape or a bracketed class.
  case codePoint(CodePointSet)
  /// Matches between two code points, without taking any.
  case assertion(Assertion)
  case sequence([PatternSyntax])
  case choice([PatternSyntax])
  /// Without an upper bound if `max` is `nil`.
  case repetition(PatternSyntax, min: Int, max: Int?)

  enum Assertion: String, Hashable, Sendable {
    case start = "^"
    case end = "$"
    case wordBoundary = #"\b"#
    case notWordBoundary = #"\B"#
  }
}

extension PatternSyntax {
  static let anyText = repetition(.codePoint(.all), min: 0, max: nil)

  /// The length of the longest text that it matches, in code points, or `nil` if there is no longest.
  var lengthOfLongestMatch: Int? { longestMatch < .infinity ? Int(longestMatch) : nil }

  private var longestMatch: Double {
    switch self {
    case .empty, .assertion, .repetition(_, _, max: 0): 0
    case .codePoint: 1
    case .sequence(let parts): parts.reduce(0) { $0 + $1.longestMatch }
    case .choice(let choices): choices.reduce(0) { max($0, $1.longestMatch) }
    case .repetition(let body, _, let max):
      body.longestMatch == 0 ? 0 : body.longestMatch * (max.map(Double.init) ?? .infinity)
    }
  }

  /// True if each alternative has this assertion at its start or end.
  func isAnchored(by assertion: Assertion) -> Bool {
    switch self {
    case .choice(let choices): choices.allSatisfy { $0.isAnchored(by: assertion) }
    case .sequence(let parts): (assertion == .start ? parts.first : parts.last) == .assertion(assertion)
    default: self == .assertion(assertion)
    }
  }

  var hasAssertion: Bool {
    if case .assertion = self { return true }
    return children.contains(where: \.hasAssertion)
  }

  /// The classes in it.
  var classes: Set<CodePointSet> {
    if case .codePoint(let set) = self { return [set] }
    return children.reduce(into: []) { $0.formUnion($1.classes) }
  }

  private var children: [PatternSyntax] {
    switch self {
    case .empty, .codePoint, .assertion: []
    case .sequence(let parts), .choice(let parts): parts
    case .repetition(let body, _, _): [body]
    }
  }
}

// MARK: Classes

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

/// A set of small numbers.
struct BitSet: Hashable {
  private var words: [UInt64]

  /// - Parameter limit: every number is less.
  init(below limit: Int) { words = Array(repeating: 0, count: (limit + 63) / 64) }

  func contains(_ number: Int) -> Bool { words[number / 64] >> (number % 64) & 1 == 1 }
  func intersection(_ other: BitSet) -> BitSet {
    var common = self
    for index in words.indices { common.words[index] &= other.words[index] }
    return common
  }
  func meets(_ other: BitSet) -> Bool { words.indices.contains { words[$0] & other.words[$0] != 0 } }
  mutating func insert(_ number: Int) { words[number / 64] |= 1 << (number % 64) }
  mutating func toggle(_ number: Int) { words[number / 64] ^= 1 << (number % 64) }
}

extension Array {
  /// Binary search: the index of the first element with a property that all elements after it have too, or the array's
  /// end if none has it.
  @inline(__always)
  func partitioningIndex(where hasProperty: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if hasProperty(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
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

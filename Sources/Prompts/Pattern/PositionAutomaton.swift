/// A pattern as an automaton whose states are the places in it that take a code point (Glushkov's construction),
/// with the number of ways that a backtracking engine has from each place to the next.
///
/// ECMA-262 rejects an iteration that takes nothing once the quantifier's lower bound is reached (22.2.2.3.1,
/// RepeatMatcher), so such iterations are not among the ways. An assertion counts as always met, so that there are never
/// fewer ways than in the engine.
struct PositionAutomaton {
  /// The number of ways to reach each of some positions.
  typealias Ways = [Int: Double]

  /// The code points that each position takes. Position 0 is the start and takes nothing.
  private(set) var sets: [CodePointSet] = [.none]
  /// The positions that each position leads to.
  private(set) var edges: [Ways] = [[:]]
  /// The positions at which the pattern may end, of those that take something.
  private(set) var ends: Ways = [:]
  /// True if it matches the empty text.
  private(set) var isNullable = false
  /// The most ways that any part has to match nothing.
  private(set) var mostEmptyWays = 1.0

  /// A part of the pattern, seen from outside. Its default values are those of a part that matches only the empty text.
  private struct Fragment {
    var empty = 1.0
    var first: Ways = [:]
    var last: Ways = [:]
  }

  private let limit: Int
  private static let edgeLimit = 100_000
  private let rolls: Bool
  private var edgeCount = 0

  /// `nil` if it would have more than `limit` positions or `edgeLimit` edges, or if `rolls` would hide ways.
  ///
  /// - Parameter rolls: whether to treat counted quantifiers as if they had no upper bound. Different ways through the
  ///   counted one are different ways through the other, so there are never fewer.
  init?(_ syntax: PatternSyntax, limit: Int, rolls: Bool) {
    self.limit = limit
    self.rolls = rolls
    guard let whole = try? add(syntax) else { return nil }
    edges[0] = whole.first
    ends = whole.last
    isNullable = whole.empty > 0
  }

  private mutating func connect(_ last: Ways, _ first: Ways) throws {
    edgeCount += last.count * first.count
    guard edgeCount <= Self.edgeLimit else { throw PatternFault.tooLarge }
    for (source, ways) in last { edges[source].add(first, times: ways) }
  }

  private mutating func add(_ syntax: PatternSyntax) throws -> Fragment {
    var part = Fragment()
    switch syntax {
    case .empty, .assertion: break
    case .codePoint(let set):
      guard sets.count <= limit else { throw PatternFault.tooLarge }
      part = Fragment(empty: 0, first: [sets.count: 1], last: [sets.count: 1])
      sets.append(set)
      edges.append([:])
    case .sequence(let parts):
      for next in parts { part = try follow(part, add(next)) }
    case .choice(let choices):
      part.empty = 0
      for choice in choices {
        let next = try add(choice)
        part.empty += next.empty
        part.first.add(next.first)
        part.last.add(next.last)
      }
    case .repetition(let body, let min, let max): part = try addRepetition(of: body, min: min, max: max)
    }
    mostEmptyWays = max(mostEmptyWays, part.empty)
    return part
  }

  private mutating func follow(_ before: Fragment, _ after: Fragment) throws -> Fragment {
    try connect(before.last, after.first)
    var whole = Fragment(empty: before.empty * after.empty, first: before.first, last: after.last)
    whole.first.add(after.first, times: before.empty)
    whole.last.add(before.last, times: after.empty)
    return whole
  }

  private mutating func addRepetition(of body: PatternSyntax, min: Int, max: Int?) throws -> Fragment {
    if max == 0 { return Fragment() }
    let isCounted = min > 1 || (max ?? 1) > 1
    if rolls || !isCounted {
      var part = try add(body)
      // An engine could also choose which required iterations take nothing, and a loop does not count those choices.
      if min > 1, part.empty > 0 { throw PatternFault.tooLarge }
      if max != 1 { try connect(part.last, part.first) }
      if min == 0 {
        part.empty = 1
      } else if max != 1 {
        part.first.add(part.first, times: part.empty)
      }
      return part
    }
    guard min <= limit, max ?? 0 <= limit else { throw PatternFault.tooLarge }
    var whole = Fragment()
    for _ in 0..<min { whole = try follow(whole, add(body)) }
    guard let max else { return try follow(whole, addRepetition(of: body, min: 0, max: nil)) }
    // Iterations that each take something, and follow only one another.
    var optional = Fragment()
    for var iteration in try (min..<max).map({ _ in try add(body) }).reversed() {
      iteration.empty = 0
      optional = try follow(iteration, optional)
      optional.empty = 1
    }
    return try follow(whole, optional)
  }

  /// Removes the positions from which the rest of a text always matches, if the text has only these code points.
  mutating func removeCertainMatches(on known: CodePointSet) {
    let isSure = edges.indices.map { position in
      ends[position] != nil && sets[position].isSuperset(of: known) && edges[position].keys.elementsEqual([position])
    }
    edges = edges.map { $0.filter { !isSure[$0.key] } }
  }

  /// For each position, the positions that the same text can also lead to; or `nil` if finding them would take more
  /// than `limit` pairs of steps.
  ///
  /// - Parameters:
  ///   - texts: matches the texts in question.
  ///   - alphabet: of both automata.
  func positionsTogether(on texts: PositionAutomaton, _ alphabet: PatternAlphabet, limit: Int) -> [BitSet]? {
    let letters = sets.map(alphabet.letterSet)
    let lettersOfTexts = letters.map { own in texts.sets.map { own.intersection(alphabet.letterSet(of: $0)) } }
    let steps = edges.map { Array($0.keys) }
    let textSteps = texts.edges.map { Array($0.keys) }
    var together = Array(repeating: BitSet(below: sets.count), count: sets.count)
    // A table and not a set, because of the many look-ups.
    var isKnown = [Bool](repeating: false, count: sets.count * sets.count * texts.sets.count)
    var places = [(first: 0, second: 0, text: 0)]
    var work = 0
    while let place = places.popLast() {
      for text in textSteps[place.text] {
        for (index, target) in steps[place.first].enumerated() {
          // If both are at one position, half of their steps tell everything.
          let partners = steps[place.second].dropFirst(place.first == place.second ? index : 0)
          work += partners.count
          guard work <= limit else { return nil }
          for partner in partners {
            let (first, second) = (min(target, partner), max(target, partner))
            let key = (first * sets.count + second) * texts.sets.count + text
            if isKnown[key] { continue }
            isKnown[key] = true
            guard lettersOfTexts[first][text].meets(letters[second]) else { continue }
            together[first].insert(second)
            together[second].insert(first)
            places.append((first, second, text))
          }
        }
      }
    }
    return together
  }
}

extension [Int: Double] {
  mutating func add(_ ways: Self, times factor: Double = 1) {
    if factor > 0 { for (position, ways) in ways { self[position, default: 0] += ways * factor } }
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

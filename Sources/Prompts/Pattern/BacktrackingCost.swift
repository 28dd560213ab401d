/// How long a text may be for a browser to judge it by a pattern without freezing its page.
///
/// A text that does not match makes a backtracking engine try every way to read it, so its time is the number of ways to
/// read each prefix of the text. No text of n code points has more ways than counted here: the ways to a position are the
/// ways to the positions before it, and of these only those add up that one text can lead to.
struct BacktrackingCost {
  /// Steps that nobody notices in a page: at most some 25 ms in the browsers' engines.
  static let affordableSteps = 6_000_000.0

  /// The most steps of counting for one pattern: some milliseconds.
  private static let countingLimit = 2_000_000

  /// The length in code points up to which no text costs more than the affordable steps.
  let longestText: Int

  /// - Parameters:
  ///   - shape: a pattern that is known to match the texts, or `nil`.
  ///   - limit: the length of the longest text.
  init(of syntax: PatternSyntax, on shape: PatternSyntax?, upTo limit: Int, affordableSteps: Double = affordableSteps) {
    func longestText(rolls: Bool) -> Int {
      Self.longestText(syntax, rolls: rolls, shape, upTo: limit, affordableSteps)
    }
    // Most patterns prove safe without a copy for each counted iteration, so try that first.
    let rolled = longestText(rolls: true)
    self.longestText = rolled == limit ? limit : max(rolled, longestText(rolls: false))
  }

  private static func longestText(
    _ syntax: PatternSyntax, rolls: Bool, _ shape: PatternSyntax?, upTo limit: Int, _ affordableSteps: Double
  ) -> Int {
    guard let whole = PositionAutomaton(syntax, limit: 1100, rolls: rolls), whole.mostEmptyWays <= 16,
      let texts = PositionAutomaton(shape ?? .repetition(.codePoint(.all), min: 0, max: nil), limit: 20, rolls: true)
    else { return 0 }
    // An engine that reaches a final `.*` succeeds and tries nothing else, unless the dot can meet a line terminator.
    let known = texts.sets.reduce(CodePointSet.none) { $0.union($1) }
    let automaton = syntax.hasInnerAssertion ? whole : whole.withoutSureSuccess(on: known)
    guard let together = CommonPositions(of: automaton, on: texts, limit: countingLimit) else { return 0 }
    var ways = WayCounter(automaton, together, PatternAlphabet(of: syntax))
    // No way is longer than the longest match.
    let end = min(limit, syntax.lengthOfLongestMatch ?? limit)
    var (length, steps) = (0, ways.steps)
    while steps <= affordableSteps {
      if length == end { return limit }
      // By then, every reader has left the part before the first loop.
      let isExact = length < automaton.sets.count
      if !ways.grow(isExact: isExact) {
        if isExact { return limit }
        length += Int(min((affordableSteps - steps) / max(ways.steps, 1), Double(end)))
        return length >= end ? limit : length
      }
      if ways.work > countingLimit { return length }
      length += 1
      steps += ways.steps
    }
    return max(0, length - 1)
  }
}

/// Counts the ways to the positions of an automaton, one code point after the other.
private struct WayCounter {
  /// A sum of ways for each letter that the text can end in. The greatest counts.
  private struct Sum {
    var total = 0.0
    var sumOfLetter: [Double] = []
    /// A group holds positions of which no text leads to two. It adds only its greatest.
    var groups: [[Double]] = []
  }

  /// A place where the ways to a position are added up.
  private typealias Term = (sum: Int, letter: Int, group: Int, weight: Double)

  /// The sum of each position's ways. Nothing leads to position 0, so there it is the sum of all.
  private var sums: [Sum]
  /// The terms of each position.
  private var terms: [[Term]]
  /// The positions whose ways have changed with the last code point.
  private var changed: [Int] = []
  private var isChanged: [Bool]
  /// The number of terms that were added up.
  private(set) var work = 0

  init(_ automaton: PositionAutomaton, _ together: CommonPositions, _ alphabet: PatternAlphabet) {
    let count = automaton.sets.count
    sums = Array(repeating: Sum(), count: count)
    terms = Array(repeating: [], count: count)
    isChanged = Array(repeating: false, count: count)
    var sources = Array(repeating: [(position: Int, weight: Double)](), count: count)
    for (source, edges) in automaton.edges.enumerated() {
      for edge in edges { sources[edge.target].append((source, edge.ways)) }
      // The ways that an engine tries from there.
      sources[0].append((source, edges.reduce(automaton.ends[source] ?? 0) { $0 + $1.ways }))
    }
    let letters = automaton.sets.map { set in set.isEmpty ? [] : alphabet.spelling(of: set).ranges.flatMap { Array($0) }
    }
    for (sum, members) in sources.enumerated() {
      // No letter leads to the start.
      for (letter, positions) in Self.positionsByLetter(members.map(\.position), letters).enumerated() {
        add(members.filter { positions.contains($0.position) }, to: sum, letter, together)
      }
    }
    update(0, ways: 1)
  }

  /// The positions that take each letter, without letters whose positions another letter has too.
  private static func positionsByLetter(_ positions: [Int], _ letters: [[PatternAlphabet.Letter]]) -> [Set<Int>] {
    var byLetter: [PatternAlphabet.Letter?: Set<Int>] = [:]
    for position in positions {
      if position == 0 { byLetter[nil] = [0] }
      for letter in letters[position] { byLetter[letter, default: []].insert(position) }
    }
    var distinct: [Set<Int>] = []
    for positions in byLetter.values.sorted(by: { ($0.count, $0.min() ?? 0) > ($1.count, $1.min() ?? 0) })
    where !distinct.contains(where: { $0.isSuperset(of: positions) }) {
      distinct.append(positions)
    }
    return distinct
  }

  private mutating func add(
    _ members: [(position: Int, weight: Double)], to sum: Int, _ letter: Int, _ together: CommonPositions
  ) {
    var groups: [BitSet] = []
    for member in members {
      let row = together.rows[member.position]
      let group = groups.firstIndex { !$0.meets(row) } ?? groups.count
      if group == groups.count { groups.append(BitSet(below: together.rows.count)) }
      groups[group].insert(member.position)
      terms[member.position].append((sum, letter, group, member.weight))
    }
    sums[sum].sumOfLetter.append(0)
    sums[sum].groups.append(Array(repeating: 0, count: groups.count))
  }

  /// The number of all ways that an engine tries after the last code point.
  var steps: Double { sums[0].total }

  /// Takes one more code point.
  ///
  /// - Parameter isExact: whether to count the ways of texts of exactly that length. If not, it counts those of texts of
  ///   at most that length from now on, so that only sums that grow have to be looked at.
  /// - Returns: whether there is more to count.
  mutating func grow(isExact: Bool) -> Bool {
    let before = changed.map { (position: $0, ways: sums[$0].total) }
    for position in changed { isChanged[position] = false }
    if isExact { for sum in [0] + changed { forget(sum) } }
    changed.removeAll(keepingCapacity: true)
    for (position, ways) in before { update(position, ways: ways) }
    return !changed.isEmpty
  }

  private mutating func forget(_ sum: Int) {
    sums[sum].total = 0
    for letter in sums[sum].groups.indices {
      sums[sum].sumOfLetter[letter] = 0
      for group in sums[sum].groups[letter].indices { sums[sum].groups[letter][group] = 0 }
    }
  }

  private mutating func update(_ position: Int, ways: Double) {
    work += terms[position].count
    for term in terms[position] {
      let more = ways * term.weight - sums[term.sum].groups[term.letter][term.group]
      guard more > 0 else { continue }
      sums[term.sum].groups[term.letter][term.group] += more
      sums[term.sum].sumOfLetter[term.letter] += more
      guard sums[term.sum].sumOfLetter[term.letter] > sums[term.sum].total else { continue }
      sums[term.sum].total = sums[term.sum].sumOfLetter[term.letter]
      if term.sum > 0, !isChanged[term.sum] {
        isChanged[term.sum] = true
        changed.append(term.sum)
      }
    }
  }
}

extension PatternSyntax {
  /// Whether there is an assertion other than a `^` that begins the pattern and a `$` that ends it.
  fileprivate var hasInnerAssertion: Bool {
    guard case .sequence(var parts) = self else { return hasAssertion }
    if parts.first == .assertion(.start) { parts.removeFirst() }
    if parts.last == .assertion(.end) { parts.removeLast() }
    return parts.contains(where: \.hasAssertion)
  }
}

/// Computes the length up to which a browser can judge a text by a pattern without freezing its page.
///
/// A text that does not match makes a backtracking engine try every way to read it, so its time is the number of ways
/// to read each prefix of the text. The number counted here is an upper bound for all texts of n code points: the ways
/// to a position are the sum of the ways to the positions before it, but only of those that one text can lead to.
enum BacktrackingCost {
  /// Steps that nobody notices in a page: at most some 25 ms in the browsers' engines.
  static let affordableSteps = 6_000_000.0

  /// The most steps of counting for one pattern: some milliseconds.
  private static let countingLimit = 2_000_000

  /// The length in code points up to which no text costs more than the affordable steps.
  ///
  /// - Parameters:
  ///   - shape: a pattern that is known to match the texts, or `nil`.
  ///   - limit: the length of the longest text.
  static func longestText(
    of syntax: PatternSyntax, on shape: PatternSyntax?, upTo limit: Int, affordableSteps: Double = affordableSteps
  ) -> Int {
    let shape = shape ?? .anyText
    let alphabet = PatternAlphabet(of: .sequence([syntax, shape]))
    // No way is longer than the longest match.
    let end = min(limit, syntax.lengthOfLongestMatch ?? limit)

    func longestText(rolls: Bool) -> Int {
      guard var automaton = PositionAutomaton(syntax, limit: 1100, rolls: rolls), automaton.mostEmptyWays <= 16,
        let texts = PositionAutomaton(shape, limit: 20, rolls: true)
      else { return 0 }
      // An engine that reaches a final `.*` succeeds and tries nothing else, unless the dot can meet a line terminator.
      if syntax.withoutAssertions != nil {
        automaton.removeCertainMatches(on: texts.sets.reduce(.none) { $0.union($1) })
      }
      guard let together = automaton.positionsTogether(on: texts, alphabet, limit: countingLimit) else { return 0 }
      var ways = WayCounter(automaton, together)
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

    // Most patterns prove safe without a copy for each counted iteration, so try that first.
    let rolled = longestText(rolls: true)
    return rolled == limit ? limit : max(rolled, longestText(rolls: false))
  }
}

// MARK: Counting

/// Counts the ways to the positions of an automaton, one code point after the other.
private struct WayCounter {
  /// A sum of ways. No text leads to two positions of the same group, so each group adds only its largest number.
  private struct Sum {
    var total = 0.0
    var isChanged = false
    var groups: [Double]
  }

  /// The sum of each position's ways. Nothing leads to position 0, so there it is the sum of all.
  private var sums: [Sum]
  /// The sums before any ways are added.
  private let emptySums: [Sum]
  /// The places where the ways to each position are added up.
  private let terms: [[(sum: Int, group: Int, weight: Double)]]
  /// The positions whose ways have changed with the last code point.
  private var changed: [Int] = []
  /// The number of terms that were added up.
  private(set) var work = 0

  /// - Parameter together: for each position, those that a text can lead to as well as to this one.
  init(_ automaton: PositionAutomaton, _ together: [BitSet]) {
    var groups: [[BitSet]] = together.map { _ in [] }
    var terms: [[(sum: Int, group: Int, weight: Double)]] = together.map { _ in [] }
    for (source, edges) in automaton.edges.enumerated() where source == 0 || together[source].contains(source) {
      // The ways that an engine tries from there.
      let tried = edges.values.reduce(automaton.ends[source] ?? 0, +)
      for (sum, weight) in edges.map({ ($0.key, $0.value) }) + [(0, tried)] {
        let group = groups[sum].lastIndex { !$0.meets(together[source]) } ?? groups[sum].count
        if group == groups[sum].count { groups[sum].append(BitSet(below: together.count)) }
        groups[sum][group].insert(source)
        terms[source].append((sum, group, weight))
      }
    }
    emptySums = groups.map { Sum(groups: Array(repeating: 0, count: $0.count)) }
    sums = emptySums
    self.terms = terms
    update(0, ways: 1)
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
    for position in changed { sums[position].isChanged = false }
    if isExact { for sum in [0] + changed { sums[sum] = emptySums[sum] } }
    changed.removeAll(keepingCapacity: true)
    for (position, ways) in before { update(position, ways: ways) }
    return !changed.isEmpty
  }

  private mutating func update(_ position: Int, ways: Double) {
    work += terms[position].count
    for term in terms[position] {
      let more = ways * term.weight - sums[term.sum].groups[term.group]
      guard more > 0 else { continue }
      sums[term.sum].groups[term.group] += more
      sums[term.sum].total += more
      if term.sum > 0, !sums[term.sum].isChanged {
        sums[term.sum].isChanged = true
        changed.append(term.sum)
      }
    }
  }
}

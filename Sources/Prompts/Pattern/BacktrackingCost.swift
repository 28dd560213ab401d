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
        automaton.leaveOutSureSuccess(on: texts.sets.reduce(.none) { $0.union($1) })
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

// MARK: The automaton

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
  private struct Part {
    var empty = 1.0
    var first: Ways = [:]
    var last: Ways = [:]
  }

  private struct TooLarge: Error {}

  private let limit: Int
  private let edgeLimit: Int
  private let rolls: Bool
  private var edgeCount = 0

  /// `nil` if it would have more than `limit` positions or `edgeLimit` edges, or if `rolls` would hide ways.
  ///
  /// - Parameter rolls: whether to treat counted quantifiers as if they had no upper bound. Different ways through the
  ///   counted one are different ways through the other, so there are never fewer.
  init?(_ syntax: PatternSyntax, limit: Int, edgeLimit: Int = 100_000, rolls: Bool) {
    self.limit = limit
    self.edgeLimit = edgeLimit
    self.rolls = rolls
    guard let whole = try? add(syntax) else { return nil }
    edges[0] = whole.first
    ends = whole.last
    isNullable = whole.empty > 0
  }

  private mutating func connect(_ last: Ways, _ first: Ways) throws {
    edgeCount += last.count * first.count
    guard edgeCount <= edgeLimit else { throw TooLarge() }
    for (source, ways) in last { edges[source].add(first, times: ways) }
  }

  private mutating func add(_ syntax: PatternSyntax) throws -> Part {
    var part = Part()
    switch syntax {
    case .empty, .assertion: break
    case .codePoint(let set):
      guard sets.count <= limit else { throw TooLarge() }
      part = Part(empty: 0, first: [sets.count: 1], last: [sets.count: 1])
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

  private mutating func follow(_ before: Part, _ after: Part) throws -> Part {
    try connect(before.last, after.first)
    var whole = Part(empty: before.empty * after.empty, first: before.first, last: after.last)
    whole.first.add(after.first, times: before.empty)
    whole.last.add(before.last, times: after.empty)
    return whole
  }

  private mutating func addRepetition(of body: PatternSyntax, min: Int, max: Int?) throws -> Part {
    if max == 0 { return Part() }
    let isCounted = min > 1 || (max ?? 1) > 1
    if rolls || !isCounted {
      var part = try add(body)
      // An engine could also choose which required iterations take nothing, and a loop does not count those choices.
      if min > 1, part.empty > 0 { throw TooLarge() }
      if max != 1 { try connect(part.last, part.first) }
      if min == 0 {
        part.empty = 1
      } else if max != 1 {
        part.first.add(part.first, times: part.empty)
      }
      return part
    }
    guard min <= limit, max ?? 0 <= limit else { throw TooLarge() }
    var whole = Part()
    for _ in 0..<min { whole = try follow(whole, add(body)) }
    guard let max else { return try follow(whole, addRepetition(of: body, min: 0, max: nil)) }
    // Iterations that each take something, and follow only one another.
    var optional = Part()
    for var iteration in try (min..<max).map({ _ in try add(body) }).reversed() {
      iteration.empty = 0
      optional = try follow(iteration, optional)
      optional.empty = 1
    }
    return try follow(whole, optional)
  }

  /// Removes the positions from which the rest of a text always matches, if the text has only these code points.
  mutating func leaveOutSureSuccess(on known: CodePointSet) {
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
  fileprivate mutating func add(_ ways: Self, times factor: Double = 1) {
    if factor > 0 { for (position, ways) in ways { self[position, default: 0] += ways * factor } }
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

/// A pattern as an automaton whose states are the places in it that take a code point (Glushkov's construction),
/// with the number of ways that a backtracking engine has from each place to the next.
///
/// ECMA-262 rejects an iteration that takes nothing once the quantifier's lower bound is reached (22.2.2.3.1,
/// RepeatMatcher), so such iterations are not among the ways. An assertion counts as always met, so that there are never
/// fewer ways than in the engine.
struct PositionAutomaton {
  typealias Edge = (target: Int, ways: Double)

  /// The code points that each position takes. Position 0 is the start and takes nothing.
  private(set) var sets: [CodePointSet] = [.none]
  /// The positions that each position leads to.
  private(set) var edges: [[Edge]] = [[]]
  /// The positions at which the pattern may end, and in how many ways.
  private(set) var ends: [Int: Double] = [:]
  /// The most ways that any part has to match nothing.
  private(set) var mostEmptyWays = 1.0

  /// A part of the pattern, seen from outside.
  private struct Part {
    var empty: Double
    var first: [Edge]
    var last: [Edge]
  }

  private let limit: Int
  private let rolls: Bool
  private var edgeCount = 0

  private static let edgeLimit = 100_000

  /// `nil` if it would have more than `limit` positions or too many edges, or if `rolls` would hide ways.
  ///
  /// - Parameter rolls: whether to treat counted quantifiers as if they had no upper bound. Different ways through the
  ///   counted one are different ways through the other, so there are never fewer.
  init?(_ syntax: PatternSyntax, limit: Int, rolls: Bool) {
    self.limit = limit
    self.rolls = rolls
    guard let part = add(syntax), edgeCount <= Self.edgeLimit else { return nil }
    for edge in part.first { connect(0, edge.target, ways: edge.ways) }
    for edge in part.last { ends[edge.target, default: 0] += edge.ways }
    edges = edges.map(Self.merged)
  }

  private static func merged(_ edges: [Edge]) -> [Edge] {
    var ways: [Int: Double] = [:]
    for edge in edges { ways[edge.target, default: 0] += edge.ways }
    return ways.sorted { $0.key < $1.key }.map { (target: $0.key, ways: $0.value) }
  }

  private mutating func connect(_ source: Int, _ target: Int, ways: Double) {
    edges[source].append((target: target, ways: ways))
  }

  private mutating func connect(_ last: [Edge], _ first: [Edge]) {
    edgeCount += last.count * first.count
    guard edgeCount <= Self.edgeLimit else { return }
    for source in last {
      for target in first { connect(source.target, target.target, ways: source.ways * target.ways) }
    }
  }

  private mutating func add(_ syntax: PatternSyntax) -> Part? {
    guard let part = addPart(syntax) else { return nil }
    mostEmptyWays = max(mostEmptyWays, part.empty)
    return part
  }

  private mutating func addPart(_ syntax: PatternSyntax) -> Part? {
    switch syntax {
    case .empty, .assertion:
      return Part(empty: 1, first: [], last: [])
    case .codePoint(let set):
      guard sets.count <= limit else { return nil }
      sets.append(set)
      edges.append([])
      let position = (target: sets.count - 1, ways: 1.0)
      return Part(empty: 0, first: [position], last: [position])
    case .sequence(let parts):
      var whole = Part(empty: 1, first: [], last: [])
      for syntax in parts {
        guard let next = add(syntax) else { return nil }
        whole = follow(whole, next)
      }
      return whole
    case .choice(let choices):
      var whole = Part(empty: 0, first: [], last: [])
      for syntax in choices {
        guard let next = add(syntax) else { return nil }
        whole.empty += next.empty
        whole.first += next.first
        whole.last += next.last
      }
      return whole
    case .repetition(let body, let min, let max):
      return addRepetition(of: body, min: min, max: max)
    }
  }

  private mutating func follow(_ before: Part, _ after: Part) -> Part {
    connect(before.last, after.first)
    return Part(
      empty: before.empty * after.empty,
      first: before.first + after.first.map { ($0.target, $0.ways * before.empty) }.filter { $0.1 > 0 },
      last: after.last + before.last.map { ($0.target, $0.ways * after.empty) }.filter { $0.1 > 0 })
  }

  private mutating func addRepetition(of body: PatternSyntax, min: Int, max: Int?) -> Part? {
    if max == 0 { return Part(empty: 1, first: [], last: []) }
    if min == 1, max == 1 { return add(body) }
    let isCounted = min > 1 || (max ?? 1) > 1
    guard isCounted, !rolls else {
      guard let part = add(body) else { return nil }
      // Which of the required iterations take nothing would be another choice, which the loop does not show.
      if min > 1, part.empty > 0 { return nil }
      if isCounted || max == nil { connect(part.last, part.first) }
      if min == 0 { return Part(empty: 1, first: part.first, last: part.last) }
      return Part(empty: part.empty, first: part.first.map { ($0.target, $0.ways * (1 + part.empty)) }, last: part.last)
    }
    var whole = Part(empty: 1, first: [], last: [])
    for _ in 0..<min {
      guard let copy = add(body) else { return nil }
      whole = follow(whole, copy)
    }
    guard let max else { return addRepetition(of: body, min: 0, max: nil).map { follow(whole, $0) } }
    // Iterations that each take something, and follow only one another.
    var optional = Part(empty: 1, first: [], last: [])
    var previous: Part?
    for _ in min..<max {
      guard let copy = add(body) else { return nil }
      if let previous { connect(previous.last, copy.first) } else { optional.first = copy.first }
      optional.last += copy.last
      previous = copy
    }
    return follow(whole, optional)
  }
}

extension PositionAutomaton {
  /// The automaton without the positions from which every text of these code points matches, whatever is left of it.
  func withoutSureSuccess(on known: CodePointSet) -> PositionAutomaton {
    let isSure = edges.indices.map { position in
      ends[position] != nil && sets[position].isSuperset(of: known)
        && edges[position].allSatisfy { $0.target == position } && !edges[position].isEmpty
    }
    var copy = self
    copy.edges = edges.map { $0.filter { !isSure[$0.target] } }
    return copy
  }
}

// MARK: Ambiguity

/// For each two positions of an automaton, whether one text can lead to both.
struct CommonPositions {
  /// For each position, the others that a text can lead to as well as to this one.
  private(set) var rows: [BitSet]

  /// `nil` if it would take more than `limit` pairs of steps to find out.
  ///
  /// - Parameter texts: matches the texts in question.
  init?(of automaton: PositionAutomaton, on texts: PositionAutomaton, limit: Int) {
    let count = automaton.sets.count
    rows = Array(repeating: BitSet(below: count), count: count)
    let overlap = Overlap(automaton.sets, texts.sets)
    let steps = automaton.edges.map { $0.map(\.target) }
    let textSteps = texts.edges.map { $0.map(\.target) }
    // A table and not a set, because of the many look-ups.
    var isKnown = [Bool](repeating: false, count: count * count * texts.sets.count)
    var places = [(first: 0, second: 0, text: 0)]
    var work = 0
    while let place = places.popLast() {
      let (own, others) = (steps[place.first], steps[place.second])
      for textTarget in textSteps[place.text] {
        for (index, target) in own.enumerated() {
          // If both are at one position, half of their steps tell everything.
          let partners = others.dropFirst(place.first == place.second ? index : 0)
          work += partners.count
          guard work <= limit else { return nil }
          for partner in partners where overlap.isPossible(target, partner, textTarget) {
            let (first, second) = (min(target, partner), max(target, partner))
            let key = (first * count + second) * texts.sets.count + textTarget
            if isKnown[key] { continue }
            isKnown[key] = true
            if first != second {
              rows[first].insert(second)
              rows[second].insert(first)
            }
            places.append((first, second, textTarget))
          }
        }
      }
    }
  }
}

/// Which positions can take the same code point.
private struct Overlap {
  /// Positions of the same kind take the same code points.
  private let kinds: [Int]
  private let kindCount: Int
  private let textCount: Int
  private let isPossible: [Bool]

  init(_ sets: [CodePointSet], _ textSets: [CodePointSet]) {
    let distinct = Array(Set(sets))
    let numbers = Dictionary(uniqueKeysWithValues: zip(distinct, 0...))
    kinds = sets.map { numbers[$0] ?? 0 }
    kindCount = distinct.count
    var table: [Bool] = []
    for first in distinct {
      for second in distinct {
        let both = first.intersection(second)
        for text in textSets { table.append(!both.isEmpty && !both.intersection(text).isEmpty) }
      }
    }
    isPossible = table
    textCount = textSets.count
  }

  func isPossible(_ first: Int, _ second: Int, _ text: Int) -> Bool {
    isPossible[(kinds[first] * kindCount + kinds[second]) * textCount + text]
  }
}

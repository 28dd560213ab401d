/// A pattern as an automaton whose states are the places in it that take a code point (Glushkov's construction),
/// with the number of ways that a backtracking engine has from each place to the next.
///
/// ECMA-262 rejects an iteration of a quantifier that takes nothing once the least number is reached
/// (22.2.2.3.1, RepeatMatcher), so such iterations are not among the ways.
/// An assertion counts as always met, so that there are never fewer ways than in the engine.
struct PositionAutomaton {
  typealias Edge = (target: Int, ways: Double)

  /// What each position takes. Position 0 is the start and takes nothing.
  private(set) var sets: [CodePointSet] = [.none]
  /// Where each position leads.
  private(set) var edges: [[Edge]] = [[]]
  /// The positions after which the pattern may end, and in how many ways.
  private(set) var ends: [Int: Double] = [:]
  /// The most ways that any part has to match nothing.
  private(set) var mostEmptyWays = 1.0

  /// What a part of the pattern looks like from outside.
  private struct Part {
    var empty: Double
    var first: [Edge]
    var last: [Edge]
  }

  private let limit: Int
  private let rolls: Bool
  private var edgeCount = 0

  private static let edgeLimit = 100_000

  /// Nil when it would have more than `limit` positions or too many edges, or when `rolls` would hide ways.
  ///
  /// - Parameter rolls: takes counted quantifiers for ones without end. Different ways through the counted one are
  ///   different ways through the other, so there are never fewer.
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
      // Which of the required iterations take nothing would be one more choice, which the loop does not show.
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
    guard let optional = addOptional(body, count: max.map { $0 - min }) else { return nil }
    return follow(whole, optional)
  }

  /// Up to `count` iterations that each take something; without end when nil.
  private mutating func addOptional(_ body: PatternSyntax, count: Int?) -> Part? {
    guard let count else {
      guard let part = add(body) else { return nil }
      connect(part.last, part.first)
      return Part(empty: 1, first: part.first, last: part.last)
    }
    var whole = Part(empty: 1, first: [], last: [])
    var previous: Part?
    for _ in 0..<count {
      guard let copy = add(body) else { return nil }
      if let previous { connect(previous.last, copy.first) } else { whole.first = copy.first }
      whole.last += copy.last
      previous = copy
    }
    return whole
  }
}

extension PositionAutomaton {
  /// The same without the ways that lead to some positions.
  func removing(_ isRemoved: (Int) -> Bool) -> PositionAutomaton {
    var copy = self
    copy.edges = edges.map { $0.filter { !isRemoved($0.target) } }
    return copy
  }
}

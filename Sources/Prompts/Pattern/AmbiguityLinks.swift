/// The links of an automaton: pairs of positions with two different ways from the one to the other on the same text.
///
/// They are found in the graph of pairs of positions that two readers of the same text can be at. Readers who were
/// together, part and meet again have read a link.
struct AmbiguityLinks {
  /// The most links that one text can hold in a row.
  private(set) var longestChain = 0

  /// As `longestChain`, of links alone that a longer text can draw out.
  private(set) var longestGrowingChain = 0

  /// Nil when a link lies on a cycle, so that the ways grow exponentially, or when the graph is too large to tell.
  init?(in automaton: PositionAutomaton) {
    guard let graph = PairGraph(of: automaton) else { return nil }
    let components = StronglyConnectedComponents(of: graph.edges.map { $0.map(\.target) })
    guard !graph.hasLinkOnCycle(components) else { return nil }
    measure(graph, components)
  }

  /// The chains that end in one component of the graph.
  private struct Chain {
    var links = -1
    var growingLinks = -1
    /// As `growingLinks`, of readers who are apart and have been where a text can be drawn out.
    var growingLinksSoFar = -1

    mutating func take(_ other: Chain) {
      links = max(links, other.links)
      growingLinks = max(growingLinks, other.growingLinks)
      growingLinksSoFar = max(growingLinksSoFar, other.growingLinksSoFar)
    }
  }

  private mutating func measure(_ graph: PairGraph, _ components: StronglyConnectedComponents) {
    var chains = Array(repeating: Chain(), count: components.members.count)
    chains[components.of[0]] = Chain(links: 0, growingLinks: 0)
    // Components are numbered from the last to the first, so every edge leads to a smaller number.
    for component in chains.indices.reversed() {
      let members = components.members[component]
      let isCyclic = members.contains { node in graph.edges[node].contains { components.of[$0.target] == component } }
      if isCyclic, !graph.isTogether[members[0]] {
        chains[component].growingLinksSoFar = max(chains[component].growingLinksSoFar, chains[component].growingLinks)
      }
      let chain = chains[component]
      longestChain = max(longestChain, chain.links)
      longestGrowingChain = max(longestGrowingChain, chain.growingLinks)
      for node in members {
        for edge in graph.edges[node] where components.of[edge.target] != component {
          var next = chain
          next.links += edge.links
          if graph.isTogether[edge.target] {
            if next.growingLinksSoFar >= 0 { next.growingLinks = max(next.growingLinks, next.growingLinksSoFar + 1) }
            next.growingLinksSoFar = -1
          }
          chains[components.of[edge.target]].take(next)
        }
      }
    }
  }
}

/// The pairs of positions that two readers of the same text can be at, from the start of the pattern.
private struct PairGraph {
  /// `links`: how many links the step completes.
  private(set) var edges: [[(target: Int, links: Int)]] = []

  /// Whether both readers are at the same position.
  private(set) var isTogether: [Bool] = []

  private static let edgeLimit = 200_000

  init?(of automaton: PositionAutomaton) {
    let overlap = OverlapTable(automaton.sets)
    var nodes: [Int: Int] = [:]
    var pairs: [(Int, Int)] = []
    var edgeCount = 0

    func node(_ first: Int, _ second: Int) -> Int {
      let (low, high) = (min(first, second), max(first, second))
      let key = low * automaton.sets.count + high
      if let known = nodes[key] { return known }
      nodes[key] = pairs.count
      pairs.append((low, high))
      return pairs.count - 1
    }

    _ = node(0, 0)
    var next = 0
    while next < pairs.count {
      let (first, second) = pairs[next]
      var steps: [(target: Int, links: Int)] = []
      for (index, step) in automaton.edges[first].enumerated() {
        // Readers who are together may be exchanged, so half of their steps tell all.
        for other in automaton.edges[second].dropFirst(first == second ? index : 0) {
          edgeCount += 1
          guard edgeCount <= Self.edgeLimit else { return nil }
          guard overlap.contains(step.target, other.target) else { continue }
          steps.append((node(step.target, other.target), Self.links(from: (first, second), step, other)))
        }
      }
      edges.append(steps)
      next += 1
    }
    isTogether = pairs.map { $0.0 == $0.1 }
  }

  private static func links(
    from pair: (Int, Int), _ step: PositionAutomaton.Edge, _ other: PositionAutomaton.Edge
  ) -> Int {
    guard step.target == other.target else { return 0 }
    guard pair.0 == pair.1 else { return 1 }
    // Several ways to one position without a code point between them are as many as their doublings.
    return Int(step.ways.binade == step.ways ? step.ways.exponent : step.ways.exponent + 1)
  }

  func hasLinkOnCycle(_ components: StronglyConnectedComponents) -> Bool {
    edges.indices.contains { node in
      edges[node].contains { $0.links > 0 && components.of[$0.target] == components.of[node] }
    }
  }
}

/// Which positions can take the same code point.
private struct OverlapTable {
  private var kinds: [Int] = []
  private var overlaps: [[Bool]] = []

  init(_ sets: [CodePointSet]) {
    var numbers: [CodePointSet: Int] = [:]
    var distinct: [CodePointSet] = []
    for set in sets {
      let number = numbers[set] ?? distinct.count
      if number == distinct.count {
        numbers[set] = number
        distinct.append(set)
      }
      kinds.append(number)
    }
    overlaps = distinct.map { set in distinct.map(set.intersects) }
  }

  func contains(_ first: Int, _ second: Int) -> Bool {
    overlaps[kinds[first]][kinds[second]]
  }
}

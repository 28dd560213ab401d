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

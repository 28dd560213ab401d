/// The pairs of positions that two readers of the same text can be at, from the start of the pattern.
struct PairGraph {
  /// `links`: how many links the step completes.
  private(set) var edges: [[(target: Int, links: Int)]] = []

  /// Whether both readers are at the same position.
  private(set) var isTogether: [Bool] = []

  private static let edgeLimit = 60_000

  init?(of automaton: PositionAutomaton) {
    let overlap = OverlapTable(automaton.sets)
    let stepsByKind = automaton.edges.map { steps in Dictionary(grouping: steps) { overlap.kinds[$0.target] } }
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
      var edges: [(target: Int, links: Int)] = []
      for (kind, steps) in stepsByKind[first] {
        for otherKind in overlap.kinds(overlapping: kind) {
          // Readers who are together may be exchanged, so half of their steps tell all.
          guard first != second || otherKind >= kind, let others = stepsByKind[second][otherKind] else { continue }
          for (index, step) in steps.enumerated() {
            for other in others.dropFirst(first == second && otherKind == kind ? index : 0) {
              edgeCount += 1
              guard edgeCount <= Self.edgeLimit else { return nil }
              edges.append((node(step.target, other.target), Self.links(from: (first, second), step, other)))
            }
          }
        }
      }
      self.edges.append(edges)
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
  /// Positions of the same kind take the same code points.
  private(set) var kinds: [Int] = []
  private let overlapping: [[Int]]

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
    overlapping = distinct.map { set in distinct.indices.filter { distinct[$0].intersects(set) } }
  }

  func kinds(overlapping kind: Int) -> [Int] {
    overlapping[kind]
  }
}

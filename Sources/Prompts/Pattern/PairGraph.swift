/// The pairs of positions that two readers of the same text can be at, from the start of the pattern.
struct PairGraph {
  /// `links`: how many links the step completes.
  private(set) var edges: [[(target: Int, links: Int)]] = []

  /// Whether both readers are at the same position.
  private(set) var isTogether: [Bool] = []

  private static let edgeLimit = 60_000

  init?(of automaton: PositionAutomaton) {
    let overlap = OverlapTable(automaton.sets)
    let steps = StepsByKind(automaton, overlap)
    let count = automaton.sets.count
    // A table and not a dictionary: this is asked for every edge.
    var nodes = [Int32](repeating: -1, count: count * count)
    var pairs: [(Int, Int)] = []
    var edgeCount = 0

    func node(_ first: Int, _ second: Int) -> Int {
      let key = min(first, second) * count + max(first, second)
      if nodes[key] < 0 {
        nodes[key] = Int32(pairs.count)
        pairs.append((min(first, second), max(first, second)))
      }
      return Int(nodes[key])
    }

    _ = node(0, 0)
    var next = 0
    while next < pairs.count {
      let (first, second) = pairs[next]
      var edges: [(target: Int, links: Int)] = []
      for kind in steps.kinds[first] {
        let own = steps[first, kind]
        for otherKind in overlap.kinds(overlapping: kind) {
          // Readers who are together may be exchanged, so half of their steps tell all.
          if first == second, otherKind < kind { continue }
          let others = steps[second, otherKind]
          for (index, step) in own.enumerated() {
            let partners = others.dropFirst(first == second && otherKind == kind ? index : 0)
            edgeCount += partners.count
            guard edgeCount <= Self.edgeLimit else { return nil }
            for other in partners {
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

/// The steps from each position, by the kind of position that they lead to.
private struct StepsByKind {
  /// The kinds that each position leads to, in order.
  private(set) var kinds: [[Int]] = []
  private var steps: [PositionAutomaton.Edge] = []
  /// Where in `steps` those from a position to a kind are.
  private var ranges: [Range<Int32>]
  private let kindCount: Int

  init(_ automaton: PositionAutomaton, _ overlap: OverlapTable) {
    kindCount = overlap.kindCount
    ranges = Array(repeating: 0..<0, count: automaton.edges.count * kindCount)
    for (position, edges) in automaton.edges.enumerated() {
      var reached: [Int] = []
      for edge in edges.sorted(by: { overlap.kinds[$0.target] < overlap.kinds[$1.target] }) {
        let kind = overlap.kinds[edge.target]
        if reached.last != kind {
          reached.append(kind)
          ranges[position * kindCount + kind] = Int32(steps.count)..<Int32(steps.count)
        }
        steps.append(edge)
        let start = ranges[position * kindCount + kind].lowerBound
        ranges[position * kindCount + kind] = start..<Int32(steps.count)
      }
      kinds.append(reached)
    }
  }

  subscript(position: Int, kind: Int) -> ArraySlice<PositionAutomaton.Edge> {
    let range = ranges[position * kindCount + kind]
    return steps[Int(range.lowerBound)..<Int(range.upperBound)]
  }
}

/// Which positions can take the same code point.
private struct OverlapTable {
  /// Positions of the same kind take the same code points.
  private(set) var kinds: [Int] = []
  private let overlapping: [[Int]]

  var kindCount: Int { overlapping.count }

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

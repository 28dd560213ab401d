/// The strongly connected components of a graph (Tarjan 1972), numbered so that every edge between two of them
/// leads to the smaller number.
struct StronglyConnectedComponents {
  /// The component of each node.
  private(set) var of: [Int]

  /// The nodes of each component.
  private(set) var members: [[Int]] = []

  init(of edges: [[Int]]) {
    of = Array(repeating: -1, count: edges.count)
    var order = Array(repeating: -1, count: edges.count)
    var lowest = order
    var visited = 0
    var open: [Int] = []
    // A stack of its own: the graphs are deeper than a thread's stack.
    var path: [(node: Int, nextEdge: Int)] = []

    func enter(_ node: Int) {
      order[node] = visited
      lowest[node] = visited
      visited += 1
      open.append(node)
      path.append((node, 0))
    }

    for root in edges.indices where order[root] < 0 {
      enter(root)
      while let (node, nextEdge) = path.last {
        if nextEdge < edges[node].count {
          path[path.count - 1].nextEdge += 1
          let target = edges[node][nextEdge]
          if order[target] < 0 {
            enter(target)
          } else if of[target] < 0 {
            lowest[node] = min(lowest[node], order[target])
          }
          continue
        }
        path.removeLast()
        if let parent = path.last?.node { lowest[parent] = min(lowest[parent], lowest[node]) }
        if lowest[node] == order[node] { close(node, &open) }
      }
    }
  }

  private mutating func close(_ root: Int, _ open: inout [Int]) {
    guard let start = open.lastIndex(of: root) else { preconditionFailure("a node is open until its component closes") }
    for node in open[start...] { of[node] = members.count }
    members.append(Array(open[start...]))
    open.removeSubrange(start...)
  }
}

internal import Synchronization

/// Counts that only grow, side by side. Counting takes no lock and allocates nothing.
final class Counters: @unchecked Sendable {
  // Sendable by proof: the memory stays where it is, and what is in it is atomic.
  private let memory: UnsafeMutableBufferPointer<Atomic<Int>>

  /// - Parameter count: how many there are, each 0 at first.
  init(_ count: Int) {
    memory = .allocate(capacity: count)
    for place in 0..<count { memory.initializeElement(at: place, to: Atomic(0)) }
  }

  deinit {
    memory.deinitialize()
    memory.deallocate()
  }

  func add(_ more: Int = 1, at place: Int) {
    precondition(memory.indices.contains(place))
    memory[place].add(more, ordering: .relaxed)
  }

  subscript(place: Int) -> Int {
    precondition(memory.indices.contains(place))
    return memory[place].load(ordering: .relaxed)
  }
}

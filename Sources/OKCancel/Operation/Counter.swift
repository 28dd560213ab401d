internal import Synchronization

/// A count that only grows. Counting takes no lock and allocates nothing.
final class Counter: Sendable {
  private let count = Atomic(0)

  func add(_ more: Int = 1) { count.add(more, ordering: .relaxed) }

  var value: Int { count.load(ordering: .relaxed) }
}

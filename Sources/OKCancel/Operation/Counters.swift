internal import Synchronization

/// A fixed number of counters that only grow.
final class Counters: Sendable {
  private let counts: Mutex<[Int]>

  /// - Parameter count: how many there are, each 0 at first.
  init(_ count: Int) { counts = Mutex(Array(repeating: 0, count: count)) }

  func add(_ more: Int = 1, at place: Int) { counts.withLock { $0[place] += more } }

  subscript(place: Int) -> Int { counts.withLock { $0[place] } }
}

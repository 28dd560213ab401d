/// Durations, counted by their size.
final class Histogram: Sendable {
  /// Up to each bound, in seconds, those before it left out.
  let buckets: [(bound: Double, count: Counter)]
  /// Longer than every bound.
  let longer = Counter()
  private let limits: [Int64]
  private let nanoseconds = Counter()

  /// - Parameter bounds: seconds, ascending.
  init(bounds: [Double]) {
    buckets = bounds.map { ($0, Counter()) }
    limits = bounds.map { Int64($0 * 1e9) }
  }

  func record(_ duration: Duration) {
    record(nanoseconds: Int64(truncatingIfNeeded: duration.attoseconds / 1_000_000_000))
  }

  func record(nanoseconds duration: Int64) {
    nanoseconds.add(Int(duration))
    for index in limits.indices where duration <= limits[index] { return buckets[index].count.add() }
    longer.add()
  }

  /// Seconds of all durations together.
  var sum: Double { Double(nanoseconds.value) / 1e9 }

  var isEmpty: Bool { longer.value == 0 && buckets.allSatisfy { $0.count.value == 0 } }
}

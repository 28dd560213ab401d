/// Durations, counted by their size.
final class Histogram: Sendable {
  /// Up to each bound, in seconds, those before it left out.
  let buckets: [(bound: Double, count: Counter)]
  /// Longer than every bound.
  let longer = Counter()
  private let limits: [Duration]
  private let nanoseconds = Counter()

  /// - Parameter bounds: seconds, ascending.
  init(bounds: [Double]) {
    buckets = bounds.map { ($0, Counter()) }
    limits = bounds.map { .seconds($0) }
  }

  func record(_ duration: Duration) {
    nanoseconds.add(Int(truncatingIfNeeded: duration.attoseconds / 1_000_000_000))
    for index in limits.indices where duration <= limits[index] { return buckets[index].count.add() }
    longer.add()
  }

  /// Seconds of all durations together.
  var sum: Double { Double(nanoseconds.value) / 1e9 }

  var isEmpty: Bool { longer.value == 0 && buckets.allSatisfy { $0.count.value == 0 } }
}

/// Durations, counted by their size: a stretch of counters.
struct Histogram: Sendable {
  /// The bounds of a histogram's buckets.
  struct Bounds: Sendable {
    /// In seconds, ascending.
    let seconds: [Double]
    fileprivate let nanoseconds: [Int64]

    init(_ seconds: [Double]) {
      self.seconds = seconds
      nanoseconds = seconds.map { Int64($0 * 1e9) }
    }

    /// How many counters such a histogram takes: its buckets, one for what is longer, and the sum.
    var places: Int { seconds.count + 2 }

    /// Counts a duration.
    ///
    /// - Parameter start: where the histogram begins among the counters.
    func record(nanoseconds duration: Int64, in counters: Counters, from start: Int) {
      var place = 0
      while place < nanoseconds.count, duration > nanoseconds[place] { place += 1 }
      counters.add(at: start + place)
      counters.add(Int(duration), at: start + nanoseconds.count + 1)
    }
  }

  let bounds: Bounds
  let counters: Counters
  let start: Int

  init(_ bounds: Bounds, in counters: Counters? = nil, from start: Int = 0) {
    (self.bounds, self.start) = (bounds, start)
    self.counters = counters ?? Counters(bounds.places)
  }

  func record(_ duration: Duration) {
    bounds.record(
      nanoseconds: Int64(truncatingIfNeeded: duration.attoseconds / 1_000_000_000), in: counters, from: start)
  }

  /// Up to each bound, in seconds, those before it left out.
  var buckets: [(bound: Double, count: Int)] {
    bounds.seconds.enumerated().map { ($0.element, counters[start + $0.offset]) }
  }

  /// Longer than every bound.
  var longer: Int { counters[start + bounds.seconds.count] }

  /// Seconds of all durations together.
  var sum: Double { Double(counters[start + bounds.seconds.count + 1]) / 1e9 }

  var isEmpty: Bool { longer == 0 && buckets.allSatisfy { $0.count == 0 } }
}

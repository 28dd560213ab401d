internal import Synchronization

/// A fixed number of counters that only grow.
final class Counters: Sendable {
  private let counts: Mutex<[Int]>

  /// - Parameter count: how many there are, each 0 at first.
  init(_ count: Int) { counts = Mutex(Array(repeating: 0, count: count)) }

  func add(_ more: Int = 1, at place: Int) { counts.withLock { $0[place] += more } }

  subscript(place: Int) -> Int { counts.withLock { $0[place] } }
}

/// Histograms of durations, one for each of several things.
struct Histogram: Sendable {
  /// The upper bounds of the buckets, ascending.
  private let seconds: [Double]
  private let nanoseconds: [Int64]
  /// For each thing: one for each bucket, one for what is longer, and the sum in nanoseconds.
  private let counters: Counters
  private let stride: Int

  /// - Parameters:
  ///   - bounds: in seconds, ascending.
  ///   - count: of how many things.
  init(_ bounds: [Double], of count: Int = 1) {
    seconds = bounds
    nanoseconds = bounds.map { Int64($0 * 1e9) }
    stride = bounds.count + 2
    counters = Counters(count * stride)
  }

  func record(nanoseconds duration: Int64, of thing: Int = 0) {
    let start = thing * stride
    var bucket = 0
    while bucket < nanoseconds.count, duration > nanoseconds[bucket] { bucket += 1 }
    counters.add(at: start + bucket)
    counters.add(Int(duration), at: start + nanoseconds.count + 1)
  }

  /// The number of durations in each bucket: up to its bound and beyond the one before; the last bucket is unbounded.
  func buckets(of thing: Int) -> [(bound: String, count: Int)] {
    (seconds.map { "\($0)" } + ["+Inf"]).enumerated().map { ($0.element, counters[thing * stride + $0.offset]) }
  }

  /// Seconds of all durations together.
  func sum(of thing: Int) -> Double { Double(counters[thing * stride + nanoseconds.count + 1]) / 1e9 }
}

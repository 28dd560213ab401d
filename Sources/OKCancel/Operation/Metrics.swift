internal import Base
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

/// Writes metrics in Prometheus' text format, version 0.0.4.
///
/// Label values come from a list that is known when the server starts, never from a request: each
/// new value is a time series that Prometheus keeps.
struct MetricsText {
  static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

  /// The kind and the help of each metric, by name.
  private static let known = Dictionary(
    uniqueKeysWithValues: EmbeddedFiles.rows(of: "Sources/OKCancel/Operation/metrics.txt", columns: 3)
      .map { (String($0[0]), (kind: $0[1], help: $0[2])) })

  typealias Labels = [(name: String, value: String)]

  private(set) var text = ""

  /// A metric and its samples; nothing if there are none.
  mutating func family(_ name: String, _ write: (inout Family) -> Void) {
    guard let (kind, help) = Self.known[name] else { preconditionFailure("metrics.txt does not describe \(name)") }
    var family = Family(name: name)
    write(&family)
    if !family.lines.isEmpty { text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n" + family.lines }
  }

  mutating func gauge(_ name: String, _ value: Int) { family(name) { $0.sample(value) } }

  /// One metric's samples.
  struct Family {
    let name: String
    fileprivate(set) var lines = ""

    mutating func sample(_ value: some Numeric, _ labels: Labels = []) { line("", labels, value) }

    /// Writes nothing for a thing without durations, unless it is the only one.
    mutating func histogram(_ histogram: Histogram, of thing: Int = 0, _ labels: Labels = []) {
      let buckets = histogram.buckets(of: thing)
      guard labels.isEmpty || buckets.contains(where: { $0.count > 0 }) else { return }
      var total = 0
      for (bound, count) in buckets {
        total += count
        line("_bucket", labels + [("le", bound)], total)
      }
      line("_sum", labels, histogram.sum(of: thing))
      line("_count", labels, total)
    }

    private mutating func line(_ suffix: String, _ labels: Labels, _ value: some Numeric) {
      lines += name + suffix
      if !labels.isEmpty {
        lines += "{" + labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",") + "}"
      }
      lines += " \(value)\n"
    }

    private static func escaped(_ value: String) -> String {
      value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
  }
}

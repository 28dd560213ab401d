internal import Prompts

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

  /// A metric with one sample.
  mutating func sample(_ name: String, _ value: some Numeric, _ labels: Labels = []) {
    family(name) { $0.sample(value, labels) }
  }

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

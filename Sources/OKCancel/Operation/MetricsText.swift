/// Writes metrics in Prometheus' text format, version 0.0.4.
///
/// Label values come from a list that is known when the server starts, never from a request: each
/// new value is a time series that Prometheus keeps.
struct MetricsText {
  static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

  enum Kind: String { case counter, gauge, histogram }

  typealias Labels = [(name: String, value: String)]

  private(set) var text = ""

  /// A metric and its samples; nothing where there are none.
  mutating func family(_ name: String, _ kind: Kind, _ help: String, _ write: (inout Family) -> Void) {
    var family = Family(name: name)
    write(&family)
    guard !family.lines.isEmpty else { return }
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n" + family.lines
  }

  mutating func gauge(_ name: String, _ help: String, _ value: Int) {
    family(name, .gauge, help) { $0.sample(value) }
  }

  /// One metric's samples.
  struct Family {
    let name: String
    fileprivate(set) var lines = ""

    mutating func sample(_ value: some Numeric, _ labels: Labels = []) { line("", labels, value) }

    mutating func histogram(_ histogram: Histogram, _ labels: Labels = []) {
      var total = 0
      for (bound, count) in histogram.buckets {
        total += count
        line("_bucket", labels + [("le", "\(bound)")], total)
      }
      total += histogram.longer
      line("_bucket", labels + [("le", "+Inf")], total)
      line("_sum", labels, histogram.sum)
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

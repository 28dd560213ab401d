/// Transactions of the store: how many, how long, and how many writes shared each.
final class CommitCounts: Sendable {
  private let durations = Histogram([0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5])
  private let writes = Counters(1)

  func count(_ duration: Duration, writes count: Int) {
    durations.record(nanoseconds: Int64(truncatingIfNeeded: duration.attoseconds / 1_000_000_000))
    writes.add(count, at: 0)
  }

  func write(to text: inout MetricsText) {
    text.family("okcancel_store_commit_duration_seconds") { $0.histogram(durations) }
    text.family("okcancel_store_writes_total") {
      $0.sample(writes[0])
    }
  }
}

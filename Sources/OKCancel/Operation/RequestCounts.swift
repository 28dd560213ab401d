internal import MicroHTTP

/// Requests by route and status, and how long they took.
///
/// The route is the one whose handler was chosen: what a client sends is never a label.
final class RequestCounts: Sendable {
  struct Label: Sendable {
    let method: String
    /// As in the documentation, `/prompts/{name}`.
    let pattern: String
    fileprivate var labels: MetricsText.Labels { [("method", method), ("route", pattern)] }
  }

  /// Clients that left before their response.
  private static let gone = Status.allCases.count
  /// The values of the label `status` by which requests of each route are counted.
  private static let words = Status.allCases.map(\.description) + ["gone"]

  /// Requests that no route responded to: unknown paths, other methods, malformed requests. Then the routes in order.
  private let routes: [Label]
  private let places = (0...599).map { code in Status.allCases.firstIndex { $0.rawValue == code } ?? gone }
  private let counters: Counters
  private let durations: Histogram

  /// - Parameter routes: by their numbers.
  init(_ routes: [Label]) {
    self.routes = [Label(method: "any", pattern: "none")] + routes
    counters = Counters(self.routes.count * Self.words.count)
    durations = Histogram(
      [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30, 60], of: self.routes.count)
  }

  /// Routes and, as `GET files`, static files.
  var names: [Label] { Array(routes.dropFirst()) }

  func count(_ completed: CompletedRequest) {
    let route = completed.route.map { $0 + 1 } ?? 0
    let place = completed.status.map { places[$0.rawValue] } ?? Self.gone
    counters.add(at: route * (Self.gone + 1) + place)
    durations.record(nanoseconds: completed.nanoseconds, of: route)
  }

  /// Requests of static files, which are the last of the routes.
  var files: Int { Self.words.indices.reduce(0) { $0 + counters[(routes.count - 1) * Self.words.count + $1] } }

  func write(to text: inout MetricsText) {
    text.family("okcancel_http_requests_total") { family in
      for (mark, route) in routes.enumerated() {
        for (place, word) in Self.words.enumerated() {
          let count = counters[mark * Self.words.count + place]
          if count > 0 { family.sample(count, route.labels + [("status", word)]) }
        }
      }
    }
    text.family("okcancel_http_request_duration_seconds") { family in
      for (mark, route) in routes.enumerated() { family.histogram(durations, of: mark, route.labels) }
    }
  }
}

/// Verdicts given, by where they were requested.
final class VerdictCounts: Sendable {
  enum Door: String, CaseIterable { case validate, submit }

  /// For each door the valid ones, then the invalid ones.
  private let counters = Counters(2 * Door.allCases.count)

  func count(_ isValid: Bool, at door: Door) {
    counters.add(at: Self.place(isValid, door))
  }

  private static func place(_ isValid: Bool, _ door: Door) -> Int { (door == .validate ? 0 : 2) + (isValid ? 0 : 1) }

  func write(to text: inout MetricsText) {
    text.family("okcancel_verdicts_total") { family in
      for door in Door.allCases {
        for (isValid, verdict) in [(true, "valid"), (false, "invalid")] {
          family.sample(counters[Self.place(isValid, door)], [("door", door.rawValue), ("verdict", verdict)])
        }
      }
    }
  }
}

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
    text.sample("okcancel_store_writes_total", writes[0])
  }
}

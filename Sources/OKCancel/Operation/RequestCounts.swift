internal import MicroHTTP

/// Requests by route and status, and how long they took.
///
/// The route is the number that `Request.mark` was given: what a request asked for is never a label.
final class RequestCounts: Sendable {
  struct Route: Sendable {
    let method: String
    /// As in the documentation, `/prompts/{name}`.
    let pattern: String
  }

  private final class Counts: Sendable {
    let route: Route
    /// By place in `statuses`; then any other status, and none.
    let counters = (0...RequestCounts.gone).map { _ in Counter() }
    let durations = Histogram(bounds: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30, 60])

    init(route: Route) { self.route = route }
  }

  /// What no route answered: unknown paths, other methods, malformed requests.
  static let unmatched = Route(method: "any", pattern: "none")

  private static let statuses = [
    200, 201, 204, 303, 304, 400, 401, 403, 404, 405, 408, 409, 410, 411, 413, 414, 415, 422, 429, 431, 500, 503, 505,
  ]
  private static let other = statuses.count
  private static let gone = statuses.count + 1
  private static let places: [Int] = (0...599).map { statuses.firstIndex(of: $0) ?? other }

  private let routes: [Counts]

  /// - Parameter routes: by their marks, the first of which is 1.
  init(_ routes: [Route]) {
    self.routes = ([Self.unmatched] + routes).map { Counts(route: $0) }
  }

  /// Routes and, as `GET files`, static files.
  var names: [Route] { routes.dropFirst().map(\.route) }

  func count(_ exchange: Exchange) {
    let mark = exchange.mark
    let counts = routes[routes.indices.contains(mark) ? mark : 0]
    counts.counters[exchange.status.map { Self.places[$0.rawValue] } ?? Self.gone].add()
    counts.durations.record(nanoseconds: exchange.nanoseconds)
  }

  func write(to text: inout MetricsText) {
    text.family(
      "okcancel_http_requests_total", .counter,
      "Requests by route and status; HEAD counts as GET, “gone” is a client that left before its answer."
    ) { family in
      for counts in routes {
        for (place, counter) in counts.counters.enumerated() where counter.value > 0 {
          let status = place == Self.gone ? "gone" : place == Self.other ? "other" : String(Self.statuses[place])
          family.sample(counter.value, counts.route.labels + [("status", status)])
        }
      }
    }
    text.family(
      "okcancel_http_request_duration_seconds", .histogram,
      "From a request line’s arrival to the last byte of its answer, waiting included."
    ) { family in
      for counts in routes where !counts.durations.isEmpty { family.histogram(counts.durations, counts.route.labels) }
    }
  }
}

extension RequestCounts.Route {
  fileprivate var labels: MetricsText.Labels { [("method", method), ("route", pattern)] }
}

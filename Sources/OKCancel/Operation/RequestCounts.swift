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

  /// What no route answered: unknown paths, other methods, malformed requests.
  static let unmatched = Route(method: "any", pattern: "none")

  private static let statuses = [
    200, 201, 204, 303, 304, 400, 401, 403, 404, 405, 408, 409, 410, 411, 413, 414, 415, 422, 429, 431, 500, 503, 505,
  ]
  private static let other = statuses.count
  private static let gone = statuses.count + 1
  private static let places: [Int] = (0...599).map { statuses.firstIndex(of: $0) ?? other }

  /// What no route answered, then the routes by their marks.
  private let routes: [Route]
  /// For each route a counter for each place of `statuses`, any other status and none, then its durations.
  private let counters: Counters
  private let durations = Histogram.Bounds(
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30, 60])
  private let places = RequestCounts.places
  private let stride: Int

  /// - Parameter routes: by their marks, the first of which is 1.
  init(_ routes: [Route]) {
    self.routes = [Self.unmatched] + routes
    stride = Self.gone + 1 + durations.places
    counters = Counters(self.routes.count * stride)
  }

  /// Routes and, as `GET files`, static files.
  var names: [Route] { Array(routes.dropFirst()) }

  func count(_ completed: CompletedRequest) {
    let mark = completed.mark
    let start = routes.indices.contains(mark) ? mark * stride : 0
    counters.add(at: start + (completed.status.map { places[$0.rawValue] } ?? Self.gone))
    durations.record(nanoseconds: completed.nanoseconds, in: counters, from: start + Self.gone + 1)
  }

  func write(to text: inout MetricsText) {
    text.family(
      "okcancel_http_requests_total", .counter,
      "Requests by route and status; HEAD counts as GET, “gone” is a client that left before its answer."
    ) { family in
      for (mark, route) in routes.enumerated() {
        for place in 0...Self.gone where counters[mark * stride + place] > 0 {
          let status = place == Self.gone ? "gone" : place == Self.other ? "other" : String(Self.statuses[place])
          family.sample(counters[mark * stride + place], route.labels + [("status", status)])
        }
      }
    }
    text.family(
      "okcancel_http_request_duration_seconds", .histogram,
      "From a request line’s arrival to the last byte of its answer, waiting included."
    ) { family in
      for (mark, route) in routes.enumerated() {
        let durations = Histogram(durations, in: counters, from: mark * stride + Self.gone + 1)
        if !durations.isEmpty { family.histogram(durations, route.labels) }
      }
    }
  }
}

extension RequestCounts.Route {
  fileprivate var labels: MetricsText.Labels { [("method", method), ("route", pattern)] }
}

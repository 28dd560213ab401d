/// A route's path, segment by segment.
struct RoutePattern: Equatable, Sendable {
  enum Segment: Equatable, Sendable {
    case literal(String)
    case parameter(String)
  }

  let segments: [Segment]

  /// - Precondition: `pattern` begins with a slash and names its parameters.
  init(_ pattern: String) {
    precondition(pattern.hasPrefix("/"), "\(pattern) does not begin with a slash")
    segments = pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
      segment in
      guard segment.hasPrefix(":") else { return .literal(String(segment)) }
      precondition(segment.count > 1, "\(pattern) has a parameter without a name")
      return .parameter(String(segment.dropFirst()))
    }
  }

  var hasParameters: Bool {
    segments.contains { if case .parameter = $0 { true } else { false } }
  }

  /// How many segments a path has: one for each slash, the last one empty after a trailing slash.
  static func segmentCount(of path: String) -> Int {
    path.utf8.reduce(0) { $1 == UInt8(ascii: "/") ? $0 + 1 : $0 }
  }

  /// The parameters' values; nil when the path is another one.
  ///
  /// - Precondition: `path` has as many segments as the pattern.
  func match(_ path: String) -> Request.Parameters? {
    var parameters = Request.Parameters()
    var rest = path[...].utf8
    for segment in segments {
      rest.removeFirst()
      let text = rest.prefix { $0 != UInt8(ascii: "/") }
      rest = rest[text.endIndex...]
      switch segment {
      case .literal(let literal):
        guard literal.utf8.elementsEqual(text) else { return nil }
      case .parameter(let name):
        guard !text.isEmpty else { return nil }
        parameters.pairs.append((name, String(Substring(text))))
      }
    }
    return parameters
  }
}

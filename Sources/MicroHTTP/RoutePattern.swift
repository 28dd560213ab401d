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

  /// The parameters' values; nil when the path is another one.
  ///
  /// - Precondition: `path` has as many segments as the pattern.
  func match(_ path: String) -> Request.Parameters? {
    var path = path
    return path.withUTF8(match)
  }

  private func match(_ path: UnsafeBufferPointer<UInt8>) -> Request.Parameters? {
    var parameters = Request.Parameters()
    var end = 0
    for segment in segments {
      let start = end + 1
      end = start
      while end < path.count, path[end] != UInt8(ascii: "/") { end += 1 }
      let text = path[start..<end]
      switch segment {
      case .literal(let literal):
        guard literal.utf8.count == text.count, literal.utf8.elementsEqual(text) else { return nil }
      case .parameter(let name):
        guard !text.isEmpty else { return nil }
        parameters.pairs.append((name, String(decoding: text, as: UTF8.self)))
      }
    }
    return parameters
  }
}

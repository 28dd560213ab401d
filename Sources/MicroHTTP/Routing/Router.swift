/// Finds a handler by path and method. Built once, then read without a lock.
///
/// `HEAD` is handled as `GET` (the server sends no body), and the response to `OPTIONS` is 204 with `Allow`, unless they
/// have routes of their own. `/a` and `/a/` are two paths. If several patterns match, the first added wins; a path
/// without parameters comes before any pattern.
package struct Router: Sendable {
  /// One for each path that has routes: plain paths before patterns, then in the order they were added.
  private var endpoints: [Endpoint] = []

  package init() {}

  /// Adds a route.
  ///
  /// - Parameters:
  ///   - pattern: a path in which a segment `:name` stands for any one segment that is not empty: `/prompts/:name/rules`.
  ///   - bodyLimit: bytes of a body, if it may be longer than others, or `nil` if it may not.
  /// - Precondition: the pattern begins with a slash, and no other route has it with this method.
  package mutating func on(
    _ method: Method, _ pattern: String, bodyLimit: Int? = nil, _ reply: @escaping @Sendable (Request) throws -> Reply
  ) {
    let place = endpoints.firstIndex { $0.pattern.text == pattern } ?? insert(RoutePattern(pattern))
    precondition(endpoints[place].handlers.allSatisfy { $0.method != method }, "\(method) \(pattern) has a route")
    endpoints[place].handlers.append((method, Handler(bodyLimit: bodyLimit, reply: reply)))
  }

  private mutating func insert(_ pattern: RoutePattern) -> Int {
    let place = pattern.hasParameters ? nil : endpoints.firstIndex { $0.pattern.hasParameters }
    endpoints.insert(Endpoint(pattern: pattern), at: place ?? endpoints.count)
    return place ?? endpoints.count - 1
  }

  /// The handler of a request's route. For a path that has routes by other methods it throws `methodNotAllowed` or, for
  /// `OPTIONS`, says which there are. `nil` if there is no such path.
  package func route(_ request: Request) -> Handler? {
    let storage = request.storage
    if let (endpoint, handler) = find(storage) {
      storage.pattern = endpoint.pattern
      return handler
    }
    storage.pattern = nil
    let isForServer = request.method == .options && request.path == "*"
    let allowed = isForServer ? [.get, .head, .options] : methods(on: storage)
    return allowed.isEmpty ? nil : .methods(allowed)
  }

  /// The first route with the request's path and method.
  private func find(_ storage: Request.Storage) -> (Endpoint, Handler)? {
    let path = RoutePattern.segments(storage.target.pathBytes)
    for endpoint in endpoints where endpoint.pattern.matches(path) {
      if let handler = endpoint.handler(of: storage.method) { return (endpoint, handler) }
      // A path that is a route of its own is not looked for among the patterns.
      if !endpoint.pattern.hasParameters { return nil }
    }
    return nil
  }

  /// What may be done with the request's path, `HEAD` and `OPTIONS` included; nothing if there is no such path.
  private func methods(on storage: Request.Storage) -> [Method] {
    let path = RoutePattern.segments(storage.target.pathBytes)
    var methods: [Method] = []
    for endpoint in endpoints where endpoint.pattern.matches(path) {
      for method in endpoint.methods where !methods.contains(method) { methods.append(method) }
      if !endpoint.pattern.hasParameters { break }
    }
    return methods
  }

  /// The routes of one path.
  private struct Endpoint: Sendable {
    let pattern: RoutePattern
    var handlers: [(method: Method, handler: Handler)] = []

    func handler(of method: Method) -> Handler? {
      handlers.first { $0.method == method }?.handler ?? (method == .head ? handler(of: .get) : nil)
    }

    /// `HEAD` and `OPTIONS` included.
    var methods: [Method] {
      var methods = handlers.map(\.method)
      if let get = methods.firstIndex(of: .get), !methods.contains(.head) { methods.insert(.head, at: get + 1) }
      if !methods.contains(.options) { methods.append(.options) }
      return methods
    }
  }
}

extension Router: Application {
  package func handler(for head: Request) -> Handler { route(head) ?? Handler { _ in throw HTTPError.notFound } }
}

extension Handler {
  /// For a path that only has routes by these methods: tells them to `OPTIONS`, and rejects others.
  static func methods(_ allowed: [Method]) -> Handler {
    Handler { request in
      let error = HTTPError.methodNotAllowed(allowed: allowed)
      guard request.method == .options else { throw error }
      return .now(Response(.noContent, headers: error.headers))
    }
  }
}

/// A route's path, segment by segment.
final class RoutePattern: Sendable {
  private enum Segment {
    case text([UInt8])
    /// Any segment that is not empty.
    case parameter(String)
  }

  let text: String
  private let segments: [Segment]
  let hasParameters: Bool

  /// - Precondition: `pattern` begins with a slash and names its parameters.
  init(_ pattern: String) {
    precondition(pattern.hasPrefix("/"), "\(pattern) does not begin with a slash")
    text = pattern
    segments = pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { segment in
      precondition(segment != ":", "\(pattern) has a parameter without a name")
      return segment.hasPrefix(":") ? .parameter(String(segment.dropFirst())) : .text(Array(segment.utf8))
    }
    hasParameters = pattern.contains("/:")
  }

  static func segments(_ path: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
  }

  func matches(_ path: [ArraySlice<UInt8>]) -> Bool {
    path.count == segments.count
      && zip(path, segments).allSatisfy { part, segment in
        switch segment {
        case .text(let text): part.elementsEqual(text)
        case .parameter: !part.isEmpty
        }
      }
  }

  /// The segment in the place of `:name` of a path of this pattern, or `nil` if it has no such name.
  func parameter(_ name: String, of path: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    segments.firstIndex { if case .parameter(name) = $0 { true } else { false } }.map { Self.segments(path)[$0] }
  }
}

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
    storage.target.withPath { path in
      let slashes = RoutePattern.slashes(in: path)
      for place in endpoints.indices
      where endpoints[place].pattern.slashes == slashes && endpoints[place].pattern.matches(path) {
        if let handler = endpoints[place].handler(of: storage.method) { return (endpoints[place], handler) }
        // A path that is a route of its own is not looked for among the patterns.
        if !endpoints[place].pattern.hasParameters { return nil }
      }
      return nil
    }
  }

  /// What may be done with the request's path, `HEAD` and `OPTIONS` included; nothing if there is no such path.
  private func methods(on storage: Request.Storage) -> [Method] {
    storage.target.withPath { path in
      var methods: [Method] = []
      for endpoint in endpoints where endpoint.pattern.matches(path) {
        for method in endpoint.methods where !methods.contains(method) { methods.append(method) }
        if !endpoint.pattern.hasParameters { break }
      }
      return methods
    }
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
  let text: String
  private let parameters: [(name: String, segment: Int)]
  /// The path with a zero byte, which no path has, for each parameter.
  private let template: [UInt8]

  /// - Precondition: `pattern` begins with a slash and names its parameters.
  init(_ pattern: String) {
    precondition(pattern.hasPrefix("/"), "\(pattern) does not begin with a slash")
    text = pattern
    let segments = pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    parameters = segments.enumerated().filter { $1.hasPrefix(":") }.map { segment, text in
      precondition(text.count > 1, "\(pattern) has a parameter without a name")
      return (String(text.dropFirst()), segment)
    }
    slashes = segments.count
    template = segments.flatMap { [UInt8(ascii: "/")] + ($0.hasPrefix(":") ? [0] : Array($0.utf8)) }
  }

  var hasParameters: Bool { !parameters.isEmpty }

  /// How many segments its paths have, which tells most patterns apart.
  let slashes: Int

  static func slashes(in path: Span<UInt8>) -> Int {
    var count = 0
    for index in path.indices where path[index] == UInt8(ascii: "/") { count += 1 }
    return count
  }

  /// True if the path is one of this pattern's: a parameter is any segment that is not empty.
  func matches(_ path: Span<UInt8>) -> Bool {
    var index = 0
    for byte in template {
      if byte == 0 {
        let end = path.firstIndex(of: UInt8(ascii: "/"), from: index) ?? path.count
        guard end > index else { return false }
        index = end
      } else {
        guard index < path.count, path[index] == byte else { return false }
        index += 1
      }
    }
    return index == path.count
  }

  /// Where the segment in the place of `:name` is in a path of this pattern, or `nil` if it has no such name.
  func range(of name: String, in path: Span<UInt8>) -> Range<Int>? {
    guard let segment = parameters.first(where: { $0.name == name })?.segment else { return nil }
    var start = 1
    for _ in 0..<segment { start = (path.firstIndex(of: UInt8(ascii: "/"), from: start) ?? path.count) + 1 }
    return start..<(path.firstIndex(of: UInt8(ascii: "/"), from: start) ?? path.count)
  }
}

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
    let (storage, path, endpoints) = (request.storage, request.storage.target.pathBytes, endpoints.span)
    // What may be done with the path, `HEAD` and `OPTIONS` included.
    var allowed: [Method] = request.method == .options && request.path == "*" ? [.get, .head, .options] : []
    for index in endpoints.indices where endpoints[index].pattern.matches(path.span) {
      let endpoint = endpoints[index]
      if let handler = endpoint.handler(of: storage.method) {
        storage.pattern = endpoint.pattern
        return handler
      }
      for method in endpoint.methods where !allowed.contains(method) { allowed.append(method) }
      // A path that is a route of its own is not looked for among the patterns.
      if !endpoint.pattern.hasParameters { break }
    }
    storage.pattern = nil
    return allowed.isEmpty ? nil : .methods(allowed)
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

/// A route's path, in which a segment `:name` stands for any one that is not empty.
struct RoutePattern: Sendable {
  let text: String
  private let bytes: [UInt8]
  let hasParameters: Bool

  /// - Precondition: `pattern` begins with a slash and names its parameters.
  init(_ pattern: String) {
    precondition(pattern.hasPrefix("/"), "\(pattern) does not begin with a slash")
    let segments = pattern.split(separator: "/", omittingEmptySubsequences: false)
    precondition(!segments.contains(":"), "\(pattern) has a parameter without a name")
    (text, bytes) = (pattern, Array(pattern.utf8))
    hasParameters = pattern.contains("/:")
  }

  func matches(_ path: Span<UInt8>) -> Bool { matches(path) { _, _ in } }

  /// The segment in the place of `:name` of a path of this pattern, or `nil` if it has no such name.
  func parameter(_ name: String, of path: Span<UInt8>) -> String? {
    var place: Range<Int>?
    let isMatch = matches(path) { parameter, segment in
      if bytes.span.extracting(parameter).equals(name) { place = segment }
    }
    return isMatch ? place.map { path.extracting($0).text } : nil
  }

  /// - Parameter body: gets the place of each parameter's name in the pattern and of its segment in the path.
  private func matches(_ path: Span<UInt8>, _ body: (Range<Int>, Range<Int>) -> Void) -> Bool {
    let (pattern, slash) = (bytes.span, UInt8(ascii: "/"))
    var (index, place) = (0, 0)
    while index < pattern.count, place < path.count {
      if pattern[index] == UInt8(ascii: ":"), pattern[index - 1] == slash {
        let nameEnd = pattern.firstIndex(of: slash, from: index) ?? pattern.count
        let end = path.firstIndex(of: slash, from: place) ?? path.count
        guard end > place else { return false }
        body(index + 1..<nameEnd, place..<end)
        (index, place) = (nameEnd, end)
      } else {
        guard pattern[index] == path[place] else { return false }
        (index, place) = (index + 1, place + 1)
      }
    }
    return index == pattern.count && place == path.count
  }
}

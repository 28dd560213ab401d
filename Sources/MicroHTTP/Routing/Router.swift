/// Finds a handler by path and method. Built once, then read without a lock.
///
/// `HEAD` is handled as `GET` (the server sends no body), and the response to `OPTIONS` is 204 with `Allow`, unless they
/// have routes of their own. `/a` and `/a/` are two paths. If several patterns match, the first added wins; a path
/// without a parameter comes before any pattern.
package struct Router: Sendable {
  /// Chooses the handler of a request by its head.
  package typealias Choice = @Sendable (_ head: Request) -> Handler

  /// One for each path that has routes: plain paths before patterns, then in the order they were added.
  private var endpoints: [Endpoint] = []

  package init() {}

  /// Adds a route.
  ///
  /// - Parameters:
  ///   - pattern: a path in which one segment may be `:name`, for any one that is not empty: `/prompts/:name/rules`.
  ///   - bodyLimit: bytes of a body, if it may be longer than others, or `nil` if it may not.
  /// - Precondition: the pattern begins with a slash, and no other route has it with this method.
  package mutating func on(
    _ method: Method, _ pattern: String, bodyLimit: Int? = nil, _ reply: @escaping @Sendable (Request) throws -> Reply
  ) {
    let handler = Handler(bodyLimit: bodyLimit, reply: reply)
    on(method, pattern) { _ in handler }
  }

  /// Adds a route whose handler is chosen for each request.
  package mutating func on(_ method: Method, _ pattern: String, handler choice: @escaping Choice) {
    let place = endpoints.firstIndex { $0.pattern.text == pattern } ?? insert(RoutePattern(pattern))
    precondition(endpoints[place].choices.allSatisfy { $0.method != method }, "\(method) \(pattern) has a route")
    endpoints[place].choices.append((method, choice))
  }

  private mutating func insert(_ pattern: RoutePattern) -> Int {
    let place = pattern.parameter == nil ? endpoints.firstIndex { $0.pattern.parameter != nil } : nil
    endpoints.insert(Endpoint(pattern: pattern), at: place ?? endpoints.count)
    return place ?? endpoints.count - 1
  }

  /// The handler of a request's route. If the path has routes only for other methods, the handler throws
  /// `methodNotAllowed` or, for `OPTIONS`, responds with a list of them. `nil` if no route has this path.
  package func route(_ request: Request) -> Handler? {
    let (storage, path, endpoints) = (request.storage, request.storage.target.pathBytes, endpoints.span)
    // What may be done with the path, `HEAD` and `OPTIONS` included.
    var allowed: [Method] = request.method == .options && request.path == "*" ? [.get, .head, .options] : []
    for index in endpoints.indices {
      guard let segment = endpoints[index].pattern.segment(of: path.span) else { continue }
      if let choice = endpoints[index].choice(for: storage.method) {
        storage.segment = endpoints[index].pattern.parameter.map { ($0, segment) }
        return choice(request)
      }
      for method in endpoints[index].methods where !allowed.contains(method) { allowed.append(method) }
      // A path that is a route of its own is not looked for among the patterns.
      if segment.isEmpty { break }
    }
    storage.segment = nil
    return allowed.isEmpty ? nil : .methods(allowed)
  }

  /// The routes of one path.
  private struct Endpoint: Sendable {
    let pattern: RoutePattern
    var choices: [(method: Method, choice: Choice)] = []

    @inline(__always)  // A call would copy the endpoint.
    func choice(for method: Method) -> Choice? {
      let found = choices.first { $0.method == method }
      return (found ?? (method == .head ? choices.first { $0.method == .get } : nil))?.choice
    }

    /// `HEAD` and `OPTIONS` included.
    var methods: [Method] {
      var methods = choices.map(\.method)
      if let get = methods.firstIndex(of: .get), !methods.contains(.head) { methods.insert(.head, at: get + 1) }
      if !methods.contains(.options) { methods.append(.options) }
      return methods
    }
  }
}

/// An application of nothing but routes.
package final class RoutedApplication: Application {
  private let router: Router

  package init(_ router: Router) { self.router = router }

  package func handler(for head: Request) -> Handler { router.route(head) ?? Handler { _ in throw HTTPError.notFound } }
}

extension Handler {
  /// For a path that only has routes for these methods: lists them in the response to `OPTIONS`, and rejects other
  /// methods.
  static func methods(_ allowed: [Method]) -> Handler {
    Handler { request in
      let error = HTTPError.methodNotAllowed(allowed: allowed)
      guard request.method == .options else { throw error }
      return .now(Response(.noContent, headers: error.headers))
    }
  }
}

/// A route's path, in which one segment may be `:name`, which stands for any one that is not empty.
struct RoutePattern: Sendable {
  let text: String
  /// The name, or `nil` for a plain path.
  let parameter: String?
  private let bytes: [UInt8]
  /// The range of the parameter, with its colon; empty at the end of a plain path.
  private let place: Range<Int>

  /// - Precondition: `pattern` begins with a slash, and has at most one parameter, with a name.
  init(_ pattern: String) {
    let parts = pattern.split(separator: "/:", omittingEmptySubsequences: false)
    let name = parts.dropFirst().first?.prefix { $0 != "/" }
    precondition(
      pattern.hasPrefix("/") && parts.count <= 2 && name != "", "\(pattern) needs a slash first and at most one :name")
    (text, parameter, bytes) = (pattern, name.map(String.init), Array(pattern.utf8))
    let start = name == nil ? bytes.count : parts[0].utf8.count + 1
    place = start..<start + (name.map { $0.utf8.count + 1 } ?? 0)
  }

  /// The place in a path of the segment that the parameter stands for, empty for a plain path; `nil` for a path that is
  /// not of this pattern.
  @inline(__always)  // A call would copy the pattern.
  func segment(of path: Span<UInt8>) -> Range<Int>? {
    let (pattern, start, surplus) = (bytes.span, place.lowerBound, path.count - bytes.count)
    let end = place.upperBound + surplus
    guard place.isEmpty ? start == end : start < end else { return nil }
    for index in 0..<start where path[index] != pattern[index] { return nil }
    for index in end..<path.count where path[index] != pattern[index - surplus] { return nil }
    let slash = path.firstIndex(of: UInt8(ascii: "/"), from: start) ?? path.count
    return slash >= end ? start..<end : nil
  }
}

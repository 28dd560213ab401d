/// Chooses a handler by path and method. Built once, then read without a lock.
///
/// `HEAD` is answered as `GET` (the server sends no body) and `OPTIONS` with
/// 204 and `Allow`, unless they have routes of their own. `/a` and `/a/` are
/// two paths. Where several patterns match, the first added wins; a path
/// without parameters comes before any pattern.
public struct Router: Sendable {
  public typealias Handler = @Sendable (Request) -> Reply

  /// The routes of all paths with the same number of segments.
  private struct Level: Sendable {
    var plain: [String: Endpoint] = [:]
    var patterns: [(pattern: RoutePattern, endpoint: Endpoint)] = []
  }

  /// Every route, in the order they were added.
  public private(set) var routes: [(method: Method, pattern: String)] = []
  /// By number of segments; `*` has none.
  private var levels = [Level()]

  public init() {}

  /// Adds a route.
  ///
  /// - Parameter pattern: a path in which a segment `:name` stands for any one
  ///   segment that is not empty: `/prompts/:name/rules`.
  /// - Precondition: the pattern begins with a slash, and no other route has it with this method.
  public mutating func on(_ method: Method, _ pattern: String, _ handler: @escaping Handler) {
    routes.append((method, pattern))
    let parsed = RoutePattern(pattern)
    let count = parsed.segments.count
    while levels.count <= count { levels.append(Level()) }
    guard parsed.hasParameters else {
      levels[count].plain[pattern, default: Endpoint()].add(method, handler, at: pattern)
      return
    }
    if let index = levels[count].patterns.firstIndex(where: { $0.pattern == parsed }) {
      levels[count].patterns[index].endpoint.add(method, handler, at: pattern)
    } else {
      var endpoint = Endpoint()
      endpoint.add(method, handler, at: pattern)
      levels[count].patterns.append((parsed, endpoint))
    }
  }

  /// Lets the route's handler answer; `notFound` and `methodNotAllowed` without one.
  public func reply(to request: Request) -> Reply {
    let segments = request.head.target.segmentCount
    guard segments < levels.count else { return .refused(.notFound) }
    var allowed: [Method] = []
    if !levels[segments].plain.isEmpty, let endpoint = levels[segments].plain[request.path] {
      if let handler = endpoint.handler(for: request.method) { return handler(request) }
      allowed = endpoint.methods
    }
    // A path that is a route of its own is not looked for among the patterns.
    if allowed.isEmpty {
      for (pattern, endpoint) in levels[segments].patterns {
        guard let parameters = pattern.match(request.path) else { continue }
        if let handler = endpoint.handler(for: request.method) {
          var request = request
          request.parameters = parameters
          return handler(request)
        }
        for method in endpoint.methods where !allowed.contains(method) { allowed.append(method) }
      }
    }
    if request.method == .options, request.path == "*" { allowed = [.get, .head, .options] }
    guard !allowed.isEmpty else { return .refused(.notFound) }
    guard request.method == .options else { return .refused(.methodNotAllowed(allowed: allowed)) }
    return .now(Response(.noContent, headers: Refusal.methodNotAllowed(allowed: allowed).headers))
  }

  /// The handlers of one path.
  private struct Endpoint: Sendable {
    private var handlers: [(method: Method, handler: Handler)] = []

    mutating func add(_ method: Method, _ handler: @escaping Handler, at pattern: String) {
      precondition(!handlers.contains { $0.method == method }, "\(method) \(pattern) has a route")
      handlers.append((method, handler))
    }

    func handler(for method: Method) -> Handler? {
      if let found = handlers.first(where: { $0.method == method }) { return found.handler }
      return method == .head ? handlers.first { $0.method == .get }?.handler : nil
    }

    /// What this path answers, `HEAD` and `OPTIONS` included.
    var methods: [Method] {
      var methods = handlers.map(\.method)
      if let get = methods.firstIndex(of: .get), !methods.contains(.head) {
        methods.insert(.head, at: get + 1)
      }
      if !methods.contains(.options) { methods.append(.options) }
      return methods
    }
  }
}

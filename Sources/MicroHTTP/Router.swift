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
    var plain = Endpoints()
    var patterns = Endpoints()
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
    while levels.count <= parsed.segmentCount { levels.append(Level()) }
    if parsed.hasParameters {
      levels[parsed.segmentCount].patterns.add(method, handler, at: parsed)
    } else {
      levels[parsed.segmentCount].plain.add(method, handler, at: parsed)
    }
  }

  /// Lets the route's handler answer; `notFound` and `methodNotAllowed` without one.
  public func reply(to request: Request) -> Reply {
    let segments = request.storage.target.segmentCount
    guard segments < levels.count else { return .refused(.notFound) }
    var allowed: [Method] = []
    if let place = levels[segments].plain.place(of: request) {
      if let handler = levels[segments].plain[place].handler(for: request.method) { return handler(request) }
      // A path that is a route of its own is not looked for among the patterns.
      allowed = levels[segments].plain[place].methods
    } else {
      var first = 0
      while let place = levels[segments].patterns.place(of: request, from: first) {
        if let handler = levels[segments].patterns[place].handler(for: request.method) {
          var request = request
          request.pattern = levels[segments].patterns[place].pattern
          return handler(request)
        }
        for method in levels[segments].patterns[place].methods where !allowed.contains(method) {
          allowed.append(method)
        }
        first = place + 1
      }
    }
    if request.method == .options, request.path == "*" { allowed = [.get, .head, .options] }
    guard !allowed.isEmpty else { return .refused(.notFound) }
    guard request.method == .options else { return .refused(.methodNotAllowed(allowed: allowed)) }
    return .now(Response(.noContent, headers: Refusal.methodNotAllowed(allowed: allowed).headers))
  }

  /// The endpoints with the same number of segments, in the order they were added. Their templates
  /// lie one after another, so that a path is compared with all of them in one go.
  private struct Endpoints: Sendable {
    private var endpoints: [Endpoint] = []
    private var templates: [UInt8] = []
    /// Where each template ends.
    private var ends: [Int] = []

    subscript(place: Int) -> Endpoint { _read { yield endpoints[place] } }

    mutating func add(_ method: Method, _ handler: @escaping Handler, at pattern: RoutePattern) {
      if let place = endpoints.firstIndex(where: { $0.pattern.text == pattern.text }) {
        endpoints[place].add(method, handler)
        return
      }
      var endpoint = Endpoint(pattern: pattern)
      endpoint.add(method, handler)
      endpoints.append(endpoint)
      templates += pattern.template
      ends.append(templates.count)
    }

    /// The place of the first endpoint that has the request's path, from `first` on.
    func place(of request: Request, from first: Int = 0) -> Int? {
      guard first < ends.count else { return nil }
      let path = request.storage.target.pathBytes
      return templates.withUnsafeBufferPointer { templates in
        var start = first == 0 ? 0 : ends[first - 1]
        for place in first..<ends.count {
          let template = UnsafeBufferPointer(rebasing: templates[start..<ends[place]])
          if RoutePattern.matches(path, template) { return place }
          start = ends[place]
        }
        return nil
      }
    }
  }

  /// The handlers of one path.
  private struct Endpoint: Sendable {
    let pattern: RoutePattern
    private var routes: [Route] = []

    init(pattern: RoutePattern) { self.pattern = pattern }

    mutating func add(_ method: Method, _ handler: @escaping Handler) {
      precondition(!routes.contains { $0.method == method }, "\(method) \(pattern.text) has a route")
      routes.append(Route(method: method, handler: handler))
    }

    func handler(for method: Method) -> Handler? {
      if let place = routes.firstIndex(where: { $0.method == method }) { return routes[place].handler }
      return method == .head ? handler(for: .get) : nil
    }

    /// What this path answers, `HEAD` and `OPTIONS` included.
    var methods: [Method] {
      var methods = routes.map(\.method)
      if let get = methods.firstIndex(of: .get), !methods.contains(.head) {
        methods.insert(.head, at: get + 1)
      }
      if !methods.contains(.options) { methods.append(.options) }
      return methods
    }
  }

  // Not a pair: functions in pairs are called through one more function.
  private struct Route: Sendable {
    let method: Method
    let handler: Handler
  }
}

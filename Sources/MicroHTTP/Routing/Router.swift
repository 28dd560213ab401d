/// Chooses a handler by path and method. Built once, then read without a lock.
///
/// `HEAD` is answered as `GET` (the server sends no body) and `OPTIONS` with
/// 204 and `Allow`, unless they have routes of their own. `/a` and `/a/` are
/// two paths. Where several patterns match, the first added wins; a path
/// without parameters comes before any pattern.
package struct Router: Sendable {
  package typealias Handler = @Sendable (Request) -> Reply

  /// Every route, in the order they were added.
  package private(set) var routes: [(method: Method, pattern: String)] = []
  /// The paths that have routes: by their number of segments, plain ones before patterns, then in the
  /// order they were added.
  private var endpoints: [Endpoint] = []
  /// Where each number of segments begins in `endpoints`, and where the last one ends; `*` has none.
  private var levels = [0, 0]
  /// The templates of `endpoints`, one after another, so that a path is compared with many in one go.
  private var templates: [UInt8] = []
  /// Where each template ends, after a zero for the first one's start.
  private var ends = [0]
  /// For each endpoint what each usual method finds, by `Method.place`.
  private var usual: [Found] = []

  package init() {}

  /// Adds a route.
  ///
  /// - Parameters:
  ///   - pattern: a path in which a segment `:name` stands for any one
  ///     segment that is not empty: `/prompts/:name/rules`.
  ///   - bodyLimit: bytes of a body, where it may be longer than others; nil: it may not.
  /// - Precondition: the pattern begins with a slash, and no other route has it with this method.
  package mutating func on(_ method: Method, _ pattern: String, bodyLimit: Int? = nil, _ handler: @escaping Handler) {
    let route = Route(method: method, handler: handler, bodyLimit: bodyLimit)
    routes.append((method, pattern))
    if let place = endpoints.firstIndex(where: { $0.pattern.text == pattern }) {
      endpoints[place].add(route)
    } else {
      var endpoint = Endpoint(pattern: RoutePattern(pattern))
      endpoint.add(route)
      endpoints.insert(endpoint, at: endpoints.firstIndex { endpoint.isBefore($0) } ?? endpoints.count)
    }
    arrange()
  }

  /// Lets the route's handler answer; `notFound` and `methodNotAllowed` without one.
  package func reply(to request: Request) -> Reply {
    let storage = request.storage
    var next = first(on: storage.target)
    while let place = next {
      if let handler = handler(at: place, for: storage.method) {
        // Nearly always the one of the connection's request before, which then costs no counting.
        if storage.pattern !== endpoints[place].pattern { storage.pattern = endpoints[place].pattern }
        return handler(request)
      }
      next = self.next(after: place, on: storage.target)
    }
    storage.pattern = nil
    let isForServer = request.method == .options && request.path == "*"
    let allowed = isForServer ? [.get, .head, .options] : methods(on: storage.target)
    guard !allowed.isEmpty else { return .refused(.notFound) }
    guard request.method == .options else { return .refused(.methodNotAllowed(allowed: allowed)) }
    return .now(Response(.noContent, headers: HTTPError.methodNotAllowed(allowed: allowed).headers))
  }

  /// How many bytes of body the request's route takes; nil: as many as others.
  package func bodyLimit(of request: Request) -> Int? {
    var next = first(on: request.storage.target)
    while let place = next {
      if let route = endpoints[place].route(for: request.method) { return route.bodyLimit }
      next = self.next(after: place, on: request.storage.target)
    }
    return nil
  }

  private func handler(at place: Int, for method: Method) -> Handler? {
    guard let column = method.place else { return endpoints[place].handler(for: method) }
    return usual[place * Method.places + column].handler
  }

  /// What the target's path answers, `HEAD` and `OPTIONS` included; nothing where there is no such path.
  private func methods(on target: borrowing RequestTarget) -> [Method] {
    var methods: [Method] = []
    var next = first(on: target)
    while let place = next {
      for method in endpoints[place].methods where !methods.contains(method) { methods.append(method) }
      next = self.next(after: place, on: target)
    }
    return methods
  }

  /// The place of the first endpoint that has the target's path.
  private func first(on target: borrowing RequestTarget) -> Int? {
    let segments = target.segmentCount
    guard segments < levels.count - 1 else { return nil }
    return place(of: target.pathBytes, from: levels[segments], to: levels[segments + 1])
  }

  /// The place of the next one. A path that is a route of its own is not looked for among the patterns.
  private func next(after place: Int, on target: borrowing RequestTarget) -> Int? {
    guard endpoints[place].pattern.hasParameters else { return nil }
    return self.place(of: target.pathBytes, from: place + 1, to: levels[target.segmentCount + 1])
  }

  /// The place of the first of these endpoints that has this path.
  private func place(of path: UnsafeBufferPointer<UInt8>, from first: Int, to end: Int) -> Int? {
    templates.withUnsafeBufferPointer { templates in
      for place in first..<end {
        let template = UnsafeBufferPointer(rebasing: templates[ends[place]..<ends[place + 1]])
        if RoutePattern.matches(path, template) { return place }
      }
      return nil
    }
  }

  /// Makes of `endpoints` what requests look at.
  private mutating func arrange() {
    let deepest = endpoints.last?.pattern.segmentCount ?? 0
    levels = (0...deepest + 1).map { count in
      endpoints.firstIndex { $0.pattern.segmentCount >= count } ?? endpoints.count
    }
    templates = endpoints.flatMap(\.pattern.template)
    ends = endpoints.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.pattern.template.count) }
    usual = endpoints.flatMap { endpoint in Method.usual.map { Found(handler: endpoint.handler(for: $0)) } }
  }

  /// The handlers of one path.
  private struct Endpoint: Sendable {
    let pattern: RoutePattern
    private var routes: [Route] = []

    init(pattern: RoutePattern) { self.pattern = pattern }

    func isBefore(_ other: Endpoint) -> Bool {
      let (own, others) = (pattern, other.pattern)
      return own.segmentCount == others.segmentCount
        ? !own.hasParameters && others.hasParameters : own.segmentCount < others.segmentCount
    }

    mutating func add(_ route: Route) {
      precondition(!routes.contains { $0.method == route.method }, "\(route.method) \(pattern.text) has a route")
      routes.append(route)
    }

    func handler(for method: Method) -> Handler? { route(for: method)?.handler }

    func route(for method: Method) -> Route? {
      routes.first { $0.method == method } ?? (method == .head ? route(for: .get) : nil)
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

  // Structures of their own: functions in arrays and in pairs are called through one more function.
  private struct Found: Sendable {
    let handler: Handler?
  }

  private struct Route: Sendable {
    let method: Method
    let handler: Handler
    let bodyLimit: Int?
  }
}

/// A route's path, segment by segment.
final class RoutePattern: Sendable {
  let text: String
  let segmentCount: Int
  private let parameters: [(name: String, segment: Int)]
  /// Where the first parameter begins in every path.
  private let start: Int
  /// The path with a zero byte, which no path has, for each parameter.
  let template: [UInt8]

  /// - Precondition: `pattern` begins with a slash and names its parameters.
  init(_ pattern: String) {
    precondition(pattern.hasPrefix("/"), "\(pattern) does not begin with a slash")
    text = pattern
    let segments = pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    segmentCount = segments.count
    parameters = segments.enumerated().filter { $1.hasPrefix(":") }.map { segment, text in
      precondition(text.count > 1, "\(pattern) has a parameter without a name")
      return (String(text.dropFirst()), segment)
    }
    template = segments.flatMap { [UInt8(ascii: "/")] + ($0.hasPrefix(":") ? [0] : Array($0.utf8)) }
    start = template.firstIndex(of: 0) ?? 0
  }

  var hasParameters: Bool { !parameters.isEmpty }

  /// True when the path is one of this pattern's: a parameter is any segment that is not empty.
  static func matches(_ path: UnsafeBufferPointer<UInt8>, _ template: UnsafeBufferPointer<UInt8>) -> Bool {
    guard var next = path.baseAddress else { return template.isEmpty }
    let end = next + path.count
    for byte in template {
      if byte == 0 {
        let start = next
        while next < end, next.pointee != UInt8(ascii: "/") { next += 1 }
        guard next > start else { return false }
      } else {
        guard next < end, next.pointee == byte else { return false }
        next += 1
      }
    }
    return next == end
  }

  /// The decoded segment in the place of `:name`, until the next target; nil without such a name.
  ///
  /// - Precondition: the target's path is one of this pattern's.
  func bytes(of name: String, in target: borrowing RequestTarget) -> UnsafeBufferPointer<UInt8>? {
    guard let place = parameters.firstIndex(where: { $0.name == name }) else { return nil }
    var slashes = parameters[place].segment - parameters[0].segment
    let path = target.pathBytes
    var start = start
    for index in start..<path.count where path[index] == UInt8(ascii: "/") {
      if slashes == 0 { return UnsafeBufferPointer(rebasing: path[start..<index]) }
      (slashes, start) = (slashes - 1, index + 1)
    }
    return UnsafeBufferPointer(rebasing: path[start...])
  }
}

internal import MicroHTTP

/// The router, and a mark for each of its routes, by which requests are counted.
struct RouteTable: Sendable {
  private var router = Router()
  /// By their marks, the first of which is 1.
  private(set) var marked: [RequestCounts.Route] = []

  mutating func on(_ method: Method, _ pattern: String, _ handler: @escaping Router.Handler) {
    let mark = mark(method.token, pattern)
    router.on(method, pattern) { request in
      request.mark(mark)
      return handler(request)
    }
  }

  /// A mark for requests that are answered without the router.
  mutating func mark(_ method: String, _ pattern: String) -> Int {
    let segments = pattern.split(separator: "/", omittingEmptySubsequences: false)
    let words = segments.map { $0.hasPrefix(":") ? "{\($0.dropFirst())}" : String($0) }
    marked.append(.init(method: method, pattern: words.joined(separator: "/")))
    return marked.count
  }

  /// Every route, in the order they were added.
  var routes: [(method: Method, pattern: String)] { router.routes }

  func reply(to request: Request) -> Reply { router.reply(to: request) }
}

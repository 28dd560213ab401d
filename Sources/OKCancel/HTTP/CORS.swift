internal import MicroHTTP

/// Lets pages of the allowed origins read rules and ask for verdicts (Fetch standard, section 3.3).
///
/// Only the origin that asks is named, never `*`, and never with credentials: there are none. What
/// is refused stays readable for programs; it is the browser that keeps it from the page.
struct CORS: Sendable {
  let allowed: [Origin]

  /// How many seconds a browser may go without asking again.
  private static let maxAge = "600"

  /// What answers that may be kept carry, whoever asks: another origin gets another one.
  var varying: [(name: String, value: String)] { allowed.isEmpty ? [] : [("Vary", "Origin")] }

  /// A handler whose answers, refusals among them, an allowed page may read.
  func sharing(_ handle: @escaping Router.Handler) -> Router.Handler {
    if allowed.isEmpty { return handle }
    return { request in
      guard let origin = origin(of: request) else { return handle(request) }
      return handle(request).map { $0.adding(("Access-Control-Allow-Origin", origin)) }
    }
  }

  /// Answers what a browser asks before it sends JSON (section 3.3.4).
  ///
  /// - Parameter methods: what the path answers.
  func preflight(_ methods: [Method]) -> Router.Handler {
    let allow = ("Allow", (methods + [.options]).map(\.token).joined(separator: ", "))
    return { request in
      var headers = [allow] + varying
      if let origin = origin(of: request), request.header("access-control-request-method") != nil {
        headers += [
          ("Access-Control-Allow-Origin", origin),
          ("Access-Control-Allow-Methods", methods.map(\.token).joined(separator: ", ")),
          ("Access-Control-Allow-Headers", "Content-Type"),
          ("Access-Control-Max-Age", Self.maxAge),
        ]
      }
      return .now(Response(.noContent, headers: headers))
    }
  }

  private func origin(of request: Request) -> String? {
    guard let origin = request.header("origin"), allowed.contains(where: { $0.description == origin }) else {
      return nil
    }
    return origin
  }
}

extension Response {
  fileprivate func adding(_ header: (name: String, value: String)) -> Response {
    var response = self
    response.headers.append(header)
    return response
  }
}

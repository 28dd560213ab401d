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

  /// The reply, which a page of an allowed origin may read, refusals too.
  func shared(_ reply: Reply, with request: Request) -> Reply {
    guard !allowed.isEmpty, let origin = origin(of: request) else { return reply }
    return reply.map { $0.adding(("Access-Control-Allow-Origin", origin)) }
  }

  /// Answers what a browser asks before it sends JSON (section 3.3.4).
  ///
  /// - Parameter methods: what the path answers.
  func preflight(_ request: Request, methods: [Method]) -> Response {
    var headers = [("Allow", (methods + [.options]).map(\.token).joined(separator: ", "))] + varying
    if let origin = origin(of: request), request.header("access-control-request-method") != nil {
      headers += [
        ("Access-Control-Allow-Origin", origin),
        ("Access-Control-Allow-Methods", methods.map(\.token).joined(separator: ", ")),
        ("Access-Control-Allow-Headers", "Content-Type"),
        ("Access-Control-Max-Age", Self.maxAge),
      ]
    }
    return Response(.noContent, headers: headers)
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

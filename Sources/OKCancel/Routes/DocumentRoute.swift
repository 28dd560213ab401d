internal import MicroHTTP

/// A document that is the same as long as the server runs: `/prompt.schema.json`, `/openapi.json`.
struct DocumentRoute: Sendable {
  private let body: ConstantBody

  /// - Parameter type: the media type.
  init(_ bytes: [UInt8], type: String, headers: SecurityHeaders) {
    body = ConstantBody(bytes: bytes, type: type, headers: headers.headers)
  }

  func get(_ request: Request) throws(Problem) -> Route.Reply { .now(body.response(to: request)) }
}

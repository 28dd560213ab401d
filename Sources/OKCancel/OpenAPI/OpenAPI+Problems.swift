internal import MicroHTTP
internal import StrictJSON

extension Problem {
  /// What any request may be answered with, whatever it asks for.
  static let anywhere: [Status] = [
    .badRequest, .requestTimeout, .lengthRequired, .contentTooLarge, .targetTooLong, .headersTooLarge,
    .serviceUnavailable,
  ]

  /// A status as the document's `components/responses` name it: `BadRequest`.
  static func component(_ status: Status) -> String { status.reason.filter { $0 != " " } }
}

extension OpenAPI {
  /// A response that says what is wrong and what to do.
  struct ProblemResponse {
    let status: Status
    let description: String
    var headers: [String] = []
  }

  static let problems = [
    ProblemResponse(status: .badRequest, description: "The request is malformed; `detail` says where."),
    ProblemResponse(
      status: .unauthorized, description: "This needs the API token.", headers: ["WWW-Authenticate"]),
    ProblemResponse(
      status: .forbidden, description: "The request came from another site's page, whose origin is not allowed."),
    ProblemResponse(status: .notFound, description: "There is no such thing here."),
    ProblemResponse(status: .requestTimeout, description: "The request did not arrive in time."),
    ProblemResponse(status: .conflict, description: "It was done already, or otherwise."),
    ProblemResponse(status: .gone, description: "The question at this link has ended."),
    ProblemResponse(
      status: .lengthRequired, description: "A body came with Transfer-Encoding; send it with a Content-Length."),
    ProblemResponse(
      status: .contentTooLarge, description: "The body is longer than 64 KiB, or than 256 KiB where values are judged."),
    ProblemResponse(status: .targetTooLong, description: "The request target is longer than 8 KiB."),
    ProblemResponse(
      status: .unsupportedMediaType, description: "The body is of a type that is not read here.", headers: ["Accept"]),
    ProblemResponse(
      status: .unprocessableContent,
      description: "The values are not valid; `errors` names each failing field, in order. A page shows them."),
    ProblemResponse(
      status: .tooManyRequests, description: "There were too many requests, or wrong API tokens, from this address.",
      headers: ["Retry-After"]),
    ProblemResponse(status: .headersTooLarge, description: "The headers are longer than 8 KiB, or more than 64."),
    ProblemResponse(
      status: .serviceUnavailable, description: "The server is stopping, or could not keep what was sent.",
      headers: ["Retry-After"]),
  ]

  static let securitySchemes = #"""
    {"token": {"type": "http", "scheme": "bearer", "description": "The API token: `OKCANCEL_API_TOKEN`, or what `serve` printed at its start."}}
    """#

  static let headers = #"""
    {
      "Accept": {"description": "What is read here.", "required": true, "schema": {"type": "string", "minLength": 1}},
      "ETag": {"description": "Changes whenever the document does; send it back in If-None-Match.", "required": true, "schema": {"type": "string", "pattern": "^(W/)?\"[!#-~]*\"$"}},
      "Location": {"description": "Where to go on, on this server.", "required": true, "schema": {"type": "string", "pattern": "^/"}},
      "Retry-After": {"description": "Seconds.", "required": true, "schema": {"type": "integer", "minimum": 1}},
      "WWW-Authenticate": {"description": "How to show the token.", "required": true, "schema": {"const": "Bearer"}}
    }
    """#
}

extension JSONWriter {
  mutating func value(_ problem: OpenAPI.ProblemResponse) {
    object { json in
      json.member("description", problem.description)
      if !problem.headers.isEmpty { json.headers(problem.headers) }
      json.content([Operation.Content(type: "application/problem+json", schema: "Problem"), .page])
    }
  }
}

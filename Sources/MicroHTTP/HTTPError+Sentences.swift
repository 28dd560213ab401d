/// Every refusal in words: what is wrong, and where it helps, what to do.
extension HTTPError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .badRequest(let reason): reason.description
    case .notFound: "There is nothing at this address."
    case .methodNotAllowed(let allowed):
      "This path only supports \(allowed.map(\.token).joined(separator: ", "))."
    case .requestTimeout: "The request did not arrive in time."
    case .lengthRequired:
      "A request with Transfer-Encoding is not read; send the body with a Content-Length."
    case .contentTooLarge(let limit): "The body is longer than \(limit) bytes."
    case .targetTooLong(let limit): "The request target is longer than \(limit) bytes."
    case .unsupportedMediaType(let accepted):
      "The body is of a type that is not read here; send \(accepted.joined(separator: " or "))."
    case .headersTooLarge(let limit): "The headers are longer than \(limit) bytes."
    case .tooManyHeaders(let limit): "There are more than \(limit) headers."
    case .versionNotSupported: "This server only speaks HTTP/1.0 and HTTP/1.1."
    case .draining: "The server is stopping; try again shortly."
    case .internalError: "Something failed here; the request may have been right."
    }
  }
}

extension HTTPError.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .requestLine: "The request line is not a method, a target and a version with one space between."
    case .lines: "A line of the request's head has no colon, is folded, or does not end with CR LF."
    case .methodIsNoToken: "The method is not a token."
    case .methodTooLong(let limit): "The method is longer than \(limit) bytes."
    case .targetForm: "The request target does not begin with a slash."
    case .targetCharacter:
      "The request target has a character that must be percent-encoded."
    case .percentEncoding: "The path has a % without two hexadecimal digits after it."
    case .pathIsNotUTF8: "The path is not UTF-8."
    case .encodedPathCharacter: "The path has an encoded slash, backslash or control character."
    case .dotSegment: "The path has a segment of dots."
    case .query(let fault): "The query cannot be read. \(fault)"
    case .headerNameIsNoToken: "The name of a header is not a token."
    case .headerValueCharacter(let name): "The header \(name) has a control character."
    case .noHost: "The Host header is missing or empty."
    case .severalHosts: "There is more than one Host header."
    case .hostCharacter: "The Host header is not a host and a port."
    case .severalContentLengths: "There is more than one Content-Length header."
    case .contentLength: "The Content-Length is not a number of bytes."
    case .other(let sentence): sentence
    }
  }
}

package import Platform

/// An error for which the server itself rejects a request, with the facts and a sentence.
package enum HTTPError: Error, Hashable, Sendable {
  /// 400: the request is malformed, or two parsers could read it differently.
  case badRequest(Reason)
  /// 404: no route has this path.
  case notFound
  /// 405: the path only has routes for these methods.
  case methodNotAllowed(allowed: [Method])
  /// 408: the request's body did not arrive in time.
  case requestTimeout
  /// 413: the body is longer than `limit` bytes.
  case contentTooLarge(limit: Int)
  /// 413: what a body in chunks has besides its data is longer than `limit` bytes.
  case chunkExtrasTooLarge(limit: Int)
  /// 414: the request target is longer than `limit` bytes.
  case targetTooLong(limit: Int)
  /// 431: all headers together are longer than `limit` bytes.
  case headersTooLarge(limit: Int, acceptsHTML: Bool = false)
  /// 431: there are more headers than `limit`.
  case tooManyHeaders(limit: Int)
  /// 501: the body has another transfer coding than `chunked`.
  case codingNotImplemented
  /// 505: the request's version is neither HTTP/1.0 nor HTTP/1.1.
  case versionNotSupported
  /// 503: the server is stopping.
  case draining
  /// 500: a promise was broken here, not by the client.
  case internalError

  /// The reason a request is malformed.
  package enum Reason: Hashable, Sendable {
    /// The first line is not `METHOD TARGET VERSION` with one space between.
    case requestLine
    /// A line does not end with CR LF, is folded, or has no colon.
    case lines
    case methodIsNoToken
    case methodTooLong(limit: Int)
    /// The target does not begin with `/`.
    case targetForm
    case targetCharacter
    case percentEncoding
    /// The decoded path is not UTF-8.
    case pathIsNotUTF8
    /// `%2F`, `%5C` or a control character such as `%00` in the path.
    case encodedPathCharacter
    /// A `.` or `..` segment.
    case dotSegment
    case query(PlainError)
    case headerNameIsNoToken
    case headerValueCharacter(name: String)
    case noHost
    case severalHosts
    case hostCharacter
    case severalContentLengths
    case contentLength
    /// `Transfer-Encoding` stands together with `Content-Length`, or in HTTP/1.0.
    case transferEncoding
    case chunks
  }

  package var status: Status { told.status }

  /// True for the error of a head that could not be read whole, if a page is wanted as far as it says.
  package var isForPage: Bool { if case .headersTooLarge(_, true) = self { true } else { false } }

  /// The headers that this status calls for: `Allow` with 405, `Retry-After` with 503.
  package var headers: [(name: String, value: String)] {
    switch self {
    case .methodNotAllowed(let allowed):
      [("Allow", allowed.map(\.token).joined(separator: ", "))]
    case .draining: [("Retry-After", "5")]
    default: []
    }
  }
}

/// Every error in words: what is wrong, and what to do if that helps.
extension HTTPError: CustomStringConvertible {
  package var description: String { told.sentence }

  private var told: (status: Status, sentence: String) {
    switch self {
    case .badRequest(let reason): (.badRequest, reason.description)
    case .notFound: (.notFound, "There is nothing at this address.")
    case .methodNotAllowed(let allowed):
      (.methodNotAllowed, "This path only supports \(allowed.map(\.token).joined(separator: ", ")).")
    case .requestTimeout: (.requestTimeout, "The request did not arrive in time.")
    case .contentTooLarge(let limit): (.contentTooLarge, "The body is longer than \(limit) bytes.")
    case .chunkExtrasTooLarge(let limit):
      (.contentTooLarge, "The body's chunk extensions and trailers are longer than \(limit) bytes.")
    case .targetTooLong(let limit): (.targetTooLong, "The request target is longer than \(limit) bytes.")
    case .headersTooLarge(let limit, _): (.headersTooLarge, "The headers are longer than \(limit) bytes.")
    case .tooManyHeaders(let limit): (.headersTooLarge, "There are more than \(limit) headers.")
    case .codingNotImplemented:
      (.notImplemented, "The only Transfer-Encoding that is read is “chunked”; send that or a Content-Length.")
    case .versionNotSupported: (.versionNotSupported, "This server only speaks HTTP/1.0 and HTTP/1.1.")
    case .draining: (.serviceUnavailable, "The server is stopping; try again shortly.")
    case .internalError: (.internalServerError, "Something failed here; the request may have been right.")
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
    case .transferEncoding: "The request has a Transfer-Encoding with a Content-Length, or in HTTP/1.0."
    case .chunks: "The body's chunks are malformed."
    }
  }
}

internal import CMicroHTTPD

/// A response to a request.
package struct Response: Sendable {
  package var status: Status
  /// In this order, names as written. Values hold no CR, LF or NUL and are not empty; a pair that breaks this is a fault
  /// of the handler, and 500 is sent instead. `Date`, `Content-Length` and `Connection: close` are the server's.
  package var headers: [(name: String, value: String)] { didSet { prepared = nil } }
  package var body: Body { didSet { prepared = nil } }
  /// Called once, when the response is over: whether it was written to the end, to a peer that had not closed its side
  /// before; or `nil`. It must not wait.
  package var delivered: (@Sendable (_ isTaken: Bool) -> Void)?
  /// The same response in libmicrohttpd's form, made once and sent many times.
  var prepared: PreparedResponse?

  /// True for one that was made to be sent many times; a change of its headers or body would undo that.
  package var isPrepared: Bool { prepared != nil }

  /// The same response, ready to be sent many times: to make a page's response anew takes a tenth of a request's time.
  package var preparedOnce: Response {
    var response = self
    response.prepared = PreparedResponse(self)
    return response
  }

  /// The bytes after the head.
  package enum Body: Sendable {
    /// These bytes, copied once as they are sent.
    case bytes([UInt8])
    /// Bytes that this closure writes until it returns, such as server-sent events. It starts as a task once the head
    /// is on its way, and does not start for `HEAD`. The length of the body is unknown: HTTP/1.1 sends it in chunks,
    /// and HTTP/1.0 ends it by closing the connection.
    ///
    /// The task is cancelled if the peer has gone or does not read, and when the server begins to stop. When the server
    /// stops, bytes that the task still writes are sent, until the deadline of `Server.drain`.
    case stream(@Sendable (BodyWriter) async -> Void)

    static var none: Body { .bytes([]) }

    /// The number of bytes, or `nil` for a stream, whose length is unknown.
    package var count: Int? {
      if case .bytes(let bytes) = self { bytes.count } else { nil }
    }
  }

  package init(
    _ status: Status, headers: [(name: String, value: String)] = [], body: Body = .none
  ) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// - Parameter type: the media type, for `Content-Type`.
  package init(_ status: Status, type: String, bytes: [UInt8]) {
    self.init(status, headers: [("Content-Type", type)], body: .bytes(bytes))
  }

  /// The value of the first header with this name, or `nil` if there is none.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.utf8.span.equalsIgnoringASCIICase(name) }?.value
  }
}

extension Response {
  /// The response as bytes, as the last one of its connection: used when libmicrohttpd can no longer send a response.
  /// `nil` if a header is invalid, and for a stream.
  var lastBytes: [UInt8]? {
    guard case .bytes(let body) = body else { return nil }
    var head = "HTTP/1.1 \(status.rawValue) \(status.reason)\r\nConnection: close\r\nContent-Length: \(body.count)\r\n"
    for (name, value) in headers {
      guard ASCIISet.isToken(name.utf8.span), ASCIISet.isValue(value.utf8.span) else { return nil }
      head += "\(name): \(value)\r\n"
    }
    return Array((head + "\r\n").utf8) + body
  }
}

/// The status of a response (RFC 9110, section 15).
package enum Status: Int, Sendable, CaseIterable, CustomStringConvertible {
  case ok = 200, created = 201, accepted = 202, noContent = 204
  case seeOther = 303, notModified = 304
  case badRequest = 400, unauthorized = 401, forbidden = 403, notFound = 404, methodNotAllowed = 405
  case requestTimeout = 408, conflict = 409, gone = 410, contentTooLarge = 413
  case targetTooLong = 414, unsupportedMediaType = 415, misdirectedRequest = 421, unprocessableContent = 422
  case tooManyRequests = 429, headersTooLarge = 431
  case internalServerError = 500, notImplemented = 501, serviceUnavailable = 503, versionNotSupported = 505

  /// The phrase that is registered for this code.
  package var reason: String { String(cString: MHD_get_reason_phrase_for(UInt32(rawValue))) }

  package var description: String { String(rawValue) }
}

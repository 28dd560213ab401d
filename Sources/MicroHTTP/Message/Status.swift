internal import CMicroHTTPD

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

/// A status code (RFC 9110, section 15).
package struct Status: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral,
  CustomStringConvertible
{
  /// 200 to 599.
  package let rawValue: Int

  package init(rawValue: Int) {
    precondition((200...599).contains(rawValue), "\(rawValue) is not the status of a final response")
    self.rawValue = rawValue
  }

  package init(integerLiteral value: Int) { self.init(rawValue: value) }

  package static let ok: Status = 200
  package static let created: Status = 201
  package static let noContent: Status = 204
  package static let seeOther: Status = 303
  package static let notModified: Status = 304
  package static let badRequest: Status = 400
  package static let unauthorized: Status = 401
  package static let forbidden: Status = 403
  package static let notFound: Status = 404
  package static let methodNotAllowed: Status = 405
  package static let requestTimeout: Status = 408
  package static let conflict: Status = 409
  package static let gone: Status = 410
  package static let lengthRequired: Status = 411
  package static let contentTooLarge: Status = 413
  package static let targetTooLong: Status = 414
  package static let unsupportedMediaType: Status = 415
  package static let misdirectedRequest: Status = 421
  package static let unprocessableContent: Status = 422
  package static let tooManyRequests: Status = 429
  package static let headersTooLarge: Status = 431
  package static let internalServerError: Status = 500
  package static let serviceUnavailable: Status = 503
  package static let versionNotSupported: Status = 505

  package var description: String { String(rawValue) }

  /// The phrase that RFC 9110 and RFC 6585 give this code; empty for one that is not listed here.
  package var reason: String {
    switch rawValue {
    case 200: "OK"
    case 201: "Created"
    case 204: "No Content"
    case 303: "See Other"
    case 304: "Not Modified"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 411: "Length Required"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 421: "Misdirected Request"
    case 422: "Unprocessable Content"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    default: ""
    }
  }
}

/// A status code (RFC 9110, section 15).
public struct Status: RawRepresentable, Hashable, Sendable, ExpressibleByIntegerLiteral,
  CustomStringConvertible
{
  /// 200 to 599.
  public let rawValue: Int

  public init(rawValue: Int) {
    precondition((200...599).contains(rawValue), "\(rawValue) is not the status of a final response")
    self.rawValue = rawValue
  }

  public init(integerLiteral value: Int) { self.init(rawValue: value) }

  public static let ok: Status = 200
  public static let created: Status = 201
  public static let noContent: Status = 204
  public static let seeOther: Status = 303
  public static let notModified: Status = 304
  public static let badRequest: Status = 400
  public static let unauthorized: Status = 401
  public static let forbidden: Status = 403
  public static let notFound: Status = 404
  public static let methodNotAllowed: Status = 405
  public static let requestTimeout: Status = 408
  public static let conflict: Status = 409
  public static let gone: Status = 410
  public static let lengthRequired: Status = 411
  public static let contentTooLarge: Status = 413
  public static let targetTooLong: Status = 414
  public static let unsupportedMediaType: Status = 415
  public static let misdirectedRequest: Status = 421
  public static let unprocessableContent: Status = 422
  public static let tooManyRequests: Status = 429
  public static let headersTooLarge: Status = 431
  public static let internalServerError: Status = 500
  public static let serviceUnavailable: Status = 503
  public static let versionNotSupported: Status = 505

  public var description: String { String(rawValue) }

  /// The phrase that RFC 9110 and RFC 6585 give this code; empty for one that is not listed here.
  public var reason: String {
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

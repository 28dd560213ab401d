/// A status code (RFC 9110, section 15).
package struct Status: Hashable, Sendable, CustomStringConvertible {
  /// 200 to 599.
  package let rawValue: Int
  /// The phrase that RFC 9110 and RFC 6585 give this code; empty for one that is not listed here.
  package let reason: String

  package init(rawValue: Int) { self.init(rawValue, "") }

  private init(_ rawValue: Int, _ reason: String) {
    precondition((200...599).contains(rawValue), "\(rawValue) is not the status of a final response")
    (self.rawValue, self.reason) = (rawValue, reason)
  }

  package var description: String { String(rawValue) }

  package static func == (left: Status, right: Status) -> Bool { left.rawValue == right.rawValue }

  package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

  package static let ok = Status(200, "OK")
  package static let created = Status(201, "Created")
  package static let accepted = Status(202, "Accepted")
  package static let noContent = Status(204, "No Content")
  package static let seeOther = Status(303, "See Other")
  package static let notModified = Status(304, "Not Modified")
  package static let badRequest = Status(400, "Bad Request")
  package static let unauthorized = Status(401, "Unauthorized")
  package static let forbidden = Status(403, "Forbidden")
  package static let notFound = Status(404, "Not Found")
  package static let methodNotAllowed = Status(405, "Method Not Allowed")
  package static let requestTimeout = Status(408, "Request Timeout")
  package static let conflict = Status(409, "Conflict")
  package static let gone = Status(410, "Gone")
  package static let lengthRequired = Status(411, "Length Required")
  package static let contentTooLarge = Status(413, "Content Too Large")
  package static let targetTooLong = Status(414, "URI Too Long")
  package static let unsupportedMediaType = Status(415, "Unsupported Media Type")
  package static let misdirectedRequest = Status(421, "Misdirected Request")
  package static let unprocessableContent = Status(422, "Unprocessable Content")
  package static let tooManyRequests = Status(429, "Too Many Requests")
  package static let headersTooLarge = Status(431, "Request Header Fields Too Large")
  package static let internalServerError = Status(500, "Internal Server Error")
  package static let serviceUnavailable = Status(503, "Service Unavailable")
  package static let versionNotSupported = Status(505, "HTTP Version Not Supported")
}

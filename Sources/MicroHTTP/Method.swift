/// A request method: a case-sensitive token (RFC 9110, section 9.1).
public struct Method: Hashable, Sendable, CustomStringConvertible {
  public let token: String

  /// Nil when `token` is not a token (RFC 9110, section 5.6.2).
  public init?(_ token: String) {
    guard Token.isToken(token.utf8) else { return nil }
    self.token = token
  }

  private init(known token: String) { self.token = token }

  public static let get = Method(known: "GET")
  public static let head = Method(known: "HEAD")
  public static let post = Method(known: "POST")
  public static let put = Method(known: "PUT")
  public static let delete = Method(known: "DELETE")
  public static let options = Method(known: "OPTIONS")

  public var description: String { token }

  /// The method that these bytes name, which the caller has checked to be a token.
  init(checked bytes: UnsafeRawBufferPointer) {
    // The usual methods are compared first: their strings exist.
    if bytes.equals("GET") {
      self = .get
    } else if bytes.equals("POST") {
      self = .post
    } else if bytes.equals("HEAD") {
      self = .head
    } else {
      token = String(decoding: bytes, as: UTF8.self)
    }
  }
}

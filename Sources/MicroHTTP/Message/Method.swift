/// A request method: a case-sensitive token (RFC 9110, section 9.1).
package struct Method: Hashable, Sendable, CustomStringConvertible {
  /// The usual methods are told apart without a look at their text.
  private enum Name: Hashable {
    case get, head, post, put, delete, options
    case other(String)
  }

  private let name: Name

  package var token: String {
    switch name {
    case .get: "GET"
    case .head: "HEAD"
    case .post: "POST"
    case .put: "PUT"
    case .delete: "DELETE"
    case .options: "OPTIONS"
    case .other(let token): token
    }
  }

  /// Nil when `token` is not a token (RFC 9110, section 5.6.2).
  package init?(_ token: String) {
    guard Token.isToken(token.utf8) else { return nil }
    self = Array(token.utf8).withUnsafeBytes { Method(checked: $0) }
  }

  private init(_ name: Name) { self.name = name }

  /// The methods that have a place.
  static let usual: [Method] = [.get, .head, .post, .put, .delete, .options]
  static let places = 6

  /// Where it stands in `usual`; nil: it does not.
  var place: Int? {
    switch name {
    case .get: 0
    case .head: 1
    case .post: 2
    case .put: 3
    case .delete: 4
    case .options: 5
    case .other: nil
    }
  }

  package static var get: Method { Method(.get) }
  package static var head: Method { Method(.head) }
  package static var post: Method { Method(.post) }
  package static var put: Method { Method(.put) }
  package static var delete: Method { Method(.delete) }
  package static var options: Method { Method(.options) }

  package var description: String { token }

  /// The method that these bytes name, which the caller has checked to be a token.
  init(checked bytes: UnsafeRawBufferPointer) {
    name =
      if bytes.equals("GET") {
        .get
      } else if bytes.equals("POST") {
        .post
      } else if bytes.equals("HEAD") {
        .head
      } else if bytes.equals("PUT") {
        .put
      } else if bytes.equals("DELETE") {
        .delete
      } else if bytes.equals("OPTIONS") {
        .options
      } else {
        .other(String(decoding: bytes, as: UTF8.self))
      }
  }
}

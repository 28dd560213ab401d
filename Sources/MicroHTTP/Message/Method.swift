/// A request method: a case-sensitive token (RFC 9110, section 9.1).
package struct Method: Hashable, Sendable, CustomStringConvertible {
  /// The usual methods are told apart without a look at their text.
  private enum Name: Hashable {
    case get, head, post, put, delete, options
    case other(String)
  }

  private let name: Name

  package static var get: Method { Method(.get) }
  package static var head: Method { Method(.head) }
  package static var post: Method { Method(.post) }
  package static var put: Method { Method(.put) }
  package static var delete: Method { Method(.delete) }
  package static var options: Method { Method(.options) }

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

  package var description: String { token }

  /// `nil` if `token` is not a token (RFC 9110, section 5.6.2).
  package init?(_ token: String) {
    guard ASCIISet.isToken(token) else { return nil }
    self.init(checked: token)
  }

  private init(_ name: Name) { self.name = name }

  /// The method of this name, which the caller has checked to be a token.
  init(checked token: String) {
    name =
      switch token {
      case "GET": .get
      case "POST": .post
      case "HEAD": .head
      case "PUT": .put
      case "DELETE": .delete
      case "OPTIONS": .options
      default: .other(token)
      }
  }
}

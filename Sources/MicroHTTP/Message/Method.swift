/// A request method: a case-sensitive token (RFC 9110, section 9.1).
package struct Method: Hashable, Sendable, CustomStringConvertible {
  package let token: String
  package var description: String { token }

  package static let get = Method(checked: "GET")
  package static let head = Method(checked: "HEAD")
  package static let post = Method(checked: "POST")
  package static let patch = Method(checked: "PATCH")
  package static let delete = Method(checked: "DELETE")
  package static let options = Method(checked: "OPTIONS")

  /// The method of this name, which the caller has checked to be a token.
  init(checked token: String) { self.token = token }
}

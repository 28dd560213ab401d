internal import Synchronization

/// A request's head after every check: what `Request` shares between its copies.
final class RequestHead: Sendable {
  let method: Method
  let target: RequestTarget
  let fields: HeaderFields
  /// See `Request.mark`.
  let mark = Atomic(0)

  init(method: Method, target: RequestTarget, fields: HeaderFields) {
    self.method = method
    self.target = target
    self.fields = fields
  }
}

/// A request's head after every check: what `Request` shares between its copies.
final class RequestHead: Sendable {
  let method: Method
  let target: RequestTarget
  let fields: HeaderFields

  init(method: Method, target: RequestTarget, fields: HeaderFields) {
    self.method = method
    self.target = target
    self.fields = fields
  }
}

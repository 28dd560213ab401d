/// A POST to some other server.
struct PostRequest: Sendable {
  let url: String
  /// In this order. Values hold no CR, LF or NUL.
  let headers: [(name: String, value: String)]
  let body: [UInt8]
}

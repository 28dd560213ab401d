internal import MicroHTTP

/// One request that is over, for logs. What was submitted is not in it.
public struct RequestRecord: Sendable {
  /// What tells it from all others: what a trusted proxy said, else the server's own.
  public let id: String
  /// The client's address; empty where it has none.
  public let client: String
  /// Of a bounded length; empty where the request's first line could not be read, as the path.
  public let method: String
  /// In visible ASCII, of a bounded length, without the tokens of links.
  public let path: String
  /// nil: the client was gone before its answer.
  public let status: Int?
  /// Bytes of the answer's body.
  public let bytes: Int
  /// From the first line's arrival to the answer's last byte, in microseconds.
  public let microseconds: Int64

  init(_ completed: CompletedRequest) {
    id = completed.id
    client = completed.clientAddress
    method = Self.bounded(completed.method)
    path = LoggedPath(completed.path).description
    status = completed.status?.rawValue
    bytes = completed.responseBytes
    microseconds = completed.nanoseconds / 1000
  }

  /// A token as it is, whose characters are all visible, or how a long one begins.
  private static func bounded(_ method: String) -> String {
    method.utf8.count <= 32 ? method : method.prefix(32) + "…"
  }
}

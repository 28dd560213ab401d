internal import MicroHTTP

/// One request that is over, for logs. What was submitted is not in it.
public struct RequestRecord: Sendable {
  /// What tells it from all others: what a trusted proxy said, else the server's own.
  public let id: String
  /// The client's address; empty where it has none.
  public let client: String
  /// Empty where the request's first line could not be read, as the path.
  public let method: String
  /// In visible ASCII, of a bounded length, without the tokens of links.
  public let path: String
  /// nil: the client was gone before its answer.
  public let status: Int?
  /// Bytes of the answer's body.
  public let bytes: Int
  /// From the first line's arrival to the answer's last byte, in microseconds.
  public let microseconds: Int64

  init(_ exchange: Exchange) {
    id = exchange.id
    client = exchange.clientAddress
    method = exchange.method
    path = LoggedPath(exchange.path).description
    status = exchange.status?.rawValue
    bytes = exchange.responseBytes
    microseconds = exchange.nanoseconds / 1000
  }
}

/// One request and how it was answered, for logs and metrics.
public struct Exchange: Sendable {
  public var method: String { request?.method.token ?? "" }
  /// The decoded path without the query; empty where the target could not be read.
  public var path: String { request?.path ?? "" }
  /// The status that was sent; nil when the connection ended before one was.
  public let status: Status?
  /// Bytes of the body that the answer had; 0 for HEAD.
  public let responseBytes: Int
  /// From the request line's arrival to the answer's last byte.
  public var duration: Duration { .nanoseconds(nanoseconds) }
  /// The same in nanoseconds.
  public let nanoseconds: Int64
  /// See `Request.mark`; 0 where the head could not be read.
  public var mark: Int { request?.storage.mark ?? 0 }
  /// Nil where the head could not be read.
  let request: Request?
  let sender: Sender
  let number: UInt64

  /// See `Request.clientAddress`.
  public var clientAddress: String { sender.addressText }
  /// See `Request.id`.
  public var id: String { sender.requestID ?? RequestID.text(of: number) }
}

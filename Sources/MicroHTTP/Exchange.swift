/// One request and how it was answered, for logs and metrics.
public struct Exchange: Sendable {
  public let method: String
  /// The decoded path without the query; empty where the target could not be read.
  public let path: String
  /// The status that was sent; nil when the connection ended before one was.
  public let status: Status?
  /// Bytes of the body that the answer had; 0 for HEAD.
  public let responseBytes: Int
  /// From the request line's arrival to the answer's last byte.
  public let duration: Duration
  /// See `Request.mark`; 0 where the head could not be read.
  public let mark: Int
  let sender: Sender
  let number: UInt64

  /// See `Request.clientAddress`.
  public var clientAddress: String { sender.addressText }
  /// See `Request.id`.
  public var id: String { sender.requestID ?? RequestID.text(of: number) }
}

/// One request and how it was answered, for logs and metrics.
package struct CompletedRequest: Sendable {
  package var method: String { hasHead ? storage.method.token : "" }
  /// The decoded path without the query; empty where the target could not be read.
  package var path: String { hasHead ? storage.target.path : "" }
  /// The status that was sent; nil when the connection ended before one was.
  package let status: Status?
  /// Bytes of the body that the answer had; 0 for HEAD.
  package let responseBytes: Int
  /// From the request line's arrival to the answer's last byte.
  package var duration: Duration { .nanoseconds(nanoseconds) }
  /// The same in nanoseconds.
  package let nanoseconds: Int64
  /// See `Request.mark`; 0 where the head could not be read.
  package var mark: Int { hasHead ? storage.mark : 0 }
  /// False where the head could not be read.
  let hasHead: Bool
  let storage: Request.Storage

  /// See `Request.clientAddress`.
  package var clientAddress: String { storage.sender.addressText }
  /// See `Request.id`.
  package var id: String { storage.id }
}

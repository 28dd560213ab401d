/// One request and its response, for logs and metrics.
package struct CompletedRequest: Sendable {
  package var method: String { hasHead ? storage.method.token : "" }
  /// The decoded path without the query; empty if the target could not be read.
  package var path: String { hasHead ? storage.target.path : "" }
  /// The status that was sent, or `nil` if the connection ended before one was.
  package let status: Status?
  /// Bytes of the response's body; 0 for HEAD.
  package let responseBytes: Int
  /// From the request line's arrival to the response's last byte.
  package let nanoseconds: Int64
  /// See `Handler.route`.
  package let route: Int?
  /// False if the head could not be read.
  let hasHead: Bool
  let storage: Request.Storage

  /// See `Request.clientAddress`.
  package var clientAddress: String { storage.sender.addressText }
  /// See `Request.id`.
  package var id: String { storage.id }
}

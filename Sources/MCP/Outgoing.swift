internal import StrictJSON

/// A message that this server sends.
package struct Outgoing: Sendable {
  /// JSON without a line break.
  package let bytes: [UInt8]
  /// The status of an HTTP server's response.
  package var status = 200
  /// The session that an HTTP server names in `Mcp-Session-Id`, or `nil` for none.
  package var session: String?

  private init(_ members: JSON) { bytes = (["jsonrpc": "2.0"] + members).bytes }

  /// A request or, without an id, a notification of this server.
  init(_ method: String, id: ID? = nil, params: JSON) {
    self.init(["id": id?.json, "method": .string(method), "params": params])
  }

  init(resultOf id: ID, for peer: Peer, type: String = "complete", _ result: JSON = [:]) {
    self.init(["id": id.json, "result": peer.revision.isStateless ? ["resultType": .string(type)] + result : result])
  }

  /// - Parameter id: `nil` if it could not be read.
  init(_ failure: ProtocolError, to id: ID?, isStateless: Bool) {
    let code = JSON.number(String(failure.code.rawValue))
    self.init([
      "id": id?.json ?? .null, "error": ["code": code, "message": .string(failure.sentence), "data": failure.data],
    ])
    status = failure.code == .methodNotFound && isStateless ? 404 : failure.code.status
  }
}

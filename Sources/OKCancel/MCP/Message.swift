internal import Prompts

/// A message of JSON-RPC 2.0, as the Model Context Protocol uses it: one object, never a batch.
enum Message {
  case request(ID, method: String, params: JSON)
  case notification(method: String, params: JSON)
  /// The client's response to a request of this server.
  case response(ID, result: JSON?)

  init(_ json: JSON) throws(ProtocolError) {
    if case .array = json { throw ProtocolError("batch") }
    guard case .object = json else { throw ProtocolError("not-an-object", ["found": json.kindInWords]) }
    guard json.text("jsonrpc") == "2.0" else { throw ProtocolError("no-jsonrpc") }
    let id = json.id
    if json["id"] != nil, id == nil { throw ProtocolError("bad-id") }
    guard let method = json["method"] else {
      guard let id, json["result"] != nil || json["error"] != nil else { throw ProtocolError("no-method") }
      self = .response(id, result: json["result"])
      return
    }
    guard case .string(let method) = method else { throw ProtocolError("method-type", ["found": method.kindInWords]) }
    let params = json["params"] ?? [:]
    guard case .object = params else { throw ProtocolError("params-type", ["found": params.kindInWords]) }
    self = id.map { .request($0, method: method, params: params) } ?? .notification(method: method, params: params)
  }
}

// MARK: JSON

extension JSON {
  /// The id of a message, or `nil` if it has none that is legal.
  var id: ID? { self["id"].flatMap(ID.init) }
}

/// The identifier of a request: a string or a whole number, kept as it was written.
package struct ID: Hashable, Sendable {
  let json: JSON
  /// The bytes by which it is compared, since strings are equal by canonical equivalence.
  private let bytes: [UInt8]

  /// As JSON.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  init?(_ json: JSON) {
    switch json {
    case .string: break
    case .number(let literal) where literal.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || (48...57).contains($0) }):
      break
    default: return nil
    }
    self.init(legal: json)
  }

  /// The id of a request that this server sends.
  init(ofServerRequest number: Int) { self.init(legal: .string("okcancel-\(number)")) }

  private init(legal json: JSON) {
    self.json = json
    bytes = json.bytes
  }

  package static func == (one: ID, other: ID) -> Bool { one.bytes == other.bytes }
  package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

/// A message that this server sends.
package struct Outgoing: Sendable {
  /// JSON without a line break.
  package let bytes: [UInt8]
  /// The status of an HTTP server's response.
  var status = 200
  /// The session that an HTTP server names in `Mcp-Session-Id`, or `nil` for none.
  var session: String?

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
    let error: JSON = ["code": failure.code, "message": .string(failure.sentence), "data": failure.data]
    self.init(["id": id?.json ?? .null, "error": error])
    status = isStateless ? failure.statelessStatus : failure.status
  }
}

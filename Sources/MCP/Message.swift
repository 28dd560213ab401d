internal import StrictJSON

/// A message of JSON-RPC 2.0, as the Model Context Protocol uses it: one object, never a batch.
enum Message {
  case request(ID, method: String, params: JSON)
  case notification(method: String, params: JSON)
  /// The client's response to a request of this server.
  case response(ID, result: JSON?)

  init(_ json: JSON) throws(ProtocolError) {
    guard case .object = json else { throw .notAnObject(json) }
    guard json.text("jsonrpc") == "2.0" else { throw .noVersion }
    let id = json.id
    if json["id"] != nil, id == nil { throw .badID }
    guard let method = json["method"] else {
      guard let id, json["result"] != nil || json["error"] != nil else { throw .noMethod }
      self = .response(id, result: json["result"])
      return
    }
    guard case .string(let method) = method else { throw .wrongType("method", "a string", method) }
    let params = json["params"] ?? [:]
    guard case .object = params else { throw .wrongType("params", "an object", params) }
    self = id.map { .request($0, method: method, params: params) } ?? .notification(method: method, params: params)
  }
}

// MARK: JSON

extension JSON {
  /// The id of a message, or `nil` if it has none that is legal.
  var id: ID? { self["id"].flatMap(ID.init) }

  /// An array's elements; none of anything else.
  var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }
}

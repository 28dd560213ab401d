internal import StrictJSON

/// A message of JSON-RPC 2.0, as the Model Context Protocol uses it: one object, never a batch.
enum Message {
  case request(ID, method: String, params: JSON)
  case notification(method: String, params: JSON)
  /// The client's response to a request of this server.
  case response(ID, result: JSON?)

  /// - Throws: `Failure`, with the id if there is a legal one.
  init(_ json: JSON) throws(Failure) {
    guard case .object = json else {
      throw Failure(
        .invalidRequest, "a message is one JSON object, not \(json.kindInWords)\(Self.remedy(json))", id: nil)
    }
    let id = json["id"].flatMap(ID.init)
    guard case .string("2.0")? = json["jsonrpc"] else {
      throw Failure(.invalidRequest, "a message needs \"jsonrpc\": \"2.0\"", id: id)
    }
    if json["id"] != nil, id == nil {
      throw Failure(.invalidRequest, "an id is a string or a whole number; send one of them", id: nil)
    }
    guard let method = json["method"] else {
      guard let id, json["result"] != nil || json["error"] != nil else {
        throw Failure(.invalidRequest, "a message needs a \"method\", or a \"result\" or \"error\" with an id", id: id)
      }
      self = .response(id, result: json["result"])
      return
    }
    guard case .string(let method) = method else {
      throw Failure(.invalidRequest, "\"method\" is a string, not \(method.kindInWords)", id: id)
    }
    let params = json["params"] ?? .object([])
    guard case .object = params else {
      throw Failure(.invalidRequest, "\"params\" is an object, not \(params.kindInWords)", id: id)
    }
    self = id.map { .request($0, method: method, params: params) } ?? .notification(method: method, params: params)
  }

  private static func remedy(_ json: JSON) -> String {
    if case .array = json { "; send the messages of a batch one by one" } else { "" }
  }
}

/// What tells a request from others: a string or a whole number, kept as it was written.
package struct ID: Hashable, Sendable {
  /// As JSON. Bytes, since strings are equal by canonical equivalence.
  let json: [UInt8]

  init?(_ json: JSON) {
    switch json {
    case .string: break
    case .number(let literal) where literal.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || (48...57).contains($0) }):
      break
    default: return nil
    }
    var writer = JSONWriter(reserving: 16)
    writer.value(json)
    self.json = writer.bytes
  }

  /// The id of a request that this server sends.
  init(ofServerRequest number: Int) { json = Array("\"okcancel-\(number)\"".utf8) }
}

/// A protocol error. What a model does wrong with a tool is none: it gets a result that says what to send instead.
struct Failure: Error {
  enum Code: Int {
    case parseError = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParams = -32602
    case internalError = -32603
    case headerMismatch = -32020
    case missingClientCapability = -32021
    case unsupportedVersion = -32022
    case urlElicitationRequired = -32042
  }

  let code: Code
  /// What is wrong and what to do.
  let message: String
  /// `nil` if it could not be read.
  var id: ID?
  var data: JSON?

  init(_ code: Code, _ message: String, id: ID? = nil, data: JSON? = nil) {
    (self.code, self.message, self.id, self.data) = (code, message, id, data)
  }
}

/// A message that this server sends.
package struct Outgoing: Sendable {
  /// JSON without a line break.
  package let bytes: [UInt8]
  /// What an HTTP server responds with.
  package var status = 200
  /// The session that an HTTP server names in `Mcp-Session-Id`, or `nil` for none.
  package var session: String?

  init(_ body: (inout JSONWriter) -> Void) {
    var json = JSONWriter(reserving: 512)
    json.object { json in
      json.member("jsonrpc", "2.0")
      body(&json)
    }
    bytes = json.bytes
  }

  /// A request or, without an id, a notification of this server.
  init(_ method: String, id: ID? = nil, params: JSON) {
    self.init { json in
      if let id { json.member("id") { $0.literal(id.json) } }
      json.member("method", method)
      json.member("params", params)
    }
  }

  init(resultOf id: ID, for peer: Peer, type: String = "complete", _ result: JSON = [:]) {
    self.init { json in
      json.member("id") { $0.literal(id.json) }
      json.member("result", peer.revision.isStateless ? ["resultType": .string(type)] + result : result)
    }
  }

  init(_ failure: Failure, isStateless: Bool) {
    self.init { json in
      json.member("id") { json in if let id = failure.id { json.literal(id.json) } else { json.null() } }
      json.member(
        "error",
        [
          "code": .number(String(failure.code.rawValue)), "message": .string(failure.message), "data": failure.data,
        ])
    }
    switch failure.code {
    case .parseError, .invalidRequest, .headerMismatch, .missingClientCapability, .unsupportedVersion: status = 400
    case .methodNotFound: status = isStateless ? 404 : 200
    case .invalidParams, .internalError, .urlElicitationRequired: break
    }
  }
}

extension JSON {
  /// An object's own text member, or `nil`.
  func text(_ key: String) -> String? { if case .string(let text)? = self[key] { text } else { nil } }

  /// An array's elements; none of anything else.
  var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }
}

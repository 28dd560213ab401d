internal import Foundation
internal import StrictJSON

/// A message of JSON-RPC 2.0, as the Model Context Protocol uses it: one object, never a batch.
enum Message {
  case request(ID, method: String, params: JSON)
  case notification(method: String, params: JSON)
  /// The client's response to a request of this server.
  case response(ID, result: JSON?)

  init(_ json: JSON) throws(Failure) {
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

/// The identifier of a request: a string or a whole number, kept as it was written.
package struct ID: Hashable, Sendable {
  let json: JSON
  /// The bytes by which it is compared, since strings are equal by canonical equivalence.
  private let bytes: [UInt8]

  /// As JSON.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

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
  init(_ failure: Failure, to id: ID?, isStateless: Bool) {
    let code = JSON.number(String(failure.code.rawValue))
    self.init([
      "id": id?.json ?? .null, "error": ["code": code, "message": .string(failure.sentence), "data": failure.data],
    ])
    status = failure.code == .methodNotFound && isStateless ? 404 : failure.code.status
  }
}

// MARK: Clients

/// A revision of the protocol that this server speaks.
enum Revision: String, CaseIterable {
  case june2025 = "2025-06-18"
  case november2025 = "2025-11-25"
  case july2026 = "2026-07-28"

  /// True if each request declares its client. In earlier revisions, `initialize` does that once.
  var isStateless: Bool { self == .july2026 }

  static let all = JSON.array(allCases.reversed().map { .string($0.rawValue) })
}

/// A client's protocol revision and capabilities, as it declares them in `initialize` or in each request.
struct Peer {
  var revision: Revision
  /// True if the client brings a person to a URL itself (`elicitation.url`), so that the model need not see the link.
  var takesURLs = false
  /// True if the client accepts a task in place of a result (`io.modelcontextprotocol/tasks`, 2026-07-28).
  var takesTasks = false

  static let tasksExtension = "io.modelcontextprotocol/tasks"
  static let versionKey = "io.modelcontextprotocol/protocolVersion"
  static let capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"

  init(revision: Revision, capabilities: JSON = [:]) {
    self.revision = revision
    if revision != .june2025, case .object? = capabilities["elicitation"]?["url"] { takesURLs = true }
    if case .object? = capabilities["extensions"]?[Self.tasksExtension] { takesTasks = true }
  }

  /// Reads the client that a request of a stateless revision declares, or `nil` if it is of an earlier one.
  init?(of params: JSON) throws(Failure) {
    guard let meta = params["_meta"], let version = meta[Self.versionKey] else { return nil }
    guard case .string(let text) = version else { throw .wrongType(Self.versionKey, "a string", version) }
    guard let revision = Revision(rawValue: text), revision.isStateless else { throw .unsupported(text) }
    guard let capabilities = meta[Self.capabilitiesKey], case .object = capabilities else { throw .noCapabilities }
    self.init(revision: revision, capabilities: capabilities)
  }

  // MARK: Sessions

  /// The id of an HTTP session. The server stores nothing for a session: the id says what the client said in
  /// `initialize`, and keeps its asks apart from those of other sessions.
  ///
  /// - Parameter nonce: characters that nobody can guess.
  func session(_ nonce: String) -> String { "\(revision.rawValue).\(takesURLs ? "url" : "text").\(nonce)" }

  init?(session: String) {
    let parts = session.split(separator: ".", maxSplits: 2)
    guard parts.count == 3, let revision = Revision(rawValue: String(parts[0])), !revision.isStateless else {
      return nil
    }
    self.init(revision: revision)
    takesURLs = parts[1] == "url"
  }
}

/// The headers of a request over HTTP that repeat what its body says (2026-07-28, Streamable HTTP).
package struct MirroredHeaders: Sendable {
  package var version: String?
  package var method: String?
  package var name: String?

  package init(version: String?, method: String?, name: String?) {
    self.version = version
    self.method = method
    self.name = name
  }

  /// - Throws: if a header says something else than the body, or nothing.
  func check(against method: String, _ params: JSON, _ peer: Peer) throws(Failure) {
    var pairs = [("MCP-Protocol-Version", version, peer.revision.rawValue), ("Mcp-Method", self.method, method)]
    let key = method == "tools/call" ? "name" : method.hasPrefix("tasks/") ? "taskId" : nil
    if let name = key.flatMap(params.text) { pairs.append(("Mcp-Name", decodedName, name)) }
    for (header, value, said) in pairs where value != said { throw .header(header, value, said: said) }
  }

  /// A name outside ASCII comes as `=?base64?…?=`.
  private var decodedName: String? {
    guard let name, name.hasPrefix("=?base64?"), name.hasSuffix("?="), name.utf8.count >= 11 else { return name }
    return Data(base64Encoded: String(name.dropFirst(9).dropLast(2))).flatMap { String(data: $0, encoding: .utf8) }
  }
}

// MARK: JSON

extension JSON {
  /// The id of a message, or `nil` if it has none that is legal.
  var id: ID? { self["id"].flatMap(ID.init) }

  /// An array's elements; none of anything else.
  var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }
}

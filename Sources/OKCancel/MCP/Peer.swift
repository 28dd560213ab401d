internal import Foundation
internal import Prompts

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
  init?(of params: JSON) throws(ProtocolError) {
    guard let meta = params["_meta"], let version = meta[Self.versionKey] else { return nil }
    guard case .string(let text) = version else {
      throw ProtocolError("version-type", ["key": Self.versionKey, "found": version.kindInWords])
    }
    guard let revision = Revision(rawValue: text), revision.isStateless else { throw .unsupported(text) }
    guard let capabilities = meta[Self.capabilitiesKey], case .object = capabilities else {
      throw ProtocolError("no-capabilities", ["key": Self.capabilitiesKey])
    }
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
  var version: String?
  var method: String?
  var name: String?

  /// - Throws: if there is a version in the header, and another in the body.
  func checkVersion(_ params: JSON) throws(ProtocolError) {
    guard let said = params["_meta"]?.text(Peer.versionKey), let version, version != said else { return }
    throw Self.differs("MCP-Protocol-Version", version, said)
  }

  /// - Throws: if a header says something else than the body, or nothing.
  func check(against method: String, _ params: JSON, _ peer: Peer) throws(ProtocolError) {
    var pairs = [("MCP-Protocol-Version", version, peer.revision.rawValue), ("Mcp-Method", self.method, method)]
    let key = method == "tools/call" ? "name" : method.hasPrefix("tasks/") ? "taskId" : nil
    if let name = key.flatMap(params.text) { pairs.append(("Mcp-Name", decodedName, name)) }
    for (header, value, said) in pairs where value != said { throw Self.differs(header, value, said) }
  }

  private static func differs(_ name: String, _ value: String?, _ said: String) -> ProtocolError {
    guard let value else { return ProtocolError("header-missing", ["name": name, "said": said]) }
    return ProtocolError("header-differs", ["name": name, "value": value, "said": said])
  }

  /// A name outside ASCII comes as `=?base64?…?=`.
  private var decodedName: String? {
    guard let name, name.hasPrefix("=?base64?"), name.hasSuffix("?="), name.utf8.count >= 11 else { return name }
    return Data(base64Encoded: String(name.dropFirst(9).dropLast(2))).flatMap { String(data: $0, encoding: .utf8) }
  }
}

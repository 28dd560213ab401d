internal import Foundation
internal import StrictJSON

/// A revision of the protocol that this server speaks.
enum Revision: String, CaseIterable {
  case june2025 = "2025-06-18"
  case november2025 = "2025-11-25"
  case july2026 = "2026-07-28"

  /// Whether each request says for itself what its client is; before that `initialize` did.
  var isStateless: Bool { self == .july2026 }

  static let all = JSON.array(allCases.reversed().map { .string($0.rawValue) })
}

/// What a client has said of itself: in `initialize`, or in the request.
struct Peer {
  var revision: Revision
  /// Whether it brings a person to a URL itself (`elicitation.url`), so that the model need not see the link.
  var takesURLs = false
  /// Whether it takes a task in place of a result (`io.modelcontextprotocol/tasks`, 2026-07-28).
  var takesTasks = false

  static let tasksExtension = "io.modelcontextprotocol/tasks"
  private static let versionKey = "io.modelcontextprotocol/protocolVersion"
  private static let capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"

  init(revision: Revision, capabilities: JSON) {
    self.revision = revision
    if revision != .june2025, case .object? = capabilities["elicitation"]?["url"] { takesURLs = true }
    if case .object? = capabilities["extensions"]?[Self.tasksExtension] { takesTasks = true }
  }

  /// What a request of a stateless revision says of its client, or `nil` if it is of an earlier one.
  init?(of params: JSON, id: ID) throws(Failure) {
    let meta = params["_meta"] ?? [:]
    guard let version = meta[Self.versionKey] else { return nil }
    guard case .string(let text) = version else {
      throw Failure(.invalidParams, "\"\(Self.versionKey)\" is a string, not \(version.kindInWords)", id: id)
    }
    guard let revision = Revision(rawValue: text), revision.isStateless else {
      throw Failure(unsupported: text, id: id)
    }
    guard let capabilities = meta[Self.capabilitiesKey], case .object = capabilities else {
      throw Failure(.invalidParams, "_meta needs an object \"\(Self.capabilitiesKey)\"; {} will do", id: id)
    }
    self.init(revision: revision, capabilities: capabilities)
  }

  // MARK: Sessions

  /// An HTTP session holds nothing: its id says what `initialize` has settled, and tells the client's asks from others'.
  ///
  /// - Parameter nonce: characters that nobody can guess.
  func session(_ nonce: String) -> String { "\(revision.rawValue).\(takesURLs ? "url" : "text").\(nonce)" }

  init?(session: String) {
    let parts = session.split(separator: ".", maxSplits: 2)
    guard parts.count == 3, let revision = Revision(rawValue: String(parts[0])), !revision.isStateless else {
      return nil
    }
    self.init(revision: revision, capabilities: [:])
    takesURLs = parts[1] == "url"
  }
}

extension Failure {
  init(unsupported version: String, id: ID?) {
    self.init(
      .unsupportedVersion, "this server does not speak the revision \(version); see `data`", id: id,
      data: ["supported": Revision.all, "requested": .string(version)])
  }
}

/// The headers of a request over HTTP that repeat what its body says (2026-07-28, Streamable HTTP).
package struct MirroredHeaders: Sendable {
  package var version: String?
  package var method: String?
  package var name: String?

  package init(version: String?, method: String?, name: String?) {
    (self.version, self.method, self.name) = (version, method, name)
  }

  /// - Throws: if a header says something else than the body, or nothing.
  func check(against method: String, _ params: JSON, _ peer: Peer, id: ID) throws(Failure) {
    var pairs = [("MCP-Protocol-Version", version, peer.revision.rawValue), ("Mcp-Method", self.method, method)]
    if method == "tools/call", let tool = params.text("name") { pairs.append(("Mcp-Name", decodedName, tool)) }
    if method.hasPrefix("tasks/"), let task = params.text("taskId") { pairs.append(("Mcp-Name", decodedName, task)) }
    for (header, value, said) in pairs where value != said {
      let found = value.map { "says “\($0)”" } ?? "is missing"
      throw Failure(.headerMismatch, "the header \(header) \(found), and the body says “\(said)”", id: id)
    }
  }

  /// A name outside ASCII comes as `=?base64?…?=`.
  private var decodedName: String? {
    guard let name, name.hasPrefix("=?base64?"), name.hasSuffix("?="), name.utf8.count >= 11 else { return name }
    return Data(base64Encoded: String(name.dropFirst(9).dropLast(2))).flatMap { String(data: $0, encoding: .utf8) }
  }
}

internal import Foundation
internal import StrictJSON

/// The headers of a request over HTTP that repeat what its body says (2026-07-28, Streamable HTTP).
package struct MirroredHeaders: Sendable {
  var version: String?
  var method: String?
  package var name: String?

  package init(version: String?, method: String?, name: String?) {
    self.version = version
    self.method = method
    self.name = name
  }

  /// - Throws: if a header says something else than the body, or nothing.
  func check(against method: String, _ params: JSON, _ peer: Peer) throws(ProtocolError) {
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

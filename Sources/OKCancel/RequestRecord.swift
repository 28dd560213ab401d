package import Logging
internal import MicroHTTP

/// A completed request, for logs. What was submitted is not in it.
package struct RequestRecord: Sendable {
  private let completed: CompletedRequest

  init(_ completed: CompletedRequest) { self.completed = completed }

  /// The identifier of the request: the one that a trusted proxy gave, else the server's own.
  package var id: String { completed.id }
  /// The client's address, empty if it has none.
  var client: String { completed.clientAddress }
  /// `…` if it is long; empty, as the path is, if the request's first line could not be read.
  var method: String {
    // The longest one that is registered has 17 letters; one with more may be a link's token in the wrong place.
    completed.method.utf8.count <= 20 ? completed.method : "…"
  }
  /// In visible ASCII, of a bounded length, without the tokens of links.
  var path: String {
    // A link's token looks like an ask's id, but no ask is found by it.
    let hasAsk = completed.status.map { $0.rawValue < 400 || $0 == .conflict } ?? false
    return LoggedPath(completed.path, hasAsk: hasAsk).description
  }
  /// `nil` if the client left before its response.
  package var status: Int? { completed.status?.rawValue }
  /// Bytes of the response's body.
  var bytes: Int { completed.responseBytes }
  /// From the first line's arrival to the response's last byte, in microseconds.
  var microseconds: Int { Int(completed.nanoseconds / 1000) }

  /// Adds the fields to a line of the log, as `bytes=15 client=127.0.0.1 …` with a space before each. Nothing in them has
  /// to be in quotes but what is missing.
  package func write(to line: inout [UInt8]) {
    forEachField { key, value, _ in
      line.append(UInt8(ascii: " "))
      line += key.utf8
      line.append(UInt8(ascii: "="))
      line += (value.isEmpty ? "\"\"" : value).utf8
    }
  }

  /// The same for a logger, sorted by name.
  package var fields: [(key: String, value: Logger.MetadataValue)] {
    var fields: [(key: String, value: Logger.MetadataValue)] = []
    forEachField { key, value, isNumber in fields.append((key, isNumber ? .stringConvertible(value) : .string(value))) }
    return fields
  }

  /// Calls `body` with each field, sorted by name.
  private func forEachField(_ body: (_ key: String, _ value: String, _ isNumber: Bool) -> Void) {
    body("bytes", String(bytes), true)
    body("client", client, false)
    body("id", id, false)
    body("method", method, false)
    // With three decimals.
    body("ms", "\(microseconds / 1000).\(String(microseconds % 1000 + 1000).dropFirst())", true)
    body("path", path, false)
    body("status", status.map(String.init) ?? "gone", status != nil)
  }
}

extension Logger {
  /// Writes one line about a request, its response and how long it took.
  func log(_ request: RequestRecord) {
    info("request", metadata: Dictionary(uniqueKeysWithValues: request.fields.map { ($0.key, $0.value) }))
  }
}

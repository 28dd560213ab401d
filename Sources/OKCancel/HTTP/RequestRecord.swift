package import Logging
internal import MicroHTTP
internal import Platform
internal import Prompts

/// A completed request, for logs. What was submitted is not in it.
package struct RequestRecord: Sendable {
  private let completed: CompletedRequest

  init(_ completed: CompletedRequest) { self.completed = completed }

  /// The identifier of the request: the one that a trusted proxy gave, else the server's own.
  var id: String { completed.id }
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
    body("bytes", String(completed.responseBytes), true)
    body("client", completed.clientAddress, false)
    body("id", id, false)
    body("method", method, false)
    // From the first line's arrival to the response's last byte, with three decimals.
    let microseconds = Int(completed.nanoseconds / 1000)
    body("ms", "\(microseconds / 1000).\(String(microseconds % 1000 + 1000).dropFirst())", true)
    body("path", path, false)
    body("status", completed.status.map { String($0.rawValue) } ?? "gone", completed.status != nil)
  }
}

extension Logger {
  /// Writes one line about a request, its response and how long it took.
  func log(_ request: RequestRecord) {
    info("request", metadata: Dictionary(uniqueKeysWithValues: request.fields.map { ($0.key, $0.value) }))
  }
}

/// A request's path as it may appear in a log: in visible ASCII, of a bounded length, and without the tokens of links,
/// with which a reader of the log could answer.
struct LoggedPath: CustomStringConvertible {
  let description: String

  /// Bytes that are kept.
  private static let limit = 256
  /// Letters and digits of a token.
  private static let tokenLength = 26

  /// - Parameters:
  ///   - path: decoded once; any text.
  ///   - hasAsk: whether what follows `/asks/` is known to be an ask's id.
  init(_ path: String, hasAsk: Bool = false) {
    // Nearly every path is too short for a token; this saves a quarter of a log line's instructions.
    if path.utf8.count < Self.tokenLength, !path.hasPrefix("/a/"), !path.utf8.contains(where: Self.isEncoded) {
      description = path
      return
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(path.utf8.count, Self.limit) + 3)
    var previous: Substring.UTF8View?
    for segment in path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      if previous != nil { bytes.append(UInt8(ascii: "/")) }
      if Self.isSecret(segment, after: previous, hasAsk) {
        bytes.append(contentsOf: Self.omission)
      } else {
        for byte in segment where bytes.count < Self.limit {
          if Self.isEncoded(byte) { bytes.append(percentEncoding: byte) } else { bytes.append(byte) }
        }
      }
      guard bytes.count < Self.limit else {
        bytes.append(contentsOf: Self.omission)
        break
      }
      previous = segment
    }
    description = String(decoding: bytes, as: UTF8.self)
  }

  private static let omission = Array("…".utf8)

  /// True if a segment may be a link's token: it follows `/a/` or, since people mistype paths, looks like a token
  /// anywhere. An ask's id looks like one too, but stays, since it opens nothing.
  private static func isSecret(
    _ segment: Substring.UTF8View, after previous: Substring.UTF8View?, _ hasAsk: Bool
  ) -> Bool {
    if !segment.isEmpty, previous?.elementsEqual("a".utf8) == true { return true }
    if hasAsk, previous?.elementsEqual("asks".utf8) == true, segment.count == tokenLength { return false }
    return hasToken(segment)
  }

  /// True if a text has as many letters and digits in a row as a link's token.
  private static func hasToken(_ text: some Sequence<UInt8>) -> Bool {
    var run = 0
    for byte in text {
      run = ASCII.isLetter(byte) || ASCII.isDigit(byte) ? run + 1 : 0
      if run == tokenLength { return true }
    }
    return false
  }

  /// True for whatever could end a line, forge a field or move a terminal's cursor.
  private static func isEncoded(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte >= 0x7F || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\"")
  }
}

internal import Foundation
internal import Platform
internal import Prompts

/// The headers in which a proxy says who is signed in. They are believed from `Configuration.trustedProxies` only.
public struct IdentityHeaders: Sendable {
  /// The header with the person’s id, by which `for` and `notBy` know them.
  public var id: String
  /// The header with what they are called, or `nil`.
  public var name: String?
  /// The header with their mail address, or `nil`; it is shown if they have no name.
  public var email: String?
  /// The header with the groups they belong to, or `nil`.
  public var groups: String?
  /// The character between two groups.
  public var separator: Character = ","
  /// The header with which the proxy marks visitors who are not signed in, or `nil`.
  var stranger: String?
  /// True if values may have words encoded by RFC 2047.
  var hasEncodedWords = true
  /// Other headers in which the same proxy says the same, never beside these.
  var alternatives: [IdentityHeaders] = []

  /// - Parameter id: the header with the person’s id.
  public init(
    id: String, name: String? = nil, email: String? = nil, groups: String? = nil, separator: Character = ","
  ) {
    self.id = id
    self.name = name
    self.email = email
    self.groups = groups
    self.separator = separator
  }

  var all: [String] { ownNames + alternatives.flatMap(\.ownNames) }

  private var ownNames: [String] { [id, name, email, groups, stranger].compactMap(\.self) }

  /// Reads who the visitor is.
  ///
  /// - Parameter value: a header's bytes, or `nil` if there is none.
  /// - Throws: `Problem` 400 for a value that cannot be read.
  func naming(_ value: Value) throws(Problem) -> Naming {
    var used = self
    for other in alternatives {
      guard let name = try other.first(value) else { continue }
      if let own = try first(value) {
        throw Problem("wrong-identity.header", ["name": name, "why": "comes beside \(own)"])
      }
      used = other
    }
    return try used.ownNaming(value)
  }

  /// The bytes of a header, or `nil` if there is none.
  typealias Value = (_ name: String) throws(Problem) -> ArraySlice<UInt8>?

  /// The first of the headers that is there.
  private func first(_ value: Value) throws(Problem) -> String? {
    for name in ownNames where try value(name) != nil { return name }
    return nil
  }

  private func ownNaming(_ value: Value) throws(Problem) -> Naming {
    if let stranger, try value(stranger) != nil { return .nobody }
    guard let text = try text(id, value), !text.isEmpty else {
      // Whoever has anything else is signed in, and would be again.
      return try first(value) == nil ? .nobody : .nameless(nil)
    }
    let id: String
    do throws(IDFault) { id = try Person.id(decoded(text)) } catch { return .nameless(error) }
    var names: [String] = []
    for header in [name, email].compactMap(\.self) {
      // It proves nothing, so one that cannot be shown is only left out.
      let name = try value(header).flatMap { String(validating: $0, as: UTF8.self) }.map(decoded)
      if let name, Person.isValidName(name) { names.append(name) }
    }
    var belongsTo: [String] = []
    // An encoded word holds one group, so that no separator within it makes two.
    if let header = groups, let bytes = try value(header) {
      if let plain = plainGroups(bytes) { return .person(Person(id: id, name: names.first, groups: plain)) }
      let text = try Self.text(bytes, of: header)
      // By code points, as the proxy put them together: a mark after a separator does not undo it.
      let scalars = text.unicodeScalars
      for part in scalars.split(whereSeparator: { $0 == separator.unicodeScalars.first }) {
        let isSeen = { (scalar: Unicode.Scalar) in !scalar.properties.isWhitespace }
        guard let first = part.firstIndex(where: isSeen), let last = part.lastIndex(where: isSeen) else { continue }
        let group = decoded(String(scalars[first...last]))
        if let fault = Person.fault(in: group) {
          throw Problem("wrong-identity.value", ["name": header, "why": fault])
        }
        if Person.isVisible(group) { belongsTo.append(group) }
      }
    }
    return .person(Person(id: id, name: names.first, groups: belongsTo))
  }

  /// The groups of a header in which each is visible ASCII, perhaps with spaces; `nil` for any other. There may be
  /// thousands, which event loops have no time to take apart by code points.
  private func plainGroups(_ bytes: ArraySlice<UInt8>) -> [String]? {
    guard let separator = separator.asciiValue, bytes.allSatisfy({ (0x20..<0x7F).contains($0) }),
      !hasEncodedWords || !bytes.contains(UInt8(ascii: "?"))
    else { return nil }
    var groups: [String] = []
    for part in bytes.split(separator: separator) {
      guard let first = part.firstIndex(where: { $0 != 0x20 }), let last = part.lastIndex(where: { $0 != 0x20 }) else {
        continue
      }
      if last - first >= Person.limit { return nil }
      groups.append(String(decoding: part[first...last], as: UTF8.self))
    }
    return groups
  }

  private func text(_ name: String, _ value: Value) throws(Problem) -> String? {
    guard let bytes = try value(name) else { return nil }
    return try Self.text(bytes, of: name)
  }

  /// The text of a header.
  static func text(_ bytes: ArraySlice<UInt8>, of name: String) throws(Problem) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Problem("wrong-identity.not-utf-8", ["name": name])
    }
    return text
  }

  private func decoded(_ text: String) -> String { hasEncodedWords ? EncodedWord.decoded(text) : text }
}

/// Whom a header or a token names.
enum Naming: Sendable {
  case nobody
  /// Somebody who is signed in, but has no id: why what stands in its place is none, or `nil` if nothing does.
  case nameless(IDFault?)
  case person(Person)
}

/// Words of another encoding in a header (RFC 2047): `=?utf-8?q?J=C3=BCrgen?=`.
enum EncodedWord {
  /// A header's value with its encoded words in UTF-8 decoded. Anything else stays as it is.
  static func decoded(_ value: String) -> String {
    guard value.utf8.contains(UInt8(ascii: "?")) else { return value }
    var (reader, text, space) = (TextReader(value), "", Substring())
    while !reader.isAtEnd {
      if let word = reader.takeEncodedWord() {
        // White space between two encoded words belongs to neither.
        text += word
        space = reader.take(any: " \t")
      } else {
        text += space + (reader.take(some: "^=") ?? reader.take(some: "=", 1...1) ?? "")
        space = ""
      }
    }
    return text + space
  }
}

extension TextReader {
  fileprivate mutating func takeEncodedWord() -> String? {
    var ahead = self
    guard ahead.take("=?"), let charset = ahead.take(some: "A-Za-z0-9-"),
      ["utf-8", "us-ascii"].contains(charset.lowercased()),
      ahead.take("?"), let encoding = ahead.take(some: "QqBb", 1...1), ahead.take("?"),
      let text = ahead.take(some: "^? \t", 0...Int.max), ahead.take("?="),
      let bytes = encoding.lowercased() == "q"
        ? Self.unquoted(text) : Data(base64Encoded: String(text)).map(Array.init),
      let word = String(validating: bytes, as: UTF8.self)
    else { return nil }
    self = ahead
    return word
  }

  /// The bytes of an encoding that is nearly quoted-printable (RFC 2047, 4.2).
  private static func unquoted(_ text: Substring) -> [UInt8]? {
    let (bytes, fault) = Array(text.utf8)[...].percentDecoded(mark: UInt8(ascii: "="), space: UInt8(ascii: "_"))
    return fault == nil ? bytes : nil
  }
}

/// The request headers that clients, proxies and this server use for something else than who visits.
package enum HeadersInUse {
  /// True if a header has a meaning of its own, so that it cannot say who a visitor is.
  package static func include(_ name: String) -> Bool {
    let name = name.lowercased()
    return names.contains(name) || prefixes.contains(where: name.hasPrefix)
  }

  private static let prefixes = ["accept-", "access-control-", "content-", "if-", "mcp-", "sec-"]
  private static let names: Set = [
    "accept", "authorization", "cache-control", "connection", "cookie", "date", "expect", "forwarded", "from", "host",
    "idempotency-key", "keep-alive", "last-event-id", "max-forwards", "origin", "pragma", "prefer",
    "proxy-authorization", "proxy-connection", "range", "referer", "te", "trailer", "transfer-encoding", "upgrade",
    "upgrade-insecure-requests", "user-agent", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-port",
    "x-forwarded-prefix", "x-forwarded-proto", "x-forwarded-server", "x-real-ip", "x-request-id",
  ]
}

internal import Base
internal import Foundation
internal import MicroHTTP
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

  var all: [String] { [id, name, email, groups, stranger].compactMap(\.self) }

  /// Reads who the visitor is, or `nil` if the proxy does not say.
  ///
  /// - Parameter value: a header's value, or `nil` if there is none.
  /// - Throws: `Problem` 400 for a value that cannot be read.
  func person(_ value: (String) throws(Problem) -> String?) throws(Problem) -> Person? {
    func text(_ name: String?) throws(Problem) -> String? {
      guard let name, let value = try value(name) else { return nil }
      return try Self.text(value, of: name)
    }
    if let stranger, try value(stranger) != nil { return nil }
    guard let id = try text(id) else { return nil }
    let names = (try text(name), try text(email))
    var belongsTo: [String] = []
    // An encoded word holds one group, so that no separator within it makes two.
    if let header = groups, let value = try value(header) {
      // By code points, as the proxy put them together: a mark after a separator does not undo it.
      let scalars = value.unicodeScalars
      for part in scalars.split(whereSeparator: { $0 == separator.unicodeScalars.first }) {
        let isSeen = { (scalar: Unicode.Scalar) in !scalar.properties.isWhitespace }
        guard let first = part.firstIndex(where: isSeen), let last = part.lastIndex(where: isSeen) else { continue }
        if let group = try Self.text(String(scalars[first...last]), of: header) { belongsTo.append(group) }
      }
    }
    return Person(id: id, name: names.0 ?? names.1, groups: belongsTo)
  }

  /// A value, or one of several in a header, with its encoded words decoded; or `nil` if nothing of it can be seen.
  private static func text(_ value: String, of name: String) throws(Problem) -> String? {
    let text = EncodedWord.decoded(value)
    if let fault = Person.fault(in: text) { throw Problem(.identityValue(name, fault)) }
    return Person.isVisible(text) ? text : nil
  }
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

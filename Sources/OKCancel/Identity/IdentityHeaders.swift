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
      let text = EncodedWord.decoded(value)
      guard text.unicodeScalars.count <= Person.limit else {
        throw Problem(.identityHeader(name, why: "is longer than \(Person.limit) characters"))
      }
      guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
        throw Problem(.identityHeader(name, why: "contains a control character"))
      }
      return text.isEmpty ? nil : text
    }
    if let stranger, try value(stranger) != nil { return nil }
    guard let id = try text(id), id.contains(where: { !$0.isWhitespace }) else { return nil }
    let groups = if let name = groups { try value(name) ?? "" } else { "" }
    let names = (try text(name), try text(email))
    return Person(
      id: id, name: names.0 ?? names.1,
      groups: groups.split(separator: separator).map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty })
  }
}

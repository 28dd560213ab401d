internal import Foundation
package import StrictJSON

/// A person with a name, as somebody who knows them says.
package struct Person: Sendable, Equatable {
  /// Tells them from all others. Neither name nor groups do.
  package let id: String
  /// What they are called, or `nil`.
  package var name: String?
  /// The groups that they belong to.
  package var groups: [String] = []

  package init(id: String, name: String? = nil, groups: [String] = []) {
    self.id = id
    self.name = name
    self.groups = groups
  }

  /// The id as it is compared: in Unicode's form C, without regard to the case of ASCII letters.
  package var key: String { Self.key(id) }

  /// The same of an id that somebody wrote.
  package static func key(_ id: String) -> String {
    let composed = id.precomposedStringWithCanonicalMapping
    return String(decoding: composed.utf8.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// The most code points of an id, a name or a group.
  package static let limit = 320
}

extension Person {
  /// Reads what `json` writes; `nil` if it has no id.
  package init?(_ json: JSON) {
    guard let id = json.text("id") else { return nil }
    self.init(id: id, name: json.text("name"), groups: json.texts("groups"))
  }

  /// `{"id","name","groups"}`
  package var json: JSON {
    ["id": .string(id), "name": name.map(JSON.string), "groups": groups.isEmpty ? nil : .strings(groups)]
  }
}

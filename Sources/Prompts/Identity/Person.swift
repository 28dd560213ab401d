internal import Foundation

/// A person with a name, as somebody who knows them says.
public struct Person: Sendable, Hashable {
  /// Tells them from all others. Neither name nor groups do.
  public let id: String
  /// Their name for readers, or `nil`.
  public var name: String?
  /// The groups that they belong to.
  package var groups: [String] = []

  /// - Parameters:
  ///   - id: what tells them from all others, such as a mail address.
  ///   - name: what they are called, or `nil`.
  public init(id: String, name: String? = nil) {
    self.id = id
    self.name = name
  }

  package init(id: String, name: String?, groups: [String]) {
    self.init(id: id, name: name)
    self.groups = groups
  }

  /// The id as it is compared: in Unicode's form C, without regard to the case of ASCII letters.
  package var key: String { Self.key(id) }

  /// The same of an id that somebody wrote.
  static func key(_ id: String) -> String {
    let composed = id.precomposedStringWithCanonicalMapping
    return String(decoding: composed.utf8.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// The name for readers, or the id of somebody without one.
  package var shownName: String { name ?? id }

  /// The most code points of an id, a name or a group.
  package static let limit = 320
}

package extension Person {
  /// Reads what `json` writes; `nil` if it has no id.
  init?(_ json: JSON) {
    guard let id = json.text("id") else { return nil }
    self.init(id: id, name: json.text("name"), groups: json.texts("groups"))
  }

  /// `{"id","name","groups"}`
  var json: JSON {
    ["id": .string(id), "name": name.map(JSON.string), "groups": groups.isEmpty ? nil : .strings(groups)]
  }

  /// Reads `{"id","name"}`, and reports every fault.
  init?(_ node: Node, _ key: String, _ reading: inout Reading) {
    let example = FaultRow("write-person", ["key": key])
    guard let map = reading.mapping(node, as: "`\(key)`", keys: ["id", "name"], remedy: example) else { return nil }
    reading.require("id", in: map, of: "`\(key)`", remedy: example)
    let name = reading.text(map["name"], "name", as: .line, limit: Self.limit)
    guard let node = map["id"], let text = reading.string(node, "id") else { return nil }
    if reading.isKept {
      self.init(id: text, name: name)
      return
    }
    do throws(IDFault) { self.init(id: try Self.id(text), name: name) } catch {
      reading.report(error.row(key, text), at: node.place)
      return nil
    }
  }
}

extension Ended {
  /// The person or program that ended a question, and how that is known.
  package struct By: Sendable, Equatable {
    package enum Way: String, Sendable {
      /// A proxy's header, its signed token, or the program that asks names the person.
      case header, jwt, program
      /// All that is known is that they had the link.
      case link
      /// It was answered in the terminal of the command that asked, or by a test.
      case terminal, test
    }

    package let way: Way
    /// `nil` if nobody says who it was.
    package let person: Person?

    package init(_ way: Way, _ person: Person? = nil) {
      self.way = way
      self.person = person
    }

    /// Somebody who had the link.
    package static let link = By(.link)
    /// Somebody at the terminal of the command that asked.
    package static let terminal = By(.terminal)

    init?(_ json: JSON) {
      guard let way = json.text("via").flatMap(Way.init) else { return nil }
      self.init(way, json.text("id").map { Person(id: $0, name: json.text("name")) })
    }

    var json: JSON {
      [
        "id": person.map { .string($0.id) }, "name": person?.name.map(JSON.string), "via": .string(way.rawValue),
      ]
    }
  }
}

package import StrictJSON

/// A value of a definition, from YAML or JSON, and its place.
package struct Node: Sendable {
  /// A position in a file, and as a JSON Pointer (RFC 6901) into the document.
  package struct Place: Sendable {
    /// From 1.
    package var line: Int
    /// From 1, in code points.
    package var column: Int
    fileprivate var path: Path?

    package init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }

    /// Empty for the document itself.
    package var pointer: String { path?.pointer ?? "" }
  }

  /// The path to a node from the document's root. A pointer is written only when somebody asks for it: a document may
  /// have twenty thousand nodes under a key of 16 KiB.
  fileprivate final class Path: Sendable {
    enum Step { case key(String), index(Int) }

    private let parent: Path?
    private let step: Step

    init(_ parent: Path?, _ step: Step) { (self.parent, self.step) = (parent, step) }

    var pointer: String {
      var steps: [String] = []
      var path: Path? = self
      while let here = path {
        switch here.step {
        case .key(let key): steps.append(Node.escaped(key))
        case .index(let index): steps.append(String(index))
        }
        path = here.parent
      }
      return steps.reversed().reduce(into: "") { $0 += "/" + $1 }
    }
  }

  package indirect enum Content: Sendable {
    case null
    case bool(Bool)
    /// The literal as written.
    case number(String)
    case string(String)
    /// A string with half a surrogate pair.
    case illFormed
    case sequence([Node])
    /// In the order of the text. Duplicate keys are still there, for `Reading` to report.
    case mapping([Entry])
  }

  /// A key of a map and its value.
  package struct Entry: Sendable {
    package var key: String
    package var keyPlace: Place
    package var value: Node

    package init(key: String, keyPlace: Place, value: Node) {
      self.key = key
      self.keyPlace = keyPlace
      self.value = value
    }
  }

  package var content: Content
  package var place: Place

  package init(_ content: Content, at place: Place) {
    self.content = content
    self.place = place
  }

  /// The same tree, in which each node knows its JSON Pointer.
  func pointed() -> Node { pointed(at: nil) }

  private func pointed(at path: Path?) -> Node {
    var node = self
    node.place.path = path
    switch content {
    case .sequence(let elements):
      node.content = .sequence(elements.enumerated().map { $1.pointed(at: Path(path, .index($0))) })
    case .mapping(let entries):
      node.content = .mapping(
        entries.map { entry in
          var entry = entry
          let path = Path(path, .key(entry.key))
          entry.keyPlace.path = path
          entry.value = entry.value.pointed(at: path)
          return entry
        })
    default: break
    }
    return node
  }

  /// RFC 6901, section 3: `~` as `~0`, `/` as `~1`.
  fileprivate static func escaped(_ key: String) -> String {
    guard key.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return key }
    return key.unicodeScalars.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
  }

  /// The text of a string, number, true or false, as written; `nil` for anything else.
  var scalarText: String? {
    switch content {
    case .string(let text), .number(let text): text
    case .bool(let bool): String(bool)
    case .null, .illFormed, .sequence, .mapping: nil
    }
  }

  /// What stands here, in a reader's words.
  var kindInWords: String {
    switch content {
    case .null: "nothing"
    case .bool(let bool): "\(bool)"
    case .number(let literal): "the number \(literal)"
    case .string: "a text"
    case .illFormed: "a text with half a surrogate pair"
    case .sequence: "a list"
    case .mapping: "a map"
    }
  }
}

extension Node {
  /// Makes nodes of JSON that did not come from a file. They have pointers, but no lines and columns.
  package init(_ json: JSON) {
    self = Node(Self.content(of: json), at: Place(line: 0, column: 0)).pointed()
  }

  private static func content(of json: JSON) -> Content {
    func node(_ json: JSON) -> Node { Node(content(of: json), at: Place(line: 0, column: 0)) }
    return switch json {
    case .null: .null
    case .bool(let bool): .bool(bool)
    case .number(let literal): .number(literal)
    case .string(let text): .string(text)
    case .illFormedString: .illFormed
    case .array(let elements): .sequence(elements.map(node))
    case .object(let members):
      .mapping(members.map { Entry(key: $0.key, keyPlace: Place(line: 0, column: 0), value: node($0.value)) })
    }
  }

  /// The value of a map's key, or `nil` if there is none or this is not a map.
  package func mappingValue(_ key: String) -> Node? {
    guard case .mapping(let entries) = content else { return nil }
    return entries.first { isSame($0.key, key) }?.value
  }
}

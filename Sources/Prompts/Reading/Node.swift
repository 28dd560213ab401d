/// A value of a definition, from YAML or JSON, and its place.
package struct Node: Sendable {
  /// A position in a file, and as a JSON Pointer (RFC 6901) into the document.
  package struct Place: Sendable {
    /// From 1, or 0 if the definition did not come from a file.
    let line: Int
    /// From 1, in code points, or 0 if the definition did not come from a file.
    let column: Int
    fileprivate var path: Path?

    init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }

    /// All of a prompt that was made in Swift.
    static let none = Place(line: 0, column: 0)
    /// A field of a prompt that was made in Swift.
    static func field(_ index: Int) -> Place {
      var place = Place(line: 0, column: 0)
      place.path = Path(Path(nil, .key("fields")), .index(index))
      return place
    }

    /// Tells it from all other places in the document, and costs less than a pointer; `nil` for the document itself.
    var id: ObjectIdentifier? { path.map(ObjectIdentifier.init) }

    /// Empty for the document itself.
    var pointer: String { path?.pointer ?? "" }
  }

  enum Content {
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
  package struct Entry {
    let key: String
    let keyPlace: Place
    let value: Node
  }

  let place: Place
  let content: Content

  /// The root of a document.
  ///
  /// - Parameter places: those of all keys and values, in the order of the text. Without them, faults have only pointers.
  package init(_ json: JSON, places: [Place] = []) {
    var places = places[...]
    self.init(json, nil) { path in
      var place = places.popFirst() ?? Place(line: 0, column: 0)
      place.path = path
      return place
    }
  }

  /// The root of what stands in no text. Faults in it are in the order of its values.
  package init(inOrder json: JSON) {
    var count = 0
    self.init(json, nil) { path in
      count += 1
      var place = Place(line: count, column: 1)
      place.path = path
      return place
    }
  }

  /// A value that stands for the text at this place: a fault in any part of it is reported there.
  init(_ json: JSON, standingFor place: Place) { self.init(json, nil) { _ in place } }

  /// A list of nodes, each with a place of its own.
  init(_ elements: [Node], standingFor place: Place) {
    content = .sequence(elements)
    self.place = place
  }

  /// A map of nodes, each with a place of its own.
  init(_ entries: [Entry], standingFor place: Place) {
    content = .mapping(entries)
    self.place = place
  }

  /// - Parameter place: where the next key or value stands.
  private init(_ json: JSON, _ path: Path?, _ place: (Path?) -> Place) {
    self.place = place(path)
    switch json {
    case .null: content = .null
    case .bool(let bool): content = .bool(bool)
    case .number(let literal): content = .number(literal)
    case .string(let text): content = .string(text)
    case .illFormedString: content = .illFormed
    case .array(let elements):
      content = .sequence(elements.enumerated().map { Node($1, Path(path, .index($0)), place) })
    case .object(let members):
      content = .mapping(
        members.map { member in
          let path = Path(path, .key(member.key))
          return Entry(key: member.key, keyPlace: place(path), value: Node(member.value, path, place))
        })
    }
  }

  /// The value of a map's key, or `nil` if there is none or this is not a map.
  package func mappingValue(_ key: String) -> Node? {
    entries?[key]?.value
  }

  /// The value that these keys of maps in maps lead to, or `nil` if there is none.
  subscript(path path: [String]) -> Node? { path.reduce(Node?.some(self)) { $0?.mappingValue($1) } }

  /// The entries of a map, or `nil` if this is not a map.
  var entries: [Entry]? { if case .mapping(let entries) = content { entries } else { nil } }

  var isNumber: Bool { if case .number = content { true } else { false } }
  var isNull: Bool { if case .null = content { true } else { false } }

  /// The text of a string, number, true or false, as written; `nil` for anything else.
  var scalarText: String? {
    switch content {
    case .string(let text), .number(let text): text
    case .bool(let bool): String(bool)
    case .null, .illFormed, .sequence, .mapping: nil
    }
  }

  /// The scalars in it.
  var texts: [Node] {
    switch content {
    case .sequence(let elements): elements.flatMap(\.texts)
    case .mapping(let entries): entries.flatMap(\.value.texts)
    default: [self]
    }
  }

  /// The number of bytes of text that it holds, and 16 for each part.
  var size: Int {
    switch content {
    case .sequence(let elements): elements.reduce(16) { $0 + $1.size }
    case .mapping(let entries): entries.reduce(16) { $0 + 16 + $1.key.utf8.count + $1.value.size }
    default: 16 + (scalarText?.utf8.count ?? 0)
    }
  }

  /// True if a map in it, or it itself, has this key.
  func mentions(_ key: String) -> Bool {
    switch content {
    case .sequence(let elements): elements.contains { $0.mentions(key) }
    case .mapping(let entries): entries.contains { isSame($0.key, key) || $0.value.mentions(key) }
    default: false
    }
  }

  /// The content of this node, in a reader's words.
  var kindInWords: String { content.inWords }
}

extension Node.Content {
  var inWords: String {
    switch self {
    case .null: "nothing"
    case .bool(let bool): "\(bool)"
    case .number(let literal): "the number \(literal)"
    case .string: "a string"
    case .illFormed: "a string with half a surrogate pair"
    case .sequence: "a list"
    case .mapping: FaultRow.map
    }
  }
}

extension [Node.Entry] {
  /// The first entry with this key; keys are compared byte by byte.
  subscript(key: String) -> Node.Entry? { firstIndex { isSame($0.key, key) }.map { self[$0] } }
}

/// The path to a node from the document's root. A pointer is written only when it is asked for: a document may have
/// twenty thousand nodes under a key of 16 KiB.
private final class Path: Sendable {
  enum Step { case key(String), index(Int) }

  private let parent: Path?
  private let step: Step

  init(_ parent: Path?, _ step: Step) {
    self.parent = parent
    self.step = step
  }

  var pointer: String {
    let last =
      switch step {
      case .key(let key): key
      case .index(let index): String(index)
      }
    return (parent?.pointer ?? "") + JSONPointer.text([last])
  }
}

/// A map whose keys are known and unique.
package struct Mapping: Sendable {
  package let place: Node.Place
  var entries: [Node.Entry]

  package subscript(key: String) -> Node? { entry(key)?.value }

  func entry(_ key: String) -> Node.Entry? { entries[key] }

  package var keys: [String] { entries.map(\.key) }

  /// Without the keys whose value is null: in a request they count as left out.
  package var given: Mapping {
    Mapping(place: place, entries: entries.filter { !$0.value.isNull })
  }
}

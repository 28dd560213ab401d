package import StrictJSON

/// A value of a definition, from YAML or JSON, and its place.
///
/// It is a view of a JSON tree: its elements and entries become nodes only when somebody looks at them.
package struct Node: Sendable {
  /// A position in a file, and as a JSON Pointer (RFC 6901) into the document.
  package struct Place: Sendable {
    /// From 1, or 0 if the definition did not come from a file.
    package let line: Int
    /// From 1, in code points, or 0 if the definition did not come from a file.
    package let column: Int
    fileprivate var path: Path?

    package init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }

    /// Empty for the document itself.
    package var pointer: String { path?.pointer ?? "" }
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
  struct Entry {
    let key: String
    let keyPlace: Place
    let value: Node
  }

  let place: Place
  private let json: JSON
  /// What a node holds that was made of others; `nil` for one of the text.
  private let made: Made?
  /// The places of all keys and values of the document, in the order of the text. Empty if it did not come from a file.
  private let places: [Place]
  /// The index of this value among the `places`.
  private let index: Int

  /// The root of a document.
  ///
  /// - Parameter places: those of all keys and values, in the order of the text. Without them, faults have only pointers.
  package init(_ json: JSON, places: [Place] = []) { self.init(json, nil, places, 0) }

  private init(_ json: JSON, _ path: Path?, _ places: [Place], _ index: Int) {
    self.json = json
    made = nil
    self.places = places
    self.index = index
    place = Self.place(index, in: places, path)
  }

  // MARK: Nodes that stand nowhere

  private indirect enum Made {
    /// Everything in it has its place.
    case whole
    case elements([Node])
    case entries([Entry])
  }

  private init(_ json: JSON, _ made: Made, at place: Place) {
    (self.json, self.made, self.place, places, index) = (json, made, place, [], 0)
  }

  /// A value that means what stands at this place: a fault in it, or in any part of it, is one there.
  init(_ json: JSON, standingFor place: Place) { self.init(json, .whole, at: place) }

  /// A list of nodes, each with a place of its own.
  init(_ elements: [Node], standingFor place: Place) { self.init(.array([]), .elements(elements), at: place) }

  /// A map of nodes, each with a place of its own.
  init(_ entries: [Entry], standingFor place: Place) { self.init(.object([]), .entries(entries), at: place) }

  private static func place(_ index: Int, in places: [Place], _ path: Path?) -> Place {
    var place = places.isEmpty ? Place(line: 0, column: 0) : places[index]
    place.path = path
    return place
  }

  var content: Content {
    switch made {
    case .elements(let elements)?: return .sequence(elements)
    case .entries(let entries)?: return .mapping(entries)
    case .whole?, nil: break
    }
    // The index of the next key or value below this one.
    var next = index + 1
    switch json {
    case .null: return .null
    case .bool(let bool): return .bool(bool)
    case .number(let literal): return .number(literal)
    case .string(let text): return .string(text)
    case .illFormedString: return .illFormed
    case .array(let elements):
      return .sequence(
        elements.enumerated().map { index, element in
          defer { next += places.isEmpty ? 0 : element.placeCount }
          if made != nil { return Node(element, standingFor: place) }
          return Node(element, Path(place.path, .index(index)), places, next)
        })
    case .object(let members):
      return .mapping(
        members.map { member in
          defer { next += places.isEmpty ? 0 : 1 + member.value.placeCount }
          if made != nil {
            return Entry(key: member.key, keyPlace: place, value: Node(member.value, standingFor: place))
          }
          let path = Path(place.path, .key(member.key))
          return Entry(
            key: member.key, keyPlace: Self.place(next, in: places, path),
            value: Node(member.value, path, places, next + 1))
        })
    }
  }

  /// The value of a map's key, or `nil` if there is none or this is not a map.
  package func mappingValue(_ key: String) -> Node? {
    guard case .mapping(let entries) = content else { return nil }
    return entries.first { isSame($0.key, key) }?.value
  }

  /// The text of a string, number, true or false, as written; `nil` for anything else.
  var scalarText: String? {
    switch json {
    case .string(let text), .number(let text): text
    case .bool(let bool): String(bool)
    case .null, .illFormedString, .array, .object: nil
    }
  }

  /// How many bytes of text it holds, and 16 for each part.
  var size: Int { json.size }

  /// Whether a map in it, or it itself, has this key.
  func mentions(_ key: String) -> Bool { json.mentions(key) }

  /// What stands here, in a reader's words.
  var kindInWords: String {
    switch json {
    case .null: "nothing"
    case .bool(let bool): "\(bool)"
    case .number(let literal): "the number \(literal)"
    case .string: "a text"
    case .illFormedString: "a text with half a surrogate pair"
    case .array: "a list"
    case .object: "a map"
    }
  }
}

extension JSON {
  fileprivate var size: Int {
    switch self {
    case .array(let elements): elements.reduce(16) { $0 + $1.size }
    case .object(let members): members.reduce(16) { $0 + 16 + $1.key.utf8.count + $1.value.size }
    case .string(let text), .number(let text): 16 + text.utf8.count
    case .null, .bool, .illFormedString: 16
    }
  }

  fileprivate func mentions(_ key: String) -> Bool {
    switch self {
    case .array(let elements): elements.contains { $0.mentions(key) }
    case .object(let members): members.contains { isSame($0.key, key) || $0.value.mentions(key) }
    case .null, .bool, .number, .string, .illFormedString: false
    }
  }

  /// How many keys and values it has, itself included.
  fileprivate var placeCount: Int {
    switch self {
    case .array(let elements): elements.reduce(1) { $0 + $1.placeCount }
    case .object(let members): members.reduce(1) { $0 + 1 + $1.value.placeCount }
    case .null, .bool, .number, .string, .illFormedString: 1
    }
  }
}

/// The path to a node from the document's root. A pointer is written only when somebody asks for it: a document may have
/// twenty thousand nodes under a key of 16 KiB.
private final class Path: Sendable {
  enum Step { case key(String), index(Int) }

  private let parent: Path?
  private let step: Step

  init(_ parent: Path?, _ step: Step) { (self.parent, self.step) = (parent, step) }

  var pointer: String {
    var steps: [String] = []
    var path: Path? = self
    while let here = path {
      switch here.step {
      case .key(let key): steps.append(Self.escaped(key))
      case .index(let index): steps.append(String(index))
      }
      path = here.parent
    }
    return steps.reversed().reduce(into: "") { $0 += "/" + $1 }
  }

  /// RFC 6901, section 3: `~` as `~0`, `/` as `~1`.
  private static func escaped(_ key: String) -> String {
    key.unicodeScalars.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
  }
}

internal import Prompts
internal import StrictJSON

/// A JSON value of a definition file that knows where it stands.
struct PlacedJSON: JSONTree {
  struct Member {
    let key: String
    let keyPlace: JSONPlace
    let value: PlacedJSON
  }

  private indirect enum Content {
    case scalar(Node.Content)
    case array([PlacedJSON])
    case object([Member])
  }

  private let content: Content
  private let place: JSONPlace

  static func null(at place: JSONPlace) -> Self { Self(content: .scalar(.null), place: place) }
  static func bool(_ value: Bool, at place: JSONPlace) -> Self { Self(content: .scalar(.bool(value)), place: place) }
  static func number(_ literal: String, at place: JSONPlace) -> Self {
    Self(content: .scalar(.number(literal)), place: place)
  }
  static func string(_ value: String?, at place: JSONPlace) -> Self {
    Self(content: .scalar(value.map(Node.Content.string) ?? .illFormed), place: place)
  }
  static func array(_ elements: [Self], at place: JSONPlace) -> Self { Self(content: .array(elements), place: place) }
  static func member(_ key: String, at keyPlace: JSONPlace, _ value: Self) -> Member {
    Member(key: key, keyPlace: keyPlace, value: value)
  }
  static func object(_ members: [Member], at place: JSONPlace) -> Self {
    Self(content: .object(members), place: place)
  }

  /// A duplicate key is one fault among others here, not the end of reading.
  static func hasMember(_ key: String, among members: [Member]) -> Bool { false }

  /// The tree of a definition file, or the fault that ends its reading.
  static func read(_ source: SourceText) -> (node: Node?, faults: [Fault]) {
    var cursor = SourceText.Cursor(source.bytes)
    do throws(JSONFault) {
      let tree: PlacedJSON = try JSONParser.parse(source.bytes, limits: .file)
      return (tree.node(&cursor), [])
    } catch {
      return (nil, [Fault(sentence: error.sentence, at: cursor.place(of: error.offset))])
    }
  }

  /// As a node. It asks for places in the order of the text, which keeps the cursor cheap.
  private func node(_ cursor: inout SourceText.Cursor) -> Node {
    let start = cursor.place(of: place)
    switch content {
    case .scalar(let content): return Node(content, at: start)
    case .array(let elements): return Node(.sequence(elements.map { $0.node(&cursor) }), at: start)
    case .object(let members):
      let entries = members.map { member in
        Node.Entry(key: member.key, keyPlace: cursor.place(of: member.keyPlace), value: member.value.node(&cursor))
      }
      return Node(.mapping(entries), at: start)
    }
  }
}

extension Fault {
  /// A sentence of the form `what is wrong; what to do`.
  fileprivate init(sentence: String, at place: Node.Place) {
    let parts = sentence.split(separator: "; ", maxSplits: 1)
    self.init(String(parts[0]), parts.count > 1 ? String(parts[1]) : "correct it", at: place)
  }
}

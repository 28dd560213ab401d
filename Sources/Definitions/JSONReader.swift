internal import Prompts
internal import StrictJSON

/// Makes a tree of nodes from the JSON of a definition file, with line and column of each value and key.
struct JSONReader {
  private let bytes: [UInt8]
  private var cursor: SourceText.Cursor
  /// Everything before this offset has been placed.
  private var offset = 0

  /// The tree of a definition file, or the fault that ends its reading.
  static func read(_ source: SourceText) -> (node: Node?, faults: [Fault]) {
    var reader = JSONReader(bytes: source.bytes, cursor: SourceText.Cursor(source.bytes))
    do throws(JSONFault) {
      // `Reading` reports a duplicate key as one fault among others.
      let json = try JSON(parsing: source.bytes, limits: .file, keepingDuplicateKeys: true)
      return (reader.node(json), [])
    } catch {
      return (nil, [Fault(sentence: error.sentence, at: reader.cursor.place(of: error.offset))])
    }
  }

  private init(bytes: [UInt8], cursor: SourceText.Cursor) {
    self.bytes = bytes
    self.cursor = cursor
  }

  /// The tree has its values and keys in the order of the text, so each stands where the next one begins.
  private mutating func node(_ json: JSON) -> Node {
    let place = nextPlace()
    switch json {
    case .null: return Node(.null, at: place)
    case .bool(let bool): return Node(.bool(bool), at: place)
    case .number(let literal): return Node(.number(literal), at: place)
    case .string(let text): return Node(.string(text), at: place)
    case .illFormedString: return Node(.illFormed, at: place)
    case .array(let elements): return Node(.sequence(elements.map { node($0) }), at: place)
    case .object(let members):
      return Node(
        .mapping(members.map { Node.Entry(key: $0.key, keyPlace: nextPlace(), value: node($0.value)) }), at: place)
    }
  }

  /// Steps over the next key, scalar or opening bracket of a text that is known to be JSON.
  private mutating func nextPlace() -> Node.Place {
    while isBetweenValues(bytes[offset]) { offset += 1 }
    let start = offset
    offset += 1
    switch bytes[start] {
    case UInt8(ascii: "{"), UInt8(ascii: "["): break
    case UInt8(ascii: "\""):
      while bytes[offset] != UInt8(ascii: "\"") { offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1 }
      offset += 1
    default:
      while offset < bytes.count, !isBetweenValues(bytes[offset]) { offset += 1 }
    }
    return cursor.place(of: start)
  }

  private func isBetweenValues(_ byte: UInt8) -> Bool { " \t\r\n,:]}".utf8.contains(byte) }
}

extension Fault {
  /// - Parameter sentence: of the form `what is wrong; what to do`.
  fileprivate init(sentence: String, at place: Node.Place) {
    let parts = sentence.split(separator: "; ", maxSplits: 1)
    self.init(String(parts[0]), parts.count > 1 ? String(parts[1]) : "correct it", at: place)
  }
}

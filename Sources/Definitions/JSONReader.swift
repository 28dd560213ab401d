internal import Prompts
internal import StrictJSON

/// Reads the JSON of a definition file, with line and column of each value and key.
enum JSONReader {
  /// The tree of a definition file, or the fault that ends its reading.
  static func read(_ source: SourceText) -> (node: Node?, faults: [Fault]) {
    do throws(JSONFault) {
      // `Reading` reports a duplicate key as one fault among others.
      let json = try JSON(parsing: source.bytes, limits: .file, keepingDuplicateKeys: true)
      return (Node(json, places: places(in: source.bytes)), [])
    } catch {
      var cursor = SourceText.Cursor(source.bytes)
      return (nil, [Fault(sentence: error.sentence, at: cursor.place(of: error.offset))])
    }
  }

  /// The places of all keys and values, in their order, in a text that is known to be JSON.
  private static func places(in bytes: [UInt8]) -> [Node.Place] {
    var places: [Node.Place] = []
    var cursor = SourceText.Cursor(bytes)
    var offset = 0
    while offset < bytes.count {
      let start = offset
      offset += 1
      if isBetweenValues(bytes[start]) { continue }
      places.append(cursor.place(of: start))
      switch bytes[start] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): break
      case UInt8(ascii: "\""):
        while bytes[offset] != UInt8(ascii: "\"") { offset += bytes[offset] == UInt8(ascii: "\\") ? 2 : 1 }
        offset += 1
      default:
        while offset < bytes.count, !isBetweenValues(bytes[offset]) { offset += 1 }
      }
    }
    return places
  }

  private static func isBetweenValues(_ byte: UInt8) -> Bool { " \t\r\n,:]}".utf8.contains(byte) }
}

extension Fault {
  /// - Parameter sentence: of the form `what is wrong; what to do`.
  fileprivate init(sentence: String, at place: Node.Place) {
    let parts = sentence.split(separator: "; ", maxSplits: 1)
    self.init(String(parts[0]), parts.count > 1 ? String(parts[1]) : "correct it", at: place)
  }
}

/// What is handed the members of an object one by one, in the order of the text, without a tree made of them.
package protocol JSONMemberReader {
  /// The key of the next member, in UTF-8, before its value is read.
  ///
  /// - Returns: false for a key that the object had before, so that it is refused.
  mutating func take(key: UnsafeBufferPointer<UInt8>) -> Bool

  /// The value of the key that was taken last.
  mutating func take(_ value: consuming JSON)
}

extension JSON {
  /// Reads one JSON object, member by member, as strictly as `init(parsing:limits:)`.
  ///
  /// What the reader was handed counts only once the whole text was read without a fault.
  ///
  /// - Returns: nil for an object; any other value as it is.
  /// - Throws: `JSONFault` with the byte offset of the first fault.
  package static func read(
    _ bytes: [UInt8], limits: JSONLimits = .request, into reader: inout some JSONMemberReader
  ) throws(JSONFault) -> JSON? {
    try JSONParser<JSON>.read(bytes, limits) { (parser) throws(JSONFault) in
      guard bytes[parser.position] == UInt8(ascii: "{") else { return try parser.value() }
      try parser.eachMember { (parser, place) throws(JSONFault) in
        if try !parser.takeKey(&reader) {
          parser.position = place
          throw JSONFault(.duplicateKey(try parser.string() ?? ""), at: place)
        }
        reader.take(try parser.memberValue())
      }
      return nil
    }
  }
}

extension JSONParser<JSON> {
  /// Hands over the key that begins here; false: the reader had it before.
  fileprivate mutating func takeKey(_ reader: inout some JSONMemberReader) throws(JSONFault) -> Bool {
    let place = position
    if let plain = try plainASCII() {
      try countKey(at: place)
      return reader.take(key: plain)
    }
    var key = try key()
    return key.withUTF8 { reader.take(key: $0) }
  }

  /// The key that begins here, where it lies in the text; nil, and nothing is read: it is not plain ASCII.
  private mutating func plainASCII() throws(JSONFault) -> UnsafeBufferPointer<UInt8>? {
    let place = position
    position += 1
    let run = try plainRun()
    guard run.isASCII, run.range.count <= limits.key, bytes[position] == UInt8(ascii: "\"") else {
      position = place
      return nil
    }
    position += 1
    return UnsafeBufferPointer(rebasing: bytes[run.range])
  }
}

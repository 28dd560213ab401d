internal import StrictJSON

/// The identifier of a request: a string or a whole number, kept as it was written.
package struct ID: Hashable, Sendable {
  let json: JSON
  /// The bytes by which it is compared, since strings are equal by canonical equivalence.
  private let bytes: [UInt8]

  /// As JSON.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  init?(_ json: JSON) {
    switch json {
    case .string: break
    case .number(let literal) where literal.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || (48...57).contains($0) }):
      break
    default: return nil
    }
    self.init(legal: json)
  }

  /// The id of a request that this server sends.
  init(ofServerRequest number: Int) { self.init(legal: .string("okcancel-\(number)")) }

  private init(legal json: JSON) {
    self.json = json
    bytes = json.bytes
  }

  package static func == (one: ID, other: ID) -> Bool { one.bytes == other.bytes }
  package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

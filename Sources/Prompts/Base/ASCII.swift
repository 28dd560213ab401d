/// Questions about bytes of UTF-8.
package enum ASCII {
  package static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
  package static func isLower(_ byte: UInt8) -> Bool { byte >= 0x61 && byte <= 0x7A }
  package static func isLetter(_ byte: UInt8) -> Bool { isLower(byte | 0x20) }
  /// A digit's value; the caller has checked that it is one.
  package static func digit(_ byte: UInt8) -> Int { Int(byte) - 0x30 }
}

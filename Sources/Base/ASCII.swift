/// Questions about bytes of UTF-8 and about code points.
package enum ASCII {
  @inlinable package static func isDigit(_ code: some FixedWidthInteger) -> Bool { code >= 0x30 && code <= 0x39 }
  @inlinable package static func isLower(_ code: some FixedWidthInteger) -> Bool { code >= 0x61 && code <= 0x7A }
  @inlinable package static func isLetter(_ code: some FixedWidthInteger) -> Bool { isLower(code | 0x20) }
  @inlinable package static func isHexDigit(_ code: some FixedWidthInteger) -> Bool {
    isDigit(code) || code | 0x20 >= 0x61 && code | 0x20 <= 0x66
  }
  /// A digit's value; the caller has checked that it is one.
  @inlinable package static func digit(_ code: some FixedWidthInteger) -> Int { Int(code) - 0x30 }
}

package extension [UInt8] {
  /// Appends this byte as `%XX`.
  mutating func append(percentEncoding byte: UInt8) {
    append(UInt8(ascii: "%"))
    for digit in [byte >> 4, byte & 15] { append(digit + (digit < 10 ? 0x30 : 0x37)) }
  }
}

package extension ArraySlice<UInt8> {
  /// Decodes each `%XX` to its byte.
  ///
  /// - Parameters:
  ///   - mark: the character that stands in the place of `%`.
  ///   - space: the character that means a space, or `nil` if only a space does.
  /// - Returns: the bytes, and the place of the first mark without two hexadecimal digits after it; such a mark stays.
  func percentDecoded(
    mark: UInt8 = UInt8(ascii: "%"), space: UInt8? = nil
  ) -> (bytes: [UInt8], fault: Int?) {
    var (decoded, fault): ([UInt8], Int?) = ([], nil)
    decoded.reserveCapacity(count)
    var index = startIndex
    while index < endIndex {
      let byte = self[index]
      if byte == mark {
        if index + 2 < endIndex, let high = self[index + 1].hexadecimalValue,
          let low = self[index + 2].hexadecimalValue
        {
          decoded.append(UInt8(high << 4 | low))
          index += 3
          continue
        }
        fault = fault ?? index
      }
      decoded.append(byte == space ? UInt8(ascii: " ") : byte)
      index += 1
    }
    return (decoded, fault)
  }
}

package extension UInt8 {
  /// The value of this hexadecimal digit, or `nil` if it is none.
  var hexadecimalValue: Int? { self < 0x80 ? Character(Unicode.Scalar(self)).hexDigitValue : nil }
}

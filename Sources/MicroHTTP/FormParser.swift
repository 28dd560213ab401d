/// Reads a form byte by byte.
struct FormParser {
  let bytes: [UInt8]
  let limits: Form.Limits

  func pairs() throws(Form.Fault) -> [(name: String, value: String)] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw .byteOrderMark }
    var pairs: [(name: String, value: String)] = []
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.count
      // Nothing between two ampersands is no pair (URL Standard, section 5.1, step 3.1).
      if start < end {
        guard pairs.count < limits.pairs else { throw .tooManyPairs(limit: limits.pairs) }
        pairs.append(try pair(start..<end))
      }
      start = end + 1
    }
    return pairs
  }

  private func pair(_ range: Range<Int>) throws(Form.Fault) -> (name: String, value: String) {
    let equals = bytes[range].firstIndex(of: UInt8(ascii: "="))
    let name = try text(range.lowerBound..<(equals ?? range.upperBound), of: nil)
    guard let equals else { return (name, "") }
    return (name, try text(equals + 1..<range.upperBound, of: name))
  }

  private func text(_ range: Range<Int>, of name: String?) throws(Form.Fault) -> String {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      switch bytes[index] {
      case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard index + 2 < range.upperBound,
          let high = bytes[index + 1].hexadecimalValue,
          let low = bytes[index + 2].hexadecimalValue
        else { throw .percentEncoding(offset: index) }
        decoded.append(high << 4 | low)
        index += 2
      case let byte: decoded.append(byte)
      }
      index += 1
    }
    let limit = name == nil ? limits.nameBytes : limits.valueBytes
    guard decoded.count <= limit else { throw .tooLong(name: name, limit: limit) }
    guard let text = String(validating: decoded, as: UTF8.self) else {
      throw .notUTF8(offset: range.lowerBound)
    }
    return text
  }
}

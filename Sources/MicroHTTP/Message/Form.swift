/// The pairs of an `application/x-www-form-urlencoded` text, in their order (URL Standard, section 5.1). A query is one
/// too.
///
/// The URL Standard repairs what it cannot read; this parser rejects it, so that nobody acts on a text that nobody sent.
package struct Form: Sendable {
  /// What a form may hold at most.
  package struct Limits: Sendable {
    package var pairs: Int
    /// Bytes of one decoded name.
    package var nameBytes: Int
    /// Bytes of one decoded value.
    package var valueBytes: Int

    package init(pairs: Int = 256, nameBytes: Int = 16 * 1024, valueBytes: Int = 16 * 1024) {
      self.pairs = pairs
      self.nameBytes = nameBytes
      self.valueBytes = valueBytes
    }
  }

  /// What is wrong with a form.
  package enum Fault: Error, Hashable, Sendable {
    case tooManyPairs(limit: Int)
    /// `name` is `nil` if the name itself is too long.
    case tooLong(name: String?, limit: Int)
    /// A `%` without two hexadecimal digits after it, at this byte of the text, from 0.
    case percentEncoding(offset: Int)
    /// A name or a value that is not UTF-8 once decoded, beginning at this byte.
    case notUTF8(offset: Int)
    case byteOrderMark
  }

  package let pairs: [(name: String, value: String)]

  /// The form with no pair.
  package init() { pairs = [] }

  /// - Throws: what is wrong with the text.
  package init(parsing bytes: some Collection<UInt8>, limits: Limits = Limits()) throws(Fault) {
    pairs = try FormParser(bytes: Array(bytes), limits: limits).pairs()
  }

  /// The first value with this name, or `nil` if there is none.
  package subscript(name: String) -> String? {
    pairs.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// All values with this name, in their order.
  package func values(_ name: String) -> [String] {
    pairs.filter { $0.name.utf8.elementsEqual(name.utf8) }.map(\.value)
  }
}

extension Form: RandomAccessCollection {
  package var startIndex: Int { pairs.startIndex }
  package var endIndex: Int { pairs.endIndex }
  package subscript(position: Int) -> (name: String, value: String) { pairs[position] }
}

extension Form.Fault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooManyPairs(let limit): "There are more than \(limit) names."
    case .tooLong(nil, let limit): "A name is longer than \(limit) bytes."
    case .tooLong(let name?, let limit): "The value of “\(name)” is longer than \(limit) bytes."
    case .percentEncoding(let offset):
      "The % at byte \(offset) has no two hexadecimal digits after it."
    case .notUTF8(let offset): "The text from byte \(offset) is not UTF-8."
    case .byteOrderMark: "The text begins with a byte order mark."
    }
  }
}

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

internal import Platform

/// The pairs of an `application/x-www-form-urlencoded` text, in their order (URL Standard, section 5.1). A query is one
/// too.
///
/// The URL Standard repairs what it cannot read; this parser rejects it, so that nobody acts on a text that nobody sent.
package struct Form: Sendable {
  /// Pairs that a form may have.
  private static let pairLimit = 256
  /// Bytes of one decoded name.
  private static let nameLimit = 16 * 1024

  /// An error in a form.
  package enum ParseError: Error, Hashable, Sendable {
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
  init() { pairs = [] }

  /// - Parameter valueLimit: bytes of one decoded value.
  /// - Throws: what is wrong with the text.
  package init(parsing text: some Collection<UInt8>, valueLimit: Int = 16 * 1024) throws(ParseError) {
    let bytes = Array(text)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw .byteOrderMark }
    var pairs: [(name: String, value: String)] = []
    // Nothing between two ampersands is no pair (URL Standard, section 5.1, step 3.1).
    for pair in bytes.split(separator: UInt8(ascii: "&")) {
      guard pairs.count < Self.pairLimit else { throw .tooManyPairs(limit: Self.pairLimit) }
      let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      let name = try Self.text(pair[..<end])
      guard name.utf8.count <= Self.nameLimit else { throw .tooLong(name: nil, limit: Self.nameLimit) }
      let value = try Self.text(pair[end...].dropFirst())
      guard value.utf8.count <= valueLimit else { throw .tooLong(name: name, limit: valueLimit) }
      pairs.append((name, value))
    }
    self.pairs = pairs
  }

  private static func text(_ bytes: ArraySlice<UInt8>) throws(ParseError) -> String {
    let (decoded, fault) = bytes.percentDecoded(space: UInt8(ascii: "+"))
    if let fault { throw .percentEncoding(offset: fault) }
    guard let text = String(validating: decoded, as: UTF8.self) else { throw .notUTF8(offset: bytes.startIndex) }
    return text
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

extension Form.ParseError: CustomStringConvertible {
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

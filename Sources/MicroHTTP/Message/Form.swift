package import Platform

/// The pairs of an `application/x-www-form-urlencoded` text, in their order (URL Standard, section 5.1). A query is one
/// too.
///
/// The URL Standard repairs what it cannot read; this parser rejects it, so that nobody acts on a text that nobody sent.
package struct Form: Sendable {
  /// Pairs that a form may have.
  private static let pairLimit = 256
  /// Bytes of one decoded name.
  private static let nameLimit = 16 * 1024

  package let pairs: [(name: String, value: String)]

  /// The form with no pair.
  init() { pairs = [] }

  /// - Parameter valueLimit: bytes of one decoded value.
  /// - Throws: what is wrong with the text.
  package init(parsing text: some Collection<UInt8>, valueLimit: Int = 16 * 1024) throws(PlainError) {
    let bytes = Array(text)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { throw PlainError("The text begins with a byte order mark.") }
    var pairs: [(name: String, value: String)] = []
    // Nothing between two ampersands is no pair (URL Standard, section 5.1, step 3.1).
    for pair in bytes.split(separator: UInt8(ascii: "&")) {
      guard pairs.count < Self.pairLimit else { throw PlainError("There are more than \(Self.pairLimit) names.") }
      let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      let name = try Self.text(pair[..<end])
      guard name.utf8.count <= Self.nameLimit else {
        throw PlainError("A name is longer than \(Self.nameLimit) bytes.")
      }
      let value = try Self.text(pair[end...].dropFirst())
      guard value.utf8.count <= valueLimit else {
        throw PlainError("The value of “\(name)” is longer than \(valueLimit) bytes.")
      }
      pairs.append((name, value))
    }
    self.pairs = pairs
  }

  private static func text(_ bytes: ArraySlice<UInt8>) throws(PlainError) -> String {
    let (decoded, fault) = bytes.percentDecoded(space: UInt8(ascii: "+"))
    // Bytes count from 0.
    if let fault { throw PlainError("The % at byte \(fault) has no two hexadecimal digits after it.") }
    guard let text = String(validating: decoded, as: UTF8.self) else {
      throw PlainError("The text from byte \(bytes.startIndex) is not UTF-8.")
    }
    return text
  }

  /// The first value with this name, or `nil` if there is none.
  package subscript(name: String) -> String? {
    pairs.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  /// All values with this name, in their order.
  package func values(_ name: String) -> [String] {
    pairs.compactMap { $0.name.utf8.elementsEqual(name.utf8) ? $0.value : nil }
  }
}

internal import Base
internal import Pattern

extension Substring.UTF8View {
  /// Removes an ASCII character at the front; false if it is not there.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let first, first == UInt8(ascii: character) else { return false }
    removeFirst()
    return true
  }

  /// Removes the decimal digits at the front, and returns them.
  mutating func takeDigits() -> Self {
    let digits = prefix(while: ASCII.isDigit)
    self = self[digits.endIndex...]
    return digits
  }
}

extension Unicode.Scalar {
  /// White space as ECMA-262 counts it: what `\s` matches.
  var isWhiteSpace: Bool { CodePointSet.whiteSpace.contains(value) }
}

/// True if two texts have the same code points. `==` would also join canonical equivalents.
func isSame(_ one: String, _ other: String) -> Bool {
  let (one, other) = (one.utf8.span, other.utf8.span)
  return one.count == other.count && one.indices.allSatisfy { one[$0] == other[$0] }
}

/// Texts, each once, code point by code point.
package struct TextSet: Sendable {
  /// As UTF-8: strings are equal if they only look the same.
  private let texts: Set<[UInt8]>

  package init(_ texts: [String]) { self.texts = Set(texts.map { Array($0.utf8) }) }

  package var count: Int { texts.count }

  package func contains(_ text: String) -> Bool { texts.contains(Array(text.utf8)) }

  /// At most what it costs to make a set of so many texts; see `WorkBudget`.
  static func work(of count: Int) -> Int { 300 * count }

  /// At most what it costs to look for these texts.
  static func workOfLookup(_ size: InputSize) -> Int { 100 * size.texts + 20 * size.bytes }
}

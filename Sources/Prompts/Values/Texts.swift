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

  /// White space, and what cannot be seen but the controls that the rule `text` refuses.
  var isBlank: Bool { isWhiteSpace || value >= 0x7F && isHidden }
}

/// True if two texts have the same code points. `==` would also join canonical equivalents.
func isSame(_ one: String, _ other: String) -> Bool {
  let (one, other) = (one.utf8.span, other.utf8.span)
  return one.count == other.count && one.indices.allSatisfy { one[$0] == other[$0] }
}

internal import Platform

/// Reads a text of a simple form from its start. What a step does not find, it leaves.
package struct TextReader {
  /// What has not been read.
  package private(set) var rest: Substring

  package init(_ text: some StringProtocol) { rest = Substring(text) }

  /// Reads what stands behind the first of these marks; `nil` if there is none.
  package init?(after mark: String, in text: String) {
    guard let found = text.firstRange(of: mark) else { return nil }
    rest = text[found.upperBound...]
  }

  package var isAtEnd: Bool { rest.utf8.isEmpty }

  /// Takes this text if it is next.
  package mutating func take(_ text: String) -> Bool {
    guard rest.utf8.starts(with: text.utf8) else { return false }
    rest = rest[rest.utf8.index(rest.startIndex, offsetBy: text.utf8.count)...]
    return true
  }

  /// Takes the next characters of a class, as many bytes as there are up to the most.
  ///
  /// - Returns: `nil` if there are fewer than the least; then nothing is taken.
  package mutating func take(some characters: CharacterClass, _ count: ClosedRange<Int> = 1...Int.max) -> Substring? {
    let bytes = rest.utf8.span
    var found = 0
    while found < min(bytes.count, count.upperBound), characters.contains(bytes[found]) { found += 1 }
    guard found >= count.lowerBound else { return nil }
    let end = rest.utf8.index(rest.startIndex, offsetBy: found)
    defer { rest = rest[end...] }
    return rest[..<end]
  }

  /// Takes the host of a URL (RFC 3986, section 3.2.2): a name of these characters, perhaps of none, or an IPv6 address
  /// in its brackets.
  package mutating func takeHost(_ name: CharacterClass, address: CharacterClass = "0-9A-Fa-f:.") -> String? {
    guard take("[") else { return String(take(any: name)) }
    guard let address = take(some: address), take("]") else { return nil }
    return "[\(address)]"
  }

  /// Takes all of these characters that are next.
  package mutating func take(any characters: CharacterClass) -> Substring { take(some: characters, 0...Int.max) ?? "" }
}

/// A set of characters, written like a class of a pattern without its brackets: `a-z0-9_`. A dash at the end is one of
/// them. `^` at the start means all others, those beyond ASCII too.
package struct CharacterClass: ExpressibleByStringLiteral, Sendable {
  /// A bit for each character: those of the first half of ASCII, and the others.
  private var members: (UInt64, UInt64) = (0, 0)
  private var beyondASCII = false

  package init(stringLiteral text: StaticString) {
    let all = text.withUTF8Buffer { text in
      var all: UInt128 = 0
      beyondASCII = text.first == UInt8(ascii: "^")
      var place = beyondASCII ? 1 : 0
      while place < text.count {
        let isRange = place + 2 < text.count && text[place + 1] == UInt8(ascii: "-")
        let first = text[place], last = text[isRange ? place + 2 : place]
        all |= (UInt128.max >> UInt128(127 - (last - first))) << UInt128(first)
        place += isRange ? 3 : 1
      }
      return beyondASCII ? ~all : all
    }
    members = (UInt64(truncatingIfNeeded: all), UInt64(truncatingIfNeeded: all >> 64))
  }

  package func contains(_ byte: UInt8) -> Bool {
    byte < 0x80 ? (byte < 0x40 ? members.0 : members.1) &>> UInt64(byte) & 1 == 1 : beyondASCII
  }
}

package extension StringProtocol {
  /// True if it has characters of this class and no others.
  func consists(of characters: CharacterClass) -> Bool { !isEmpty && utf8.allSatisfy(characters.contains) }
}

/// Questions about bytes of UTF-8.
package enum ASCII {
  package static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
  package static func isLower(_ byte: UInt8) -> Bool { byte >= 0x61 && byte <= 0x7A }
  package static func isLetter(_ byte: UInt8) -> Bool { isLower(byte | 0x20) }
  /// A digit's value; the caller has checked that it is one.
  static func digit(_ byte: UInt8) -> Int { Int(byte) - 0x30 }
}

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

/// True if two texts have the same code points. `==` would also join canonical equivalents.
package func isSame(_ one: String, _ other: String) -> Bool {
  // Most differ in that.
  guard one.utf8.count == other.utf8.count else { return false }
  let (one, other) = (one.utf8.span, other.utf8.span)
  return one.indices.allSatisfy { one[$0] == other[$0] }
}

package extension String {
  /// The text with each byte as `%XX` that is none of these characters (RFC 3986, section 2.1).
  func percentEncoded(except kept: CharacterClass) -> String {
    var bytes: [UInt8] = []
    for byte in utf8 {
      if kept.contains(byte) { bytes.append(byte) } else { bytes.append(percentEncoding: byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
